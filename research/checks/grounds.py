"""The archived texts that quotes of a run are checked against."""

import re
from collections.abc import Iterator
from functools import cache, partial, reduce
from itertools import count
from operator import or_
from uuid import UUID

from django.db.models import Q, QuerySet

from citations.extract import extract
from citations.services.verification import ReadText
from research.checks.addresses import Known, address_key, addresses, host_key
from research.checks.quotes import FindSource, QuotedSource
from research.jsontext import JsonObject, canonical_json
from research.models import Source, Step
from research.models.states import StepKind
from research.web.archive.search import root_of

MAX_LOOKED_UP = 100  # maximum number of addresses to search for in all texts of a run


def sources_of(run: UUID) -> FindSource:
    """Look up the sources of a run's family by number, one at a time: an archived text may have megabytes."""
    return partial(_quoted, root_of(run))


def decisions_of(run: UUID) -> ReadText:
    """Look up the archived decisions of a run's family by name."""

    @cache
    def numbers() -> dict[str, int]:
        titled = Source.objects.filter(run=root_of(run), kind="law").values_list("title", "number")
        named = [(extract(title)[:1], number) for title, number in titled]
        return {str(one.normalized): number for mentions, number in named for one in mentions}

    def read(name: str) -> str:
        source = _quoted(root_of(run), number) if (number := numbers().get(name)) is not None else None
        return source.text if source else ""

    return read


def _quoted(run: UUID, number: int) -> QuotedSource | None:
    source = Source.objects.filter(run=run, number=number).select_related("document").first()
    if source is None:
        return None
    document = source.document
    if document is None:
        return QuotedSource(number, source.title)
    return QuotedSource(number, source.title, document.pk, document.text, document.mime == "application/json")


def known_addresses(run: UUID, *asked: str) -> Known:
    """Whether an address is that of a source of the run's family, stands in what was read, or was given by ``asked``.

    The name of a host is known with any address on it. Nothing is looked up before an address is asked about, and so
    many are looked up in the texts at most; what a model types beyond that is not known.
    """
    root = cache(partial(root_of, run))

    @cache
    def listed() -> set[str]:
        urls = [
            *Source.objects.filter(run=root()).exclude(url="").values_list("url", flat=True),
            *addresses(" ".join(asked)),
        ]
        return {*map(address_key, urls), *map(host_key, urls)}

    @cache
    def told() -> set[str]:
        return {key for step in _tool_steps(root()) for key in _told(step)}

    looked_up = count(1)

    def known(address: str) -> bool:
        key = address_key(address)
        if key in listed() or key in told():
            return True
        return next(looked_up) <= MAX_LOOKED_UP and _is_read(
            Source.objects.filter(run=root()), {key, _bare(address)}
        )

    return cache(known)


def _bare(address: str) -> str:
    """The address as prose writes it: without scheme, www. and final slash."""
    return re.sub(r"^(?:[a-z][a-z0-9+.-]*:)?/*(?:www\.)?", "", address, flags=re.IGNORECASE).rstrip("/")


def _is_read(sources: QuerySet[Source], names: set[str]) -> bool:
    places = ("document__text", "snippet", "title")
    wanted = [Q(**{f"{place}__icontains": name}) for place in places for name in names if name]
    return bool(wanted) and sources.filter(reduce(or_, wanted)).exists()


def _tool_steps(root: UUID) -> Iterator[tuple[JsonObject, JsonObject]]:
    family = Step.objects.filter(Q(run=root) | Q(run__parent=root), kind=StepKind.TOOL, answer__isnull=False)
    return ((intent, answer or {}) for intent, answer in family.values_list("intent", "answer").iterator())


def _told(step: tuple[JsonObject, JsonObject]) -> set[str]:
    """Addresses in a tool's answer, except those from its arguments, which it may only repeat."""
    called, answered = (set(map(address_key, addresses(canonical_json(part)))) for part in step)
    return answered - called
