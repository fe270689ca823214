"""What is set up to be asked, as far as that can be told without asking; no key and no variable is named."""

from functools import lru_cache

from django.conf import settings

from common.outside.client import TRAFFIC
from research.errors import InvalidMacro
from research.jsontext import JsonObject
from research.llm.models import UnknownModel, model_names, open_model
from research.macros.definition import Workflow
from research.macros.loader import load_macro
from research.models import Macro
from research.register_researcher.model import PLAYBOOKS
from research.services.system_checks import missing_key
from research.web.search.setup import statuses


def models() -> list[JsonObject]:
    """``{name, configured}`` for each of DOSSIER_MODEL, in the order in which they are asked."""
    return [
        {"name": name, "configured": _is_configured(name)} for name in model_names(settings.DOSSIER_MODEL)
    ]


def needs_language_model(macro: Macro) -> bool:
    """Whether nobody who is set up can answer it: the register researcher knows only the macros it was taught."""
    if set(model_names(settings.DOSSIER_MODEL)) - {"register"}:
        return False
    return macro.schema_name not in PLAYBOOKS and _workflow(macro.text) not in ("legal", "table", None)


@lru_cache(maxsize=256)
def _workflow(text: str) -> Workflow | None:
    """None for a text that an earlier version took in and this one cannot read: a model would not help."""
    try:
        return load_macro(text).workflow
    except InvalidMacro:
        return None


def search_providers() -> list[JsonObject]:
    """``{name, configured, breaker}`` for those that are asked or named; the breaker is that of this process."""
    health = TRAFFIC.health()
    named = {name.lower() for name in settings.DOSSIER_SEARCH}
    return [
        {
            "name": one.name,
            "configured": one.known and not one.missing,
            "breaker": health[one.name].breaker if one.name in health else "closed",
        }
        for one in statuses()
        if one.place or one.name in named
    ]


def _is_configured(name: str) -> bool:
    try:
        return not missing_key(open_model(name))
    except UnknownModel:
        return False
