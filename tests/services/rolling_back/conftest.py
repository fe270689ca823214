from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import Model

from entities.models import (
    Entity,
    EntityEvent,
    EntityResearch,
    NameKey,
    Relationship,
    Representation,
    Statement,
)
from research.models import Decision, VerbCall
from research.services.execution import execute_verbs
from research.verbs.calls import planned_calls
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory

ALLIANZ = "529900K9B0N5BT694847"
AGI = "OJ2TIQSVQND4IZYYK658"
TABLES: tuple[type[Model], ...] = (Entity, Representation, Relationship, EntityResearch)
MOVING = {"updated_at"}


@pytest.fixture
def person():
    return UserFactory(rights=ALL_RIGHTS)


@pytest.fixture
def executed(person) -> Callable[[str], Decision]:
    """A result whose approved verbs are this text, executed by the person."""

    def execute(text: str) -> Decision:
        decision = approve(text, person)
        execute_verbs(decision=decision, actor=person)
        return decision

    return execute


def approve(text: str, person: Any) -> Decision:
    """The approval of a result with this text of verbs."""
    result = ResultFactory(state="approved")
    decision = Decision.objects.create(
        result=result,
        verdict="approved",
        reviewer=person,
        result_digest=result.digest,
        macro=result.run.macro,
        data=result.data,
        digest=result.digest,
        verbs=text,
    )
    for ordinal, call in enumerate(planned_calls(text), start=1):
        VerbCall.objects.create(
            decision=decision,
            ordinal=ordinal,
            verb=call.verb,
            text=call.text,
            arguments=call.arguments,
            binding=call.binding,
        )
    return decision


def memory() -> dict[str, list[dict[str, Any]]]:
    """Every row of entity memory but its timeline, as it stands."""
    rows = {model.__name__: _rows(model) for model in TABLES}
    rows["NameKey"] = sorted(NameKey.objects.values("entity", "key", "own"), key=str)
    return rows


def beliefs() -> list[tuple[Any, ...]]:
    """What is said now, and by whom; not which row says it."""
    skipped = {"id", "recorded_from", "superseded_by", "cut_by", "contradicts"}
    names = [each.attname for each in Statement._meta.concrete_fields if each.name not in skipped]
    return sorted(Statement.objects.filter(recorded_to=None).values_list(*names), key=repr)


def timeline() -> list[dict[str, Any]]:
    return _rows(EntityEvent)


def _rows(model: type[Model]) -> list[dict[str, Any]]:
    rows = model._default_manager.order_by("pk").values()
    return [{name: value for name, value in row.items() if name not in MOVING} for row in rows]
