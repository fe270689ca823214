"""The archived texts that the quotes of a run are looked up in."""

import re
from functools import cache, partial, reduce
from operator import or_
from uuid import UUID

from django.db.models import Q

from citations.extract import extract
from citations.services.verification import ReadText
from research.checks.addresses import Known, address_key, addresses, host_key
from research.checks.quotes import FindSource, QuotedSource
from research.models import Source
from research.web.archive.search import root_of


def sources_of(run: UUID) -> FindSource:
    """Finds the sources of a run's family by number, one at a time: an archived text may have megabytes."""
    return partial(_quoted, root_of(run))


def decisions_of(run: UUID) -> ReadText:
    """Finds the texts of decisions that a run's family has archived, by their names."""

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
    """Whether an address is that of a source of the run's family, stands in the text of one, or was given by ``asked``.

    The name of a host is known with any address on it.
    """
    sources = Source.objects.filter(run=root_of(run))
    given = " ".join(asked)
    urls = [*sources.exclude(url="").values_list("url", flat=True), *addresses(given)]
    keys, hosts = set(map(address_key, urls)), set(map(host_key, urls))

    def known(address: str) -> bool:
        key = address_key(address)
        if key in keys or (key in hosts and "@" not in key):
            return True
        names = {
            key,
            re.sub(r"^(?:[a-z][a-z0-9+.-]*:)?/*(?:www\.)?", "", address, flags=re.IGNORECASE).rstrip("/"),
        }
        places = ("document__text", "snippet", "title")
        wanted = [Q(**{f"{place}__icontains": name}) for place in places for name in names if len(name) > 3]
        return sources.filter(reduce(or_, wanted)).exists() if wanted else False

    return cache(known)
