"""Open a researcher by its name in ``DOSSIER_MODEL``. Adapters are imported on demand."""

import logging
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from django.conf import settings

from research.llm.interface import Abilities, Model, ModelFault

if TYPE_CHECKING:
    from research.llm.adapter import Adapter, Options
    from research.llm.http import Endpoint

log = logging.getLogger(__name__)

KNOWN = ("register", "anthropic:MODEL", "openai:MODEL", "openai-chat:MODEL")
ANTHROPIC, OPENAI = "https://api.anthropic.com", "https://api.openai.com/v1"


class UnknownModel(ValueError):
    """No researcher has this name."""


def model_names(text: str) -> list[str]:
    """The names of a comma list, in the order in which they are tried."""
    return [name.strip() for name in text.split(",") if name.strip()]


def open_model(name: str) -> Model:
    """Open the researcher of one name. Makes no request; a missing key is a fault of the first call.

    Raises:
        UnknownModel: with the known names.
    """
    kind, _, model = name.strip().partition(":")
    if name == "register":
        from research.register_researcher.model import RegisterModel

        return RegisterModel()
    if kind not in _OPENERS or not model.strip():
        raise UnknownModel(_not_known(name, kind.strip(), model.strip()))
    opened = _OPENERS[kind](model.strip())
    listed = settings.DOSSIER_MODEL_TEXT_PROTOCOL
    return _by_text(opened) if name in listed or model in listed else opened


def _not_known(name: str, kind: str, model: str) -> str:
    """The error for an unknown name: the valid names, and what may be meant."""
    told = f"DOSSIER_MODEL: {name!r} is not known; use: {', '.join(KNOWN)}"
    near = get_close_matches(kind.lower(), _OPENERS, n=1, cutoff=0.7)
    if near and model:
        return f"{told}. Perhaps it is: {near[0]}:{model}"
    if kind and not model and not near:
        return f"{told}. Perhaps it is: {', '.join(f'{each}:{kind}' for each in _OPENERS)}"
    return told


def without(model: Model, fault: ModelFault) -> Model | None:
    """The model to ask after an "unsupported" fault: the same one, without the refused feature.

    Without tools it calls them by the JSON text protocol. None when there is nothing to leave out.
    """
    feature = fault.feature
    if fault.kind != "unsupported" or not feature or not getattr(model.abilities, feature):
        return None
    if feature == "tools":
        return _by_text(cast("Adapter", model))
    log.warning("%s: its server refused %s; it is asked without from now on", model.name, feature)
    return cast("Adapter", model).without(feature)


def _by_text(model: "Adapter") -> Model:
    from research.llm.text_protocol import TextProtocolModel

    log.warning("%s: tools are called by the JSON text protocol", model.name)
    return TextProtocolModel(model)


def _anthropic(model: str) -> "Adapter":
    from research.llm.anthropic import AnthropicModel
    from research.llm.http import Endpoint

    key = settings.ANTHROPIC_API_KEY
    bearer = settings.ANTHROPIC_AUTH != "x-api-key"
    credential = {"Authorization": f"Bearer {key}"} if bearer else {"X-Api-Key": key}
    headers = {"anthropic-version": settings.ANTHROPIC_VERSION, **credential}
    endpoint = Endpoint(
        "Anthropic",
        settings.ANTHROPIC_BASE_URL or ANTHROPIC,
        headers,
        key,
        needs="ANTHROPIC_API_KEY",
        total=settings.DOSSIER_MODEL_TIMEOUT,
    )
    return AnthropicModel(model, endpoint, _options(Abilities(server_search=True, context_tokens=200_000)))


def _openai(model: str) -> "Adapter":
    from research.llm.responses import ResponsesModel

    base = settings.OPENAI_BASE_URL or OPENAI
    abilities = Abilities(server_search=True, background=settings.DOSSIER_MODEL_BACKGROUND)
    endpoint = _openai_endpoint(base, settings.OPENAI_API_KEY, "OPENAI_API_KEY")
    return ResponsesModel(model, endpoint, _options(abilities))


def _chat(model: str) -> "Adapter":
    from research.llm.chat import ChatModel

    base, key = settings.OPENAI_CHAT_BASE_URL, settings.OPENAI_CHAT_API_KEY
    if not base:  # never send the key of one host to another
        base, key = settings.OPENAI_BASE_URL or OPENAI, key or settings.OPENAI_API_KEY
    own = f".{_host(base)}".endswith((".openai.com", ".openai.azure.com"))
    endpoint = _openai_endpoint(base, key, "OPENAI_API_KEY" if own else "")
    return ChatModel(model, endpoint, _options(Abilities(), own_host=own))


def _options(abilities: Abilities, *, own_host: bool = True) -> "Options":
    from research.llm.adapter import Options

    return Options(abilities, settings.DOSSIER_MODEL_STREAM, settings.DOSSIER_THINKING, own_host)


def _openai_endpoint(base: str, key: str, needs: str) -> "Endpoint":
    from research.llm.http import Endpoint

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    provider = "OpenAI" if base == OPENAI else _host(base) or "The model server"
    return Endpoint(provider, base, headers, key, needs=needs, total=settings.DOSSIER_MODEL_TIMEOUT)


def _host(base: str) -> str:
    """The host without port and credentials."""
    try:
        return urlsplit(base).hostname or ""
    except ValueError:
        return ""  # reported when it is asked


_OPENERS: Mapping[str, Callable[[str], "Adapter"]] = {
    "anthropic": _anthropic,
    "openai": _openai,
    "openai-chat": _chat,
}
