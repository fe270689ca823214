"""All that agents may call, and the one way to call it."""

import logging

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from jsonschema.exceptions import best_match

from entities.gleif.errors import GleifError
from entities.memory import NotAllowed, OutOfDate, RefusedWrite
from research.access_log import acting
from research.errors import DossierError
from research.jsontext import Json, JsonObject, JsonTextError, check_json
from research.mcp.offer import Offer
from research.mcp.questions import QUESTIONS
from research.mcp.registry import from_registry
from research.services.access import Person
from research.tools.base import failure

log = logging.getLogger(__name__)


def offers() -> dict[str, Offer]:
    """All there are, by name."""
    return {offer.name: offer for offer in (*QUESTIONS, *from_registry())}


def offered_to(person: Person) -> list[Offer]:
    """What this person may use; the rest is not even named."""
    return [offer for offer in offers().values() if person.has_perm(offer.permission)]


def call(name: str, arguments: Json, person: Person) -> JsonObject:
    """Call a tool by name for a person. Always returns a value: ``{success: false, error}`` when nothing was done."""
    offer = offers().get(name)
    if offer is None or not person.has_perm(offer.permission):
        return failure("unknown_tool", f"There is no tool {name[:100]!r} for {person.get_username()}.")
    if not _within_rate(person):
        return failure("rate_limited", "Too many calls in this minute.", retryable=True, retry_after=60)
    fault = _fault(offer, arguments)
    if fault:
        return failure("bad_arguments", fault)
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


def _fault(offer: Offer, arguments: Json) -> str:
    try:
        check_json(arguments)
    except JsonTextError as error:
        return str(error)
    fault = best_match(offer.validator.iter_errors(arguments))
    return f"{'.'.join(map(str, fault.absolute_path)) or 'arguments'}: {fault.message}" if fault else ""


def _within_rate(person: Person) -> bool:
    """So many calls a minute and person, over all processes that share a cache."""
    key = f"mcp:{person.pk}:{timezone.now():%Y%m%d%H%M}"
    cache.add(key, 0, timeout=120)
    return bool(cache.incr(key) <= settings.DOSSIER_MCP_CALLS_PER_MINUTE)
