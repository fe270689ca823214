"""Check a document: each family of checks is a step of its own, and none can end a run.

A check that a worker did not live to finish is done again; one that was answered is not. A family that breaks gives one
verdict, ``unknown``, that says so.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from django.utils import timezone

from common.connection import give_connection_back
from entities.gleif.checking import current_policy
from entities.gleif.register import Register
from research.checks.cited import check_cited, cites_anything
from research.checks.grounds import decisions_of, sources_of
from research.checks.leis import check_leis, find_claims
from research.checks.listed import asks_about_sanctions, check_listed
from research.checks.ownership import check_ownership, states_ownership
from research.checks.provenance.check import check_provenance
from research.checks.provenance.corpus import Corpus
from research.checks.quotes import check_quotes
from research.checks.schema import check_schema
from research.checks.verdict import Verdict
from research.engine.journal import Entry, Journal
from research.jsontext import JsonObject, digest, storable_json
from research.models import Step
from research.models.states import CheckKind, StepKind

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Subject:
    """What is checked: the document, its evidence, and what both are checked against."""

    data: JsonObject
    schema: JsonObject
    register: Register
    root_id: UUID
    today: date
    told: Callable[[], Corpus]
    evidence: Sequence[JsonObject] = field(default_factory=list)


def never(subject: Subject) -> bool:
    return False


def always(subject: Subject) -> bool:
    return True


@dataclass(frozen=True)
class Family:
    """Checks of one kind. What ``asks`` nobody outside may as well be done again: it has no intent, its step is stored
    with the result, and its verdicts are not stored beside those of the result."""

    name: str
    kind: CheckKind
    check: Callable[[Subject], list[Verdict]]
    asks: Callable[[Subject], bool] = always


def _schema(subject: Subject) -> list[Verdict]:
    return check_schema(subject.data, subject.schema)


def _claims_leis(subject: Subject) -> bool:
    return next(find_claims(subject.data), None) is not None


def _leis(subject: Subject) -> list[Verdict]:
    if not _claims_leis(subject):
        return []  # no request outside, so no policy is needed
    return check_leis(subject.data, subject.register, today=subject.today, policy=current_policy())


def _quotes(subject: Subject) -> list[Verdict]:
    return check_quotes(subject.data, subject.evidence, sources_of(subject.root_id))


def _citations(subject: Subject) -> list[Verdict]:
    return check_cited(subject.data, at_hand=decisions_of(subject.root_id))


def _ownership(subject: Subject) -> list[Verdict]:
    return check_ownership(subject.data, today=subject.today)


def _listed(subject: Subject) -> list[Verdict]:
    return check_listed(subject.data, now=timezone.now())


def _origin(subject: Subject) -> list[Verdict]:
    return check_provenance(subject.data, subject.schema, subject.told())


FAMILIES = [
    Family("schema", CheckKind.SCHEMA, _schema, asks=never),
    Family("leis", CheckKind.LEI, _leis, asks=_claims_leis),
    Family("origin", CheckKind.ORIGIN, _origin, asks=never),
]
CITATIONS = Family("citations", CheckKind.CITATION, _citations)
OWNERSHIP = Family("ownership", CheckKind.OWNERSHIP, _ownership, asks=never)
LISTED = Family("listed", CheckKind.LISTED, _listed, asks=never)
QUOTES = Family("quotes", CheckKind.QUOTE, _quotes, asks=never)


def verify(journal: Journal, subject: Subject) -> list[Verdict]:
    """The verdicts of all families, in order. The last answer is held back for the caller's next write."""
    mark = {"digest": digest([subject.data, list(subject.evidence)])[:16]}
    families = [*FAMILIES]
    if states_ownership(subject.data):
        families.append(OWNERSHIP)
    if asks_about_sanctions(subject.schema):
        families.append(LISTED)
    if _cites(subject.data):
        families.append(CITATIONS)
    if subject.evidence:
        families.append(QUOTES)
    asking = [family for family in families if _asks(family, subject)]
    # Commit what will be asked first. If a check fails, the model's last turn is not paid for again.
    entries = [Entry(StepKind.CHECK, one.name, mark) for one in asking if _begun(journal, one, mark) is None]
    if entries:
        journal.intend(*entries)
    else:
        journal.flush()
    found = {}
    for family in families:
        step = _begun(journal, family, mark)
        if step is not None and step.answer is not None:
            found[family.name] = (
                [_read(one) for one in step.answer["verdicts"]]
                if "verdicts" in step.answer
                else _checked(family, subject)
            )
            continue
        give_connection_back()
        verdicts = found[family.name] = _checked(family, subject)
        if step is None:
            journal.remark(Entry(StepKind.CHECK, family.name, mark, _answer(verdicts, whole=False)))
        else:
            journal.answer(step, _answer(verdicts, whole=True), hold_back=asking[-1:] == [family])
    return [verdict for family in families for verdict in found[family.name]]


def _asks(family: Family, subject: Subject) -> bool:
    """Whether the family asks anyone outside. If that cannot be told, the check itself reports the error."""
    try:
        return family.asks(subject)
    except Exception:
        log.exception("the data cannot be searched for what the check %s asks about", family.name)
        return True


def _cites(data: JsonObject) -> bool:
    """Whether the data cites anything. If that cannot be told, the check itself reports the error."""
    try:
        return cites_anything(data)
    except Exception:
        log.exception("the data cannot be searched for citations")
        return True


def _begun(journal: Journal, family: Family, mark: JsonObject) -> Step | None:
    """The step of this check for this document, answered or in flight."""
    for step in journal.live:
        if step.kind == StepKind.CHECK and step.name == family.name and step.intent == mark:
            return step
    return None


def _answer(verdicts: Sequence[Verdict], *, whole: bool) -> JsonObject:
    """Counts of verdicts. Verdicts themselves are only stored here if someone outside was asked."""
    counts: JsonObject = {
        word: sum(one.verdict == word for one in verdicts) for word in ("pass", "warn", "fail", "unknown")
    }
    return {**counts, "verdicts": [_short(one) for one in verdicts]} if whole else counts


def _checked(family: Family, subject: Subject) -> list[Verdict]:
    try:
        return [_read(storable_json(_short(verdict))) for verdict in family.check(subject)]
    except Exception as error:
        log.exception("the check %s failed", family.name)
        message = (
            f"This check failed ({type(error).__name__}), so nothing is known of what it would have found."
        )
        return [Verdict(family.kind, "check-failed", "", family.name, "unknown", message)]


def _short(verdict: Verdict) -> JsonObject:
    return {key: value for key, value in verdict.as_json().items() if value}


def _read(short: JsonObject) -> Verdict:
    return Verdict(**{"pointer": "", "subject": "", "message": "", **short})
