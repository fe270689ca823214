"""All that agents may call, and the one way to call it."""

import logging

from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.utils import timezone
from jsonschema.exceptions import ValidationError

from entities.gleif.errors import GleifError
from entities.memory import NotAllowed, OutOfDate, RefusedWrite
from research.access_log import acting
from research.errors import DossierError
from research.jsontext import Json, JsonObject, JsonTextError, check_json
from research.mcp.offer import Offer
from research.mcp.questions import QUESTIONS
from research.mcp.registry import from_registry
from research.services.access import Person
from research.tools.tool import failure

log = logging.getLogger(__name__)
MAX_FAULTS = 20


def offers() -> dict[str, Offer]:
    """All there are, by name."""
    return {offer.name: offer for offer in (*QUESTIONS, *from_registry())}


def offered_to(person: Person) -> list[Offer]:
    """What this person may use; the rest is not even named."""
    return [offer for offer in offers().values() if person.has_perms(offer.permissions)]


def call(name: str, arguments: Json, person: Person) -> JsonObject:
    """Call a tool by name for a person. Always returns a value: ``{success: false, error}`` when nothing was done."""
    offer = offers().get(name)
    if offer is None or not person.has_perms(offer.permissions):
        return failure("unknown_tool", f"There is no tool {name[:100]!r} for {person.get_username()}.")
    if not _within_rate(person):
        return failure("rate_limited", "Too many calls in this minute.", retryable=True, retry_after=60)
    faults = _faults(offer, arguments)
    if faults:
        sentences = "; ".join(f"{fault['name']}: {fault['message']}" for fault in faults)
        return failure("bad_arguments", sentences, errors=faults)
    assert isinstance(arguments, dict)  # noqa: S101 - every schema says so
    with acting(lambda: person):
        return _called(offer, arguments, person)


def _called(offer: Offer, arguments: JsonObject, person: Person) -> JsonObject:
    try:
        return offer.call(arguments, person)
    except DossierError as error:
        return failure(error.code, error.message, **error.detail)
    except (RefusedWrite, OutOfDate, NotAllowed) as error:
        return failure("refused", str(error))
    except GleifError as error:
        return failure("register_unavailable", str(error), retryable=True)
    except Exception as error:
        log.exception("MCP tool %s failed", offer.name)
        return failure("internal", f"{offer.name} failed ({type(error).__name__}).")


def _faults(offer: Offer, arguments: Json) -> list[JsonObject]:
    """Every fault of the arguments, as REST tells those of a body."""
    try:
        check_json(arguments)
    except JsonTextError as error:
        return [{"name": "arguments", "message": str(error), "allowed": []}]
    known = list(offer.parameters.get("properties", {}))
    found: list[JsonObject] = []
    for fault in offer.validator.iter_errors(arguments):
        if (
            fault.validator == "additionalProperties"
            and not fault.absolute_path
            and isinstance(arguments, dict)
        ):
            found += [_unknown(name, known) for name in arguments if name not in known]
        else:
            found.append(_told(fault))
    return found[:MAX_FAULTS]


def _unknown(name: str, known: list[str]) -> JsonObject:
    """An argument that a tool does not have."""
    message = f"is not an argument of this tool; there are: {', '.join(known) or 'none'}"
    return {"name": name[:80], "message": message, "allowed": known}


def _told(error: ValidationError) -> JsonObject:
    name = ".".join(map(str, error.absolute_path)) or "arguments"
    if error.validator == "required":
        missing = error.message.split("'")[1]
        name = missing if name == "arguments" else f"{name}.{missing}"
        return {"name": name, "message": "is required", "allowed": []}
    words = error.validator_value if error.validator == "enum" else None
    allowed = [str(word) for word in words] if isinstance(words, list) else []
    return {"name": name, "message": error.message[:500], "allowed": allowed}


def _within_rate(person: Person) -> bool:
    """So many calls a minute and person, of all processes together where there is Redis."""
    key = f"mcp:{person.pk}:{timezone.now():%Y%m%d%H%M}"
    if "shared" in settings.CACHES:
        from redis.exceptions import RedisError  # 20 MB of Redis's client, for nothing without it

        try:
            return _calls(caches["shared"], key) <= settings.DOSSIER_MCP_CALLS_PER_MINUTE
        except RedisError:
            log.warning("Redis cannot be reached: calls of agents are counted by this process alone.")
    return _calls(caches["default"], key) <= settings.DOSSIER_MCP_CALLS_PER_MINUTE


def _calls(counts: BaseCache, key: str) -> int:
    counts.add(key, 0, timeout=120)
    return counts.incr(key)
