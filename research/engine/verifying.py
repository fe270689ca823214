"""Checking a document: each family of checks is a step of its own, and none can end a run.

A check that a worker did not live to finish is done again; one that was answered is not. A family that breaks gives one
verdict, ``unknown``, that says so.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from entities.gleif.register import Register
from research.checks.base import Verdict
from research.checks.grounds import sources_of
from research.checks.leis import check_leis
from research.checks.quotes import check_quotes
from research.checks.schema import check_schema
from research.engine.journal import Entry, Journal, give_connection_back
from research.jsontext import JsonObject, digest
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
    evidence: Sequence[JsonObject] = field(default_factory=list)


@dataclass(frozen=True)
class Family:
    """Checks of one kind."""

    name: str
    kind: CheckKind
    check: Callable[[Subject], list[Verdict]]


def _schema(subject: Subject) -> list[Verdict]:
    return check_schema(subject.data, subject.schema)


def _leis(subject: Subject) -> list[Verdict]:
    return check_leis(subject.data, subject.register, today=subject.today)


def _quotes(subject: Subject) -> list[Verdict]:
    return check_quotes(subject.data, subject.evidence, sources_of(subject.root_id))


FAMILIES = [Family("schema", CheckKind.SCHEMA, _schema), Family("leis", CheckKind.LEI, _leis)]
QUOTES = Family("quotes", CheckKind.QUOTE, _quotes)


def verify(journal: Journal, subject: Subject) -> list[Verdict]:
    """The verdicts of all families, in their order. The last answer is held back for the caller's next write."""
    mark = digest([subject.data, list(subject.evidence)])
    families = [*FAMILIES, QUOTES] if subject.evidence else FAMILIES
    return [verdict for family in families for verdict in _verdicts(journal, family, subject, mark)]


def _verdicts(journal: Journal, family: Family, subject: Subject, mark: str) -> list[Verdict]:
    step = _begun(journal, family, mark)
    if step is None:
        step = journal.intend(Entry(StepKind.CHECK, family.name, {"digest": mark[:16]}))[0]
    if step.answer is None:
        give_connection_back()
        verdicts = _checked(family, subject)
        counts = {
            word: sum(one.verdict == word for one in verdicts) for word in ("pass", "warn", "fail", "unknown")
        }
        journal.answer(step, {**counts, "verdicts": [one.as_json() for one in verdicts]}, hold_back=True)
    return [Verdict(**one) for one in (step.answer or {}).get("verdicts", [])]


def _begun(journal: Journal, family: Family, mark: str) -> Step | None:
    """This check of this very document, answered or in flight."""
    for step in journal.live:
        if (
            step.kind == StepKind.CHECK
            and step.name == family.name
            and step.intent.get("digest") == mark[:16]
        ):
            return step
    return None


def _checked(family: Family, subject: Subject) -> list[Verdict]:
    try:
        return family.check(subject)
    except Exception as error:
        log.exception("the check %s failed", family.name)
        message = (
            f"This check failed ({type(error).__name__}), so nothing is known of what it would have found."
        )
        return [Verdict(family.kind, "check-failed", "", family.name, "unknown", message)]
