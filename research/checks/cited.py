"""Citations of a result against the lists and sources of this installation."""

from functools import partial
from uuid import UUID

from django.conf import settings

from citations.services.authorities import act_table
from citations.services.uses import Cited, record_uses
from citations.services.verification import ReadText, verify_texts
from research.checks.citations import check_citations, find_citations, may_cite
from research.checks.verdict import Verdict
from research.jsontext import Json

SECONDS = 10.0  # Do not start one of the few outside requests after this time.
LABEL = "result"


def check_cited(data: Json, *, at_hand: ReadText) -> list[Verdict]:
    """By what is at hand and by answers that are kept; outside is asked only as the settings allow.

    ``at_hand`` gives the texts that quotes are looked up in without asking anybody.
    """
    lookups = settings.CITATION_CHECK_LOOKUPS
    judge = partial(verify_texts, lookups=lookups, seconds=SECONDS, at_hand=at_hand)
    return check_citations(data, judge, acts=act_table())


def cites_anything(data: Json) -> bool:
    """Whether the data cites anything."""
    return may_cite(data) and next(find_citations(data, acts=act_table()), None) is not None


def remember_citations(result: UUID, data: Json) -> int:
    """Record in the list of citations where this result cites them. Returns the number of new places. No requests."""
    places = list(find_citations(data, acts=act_table()))
    judged = verify_texts([(text, mentions) for _, text, mentions in places])
    cited = [
        Cited(place, one)
        for (place, _, _), judgements in zip(places, judged, strict=True)
        for one in judgements
    ]
    return record_uses(label=LABEL, reference=str(result), cited=cited) if cited else 0
