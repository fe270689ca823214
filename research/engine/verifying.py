"""Checking a document: each family of checks is a step of its own, and none can end a run. Their intents are one write.

A check that a worker did not live to finish is done again; one that was answered is not. A family that breaks gives one
verdict, ``unknown``, that says so.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from common.connection import give_connection_back
from entities.gleif.checking import current_policy
from entities.gleif.register import Register
from research.checks.base import Verdict
from research.checks.cited import check_cited, cites_anything
from research.checks.grounds import decisions_of, sources_of
from research.checks.leis import check_leis, find_claims
from research.checks.provenance.check import check_provenance
from research.checks.provenance.heard import Heard
from research.checks.quotes import check_quotes
from research.checks.schema import check_schema
from research.engine.journal import Entry, Journal
from research.jsontext import JsonObject, digest, storable_json
from research.models import Step
from research.models.states import CheckKind, StepKind

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Subject:
    """What is checked: the document, the evidence given with it, and what it can be held against."""

    data: JsonObject
    schema: JsonObject
    register: Register
    root_id: UUID
    today: date
    told: Callable[[], Heard]
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
        return []  # and nobody needs to be asked by which policy
    return check_leis(subject.data, subject.register, today=subject.today, policy=current_policy())


def _quotes(subject: Subject) -> list[Verdict]:
    return check_quotes(subject.data, subject.evidence, sources_of(subject.root_id))


def _citations(subject: Subject) -> list[Verdict]:
    return check_cited(subject.data, at_hand=decisions_of(subject.root_id))


def _origin(subject: Subject) -> list[Verdict]:
    return check_provenance(subject.data, subject.schema, subject.told())


FAMILIES = [
    Family("schema", CheckKind.SCHEMA, _schema, asks=never),
    Family("leis", CheckKind.LEI, _leis, asks=_claims_leis),
    Family("origin", CheckKind.ORIGIN, _origin, asks=never),
]
CITATIONS = Family("citations", CheckKind.CITATION, _citations)
QUOTES = Family("quotes", CheckKind.QUOTE, _quotes, asks=never)


def verify(journal: Journal, subject: Subject) -> list[Verdict]:
    """The verdicts of all families, in their order. The last answer is held back for the caller's next write."""
    mark = {"digest": digest([subject.data, list(subject.evidence)])[:16]}
    families = [*FAMILIES]
    if _cites(subject.data):
        families.append(CITATIONS)
    if subject.evidence:
        families.append(QUOTES)
    asking = [family for family in families if _asks(family, subject)]
    _begin(journal, asking, mark)
    found = {}
    for family in families:
        step = _begun(journal, family, mark)
        if step is not None and step.answer is not None:
            found[family.name] = _told(family, step, subject)
            continue
        give_connection_back()
        verdicts = found[family.name] = _checked(family, subject)
        if step is None:
            journal.remark(Entry(StepKind.CHECK, family.name, mark, _answer(verdicts, whole=False)))
        else:
            journal.answer(step, _answer(verdicts, whole=True), hold_back=asking[-1:] == [family])
    return [verdict for family in families for verdict in found[family.name]]


def _begin(journal: Journal, asking: Sequence[Family], mark: JsonObject) -> None:
    """Commit what will be asked; whatever breaks in a check, the last word of the model is not paid again."""
    entries = [Entry(StepKind.CHECK, one.name, mark) for one in asking if _begun(journal, one, mark) is None]
    if entries:
        journal.intend(*entries)
    else:
        journal.flush()


def _asks(family: Family, subject: Subject) -> bool:
    """Where looking breaks, the check itself says so without ending the run."""
    try:
        return family.asks(subject)
    except Exception:
        log.exception("the data cannot be searched for what the check %s asks about", family.name)
        return True


def _told(family: Family, step: Step, subject: Subject) -> list[Verdict]:
    """What an earlier worker found: from the journal where somebody was asked for it, else found again."""
    answer = step.answer or {}
    return [_read(one) for one in answer["verdicts"]] if "verdicts" in answer else _checked(family, subject)


def _cites(data: JsonObject) -> bool:
    """Whether there is anything to check; where looking breaks, the check itself says so without ending the run."""
    try:
        return cites_anything(data)
    except Exception:
        log.exception("the data cannot be searched for citations")
        return True


def _begun(journal: Journal, family: Family, mark: JsonObject) -> Step | None:
    """This check of this very document, answered or in flight."""
    for step in journal.live:
        if step.kind == StepKind.CHECK and step.name == family.name and step.intent == mark:
            return step
    return None


def _answer(verdicts: Sequence[Verdict], *, whole: bool) -> JsonObject:
    """How many of each; the verdicts themselves, which lie with the result, only where somebody was asked for them."""
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
