"""What ``manage.py check`` says about the settings of research: a model that cannot be asked, or has no price."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from research.llm.interface import THINKING, Model
from research.llm.models import UnknownModel, model_names, open_model


@register("research")
def retention_can_be_read(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Every rule in DOSSIER_RETENTION is one."""
    from research.services.retention import PolicyRefused, policy  # with all that erasing takes

    try:
        policy()
    except PolicyRefused as error:
        return [Error(f"DOSSIER_RETENTION: {error}.", id="research.E004")]
    return []


@register("research")
def models_can_be_asked(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:
    """Every name in DOSSIER_MODEL is known and has the key that its provider wants."""
    names = model_names(settings.DOSSIER_MODEL)
    if not names:
        return [Error("DOSSIER_MODEL names no model.", hint="Set it to: register", id="research.E001")]
    return [*_thinking(), *(message for name in names for message in _faults(name))]


def _thinking() -> Iterator[CheckMessage]:
    said = settings.DOSSIER_THINKING
    if said and said not in THINKING:
        hint = f"Use one of: {', '.join(THINKING)}; or leave it out."
        yield Error(f"DOSSIER_THINKING is {said!r}, which no provider knows.", hint=hint, id="research.E003")


def _faults(name: str) -> Iterator[CheckMessage]:
    try:
        model = open_model(name)
    except UnknownModel as error:
        yield Error(str(error), id="research.E002")
        return
    if variable := missing_key(model):
        hint = f"Set {variable} (or {variable}_FILE); until then every run that comes to it fails."
        yield Warning(
            f"DOSSIER_MODEL names {name}, and {variable} is not set.", hint=hint, id="research.W001"
        )


def missing_key(model: Model) -> str:
    """The variable that holds the model's key, if it needs one and has none."""
    endpoint = getattr(
        getattr(model, "inner", model), "endpoint", None
    )  # one that calls tools by text has another in it
    return endpoint.needs if endpoint is not None and endpoint.needs and not endpoint.key else ""
