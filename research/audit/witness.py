"""Which rows events vouch for, and what of each: a fingerprint of the row as it stood when the event was recorded.

Whoever changes such a row past the services leaves one that no event vouches for. What is of no weight (a sign of life,
the time of a log-in) is no part of it. Rows are named by kind and key, such as ``decision:7``.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db.models import Model

from research.jsontext import Json, JsonObject, canonical_json, digest
from research.models import (
    Decision,
    Macro,
    Memo,
    MemoTemplate,
    ResearchResult,
    Rollback,
    VerbCall,
    VerbEffect,
)

FINAL = ("decision", "rollback")  # rows that never change: every event about one says the same of it
GONE = ""  # stands for a row that was removed as it should be
CHUNK = 500  # rows read at once
EFFECT = ("table", "row", "how", "entity", "what", "old", "new")


@dataclass(frozen=True)
class Kind:
    """Rows of a model, and the fields of them that count."""

    model: type[Model]
    fields: tuple[str, ...]

    def read(self, keys: Sequence[Any]) -> dict[str, JsonObject]:
        """What stands in the database now, by key; rows that are not there are left out."""
        rows = self.model._default_manager.filter(pk__in=keys).values("pk", *self.fields)
        return {str(row.pop("pk")): {field: _plain(value) for field, value in row.items()} for row in rows}


class Results(Kind):
    """Results, whose data count by their digest: it is computed anew."""

    def read(self, keys: Sequence[Any]) -> dict[str, JsonObject]:
        return {key: {**row, "data": digest(row["data"])} for key, row in super().read(keys).items()}


class Calls(Kind):
    """Verb calls with the rows of memory that they wrote."""

    def read(self, keys: Sequence[Any]) -> dict[str, JsonObject]:
        calls = super().read(keys)
        effects = VerbEffect.objects.filter(call__in=keys).order_by("call", "pk")
        for call, *effect in effects.values_list("call", *EFFECT):
            calls[str(call)].setdefault("effects", []).append(effect)
        return calls


class Holders(Kind):
    """People or groups with the rights that they were given."""

    def read(self, keys: Sequence[Any]) -> dict[str, JsonObject]:
        found = super().read(keys)
        for row in self.model._default_manager.filter(pk__in=keys):
            rights = getattr(row, "user_permissions", None) or row.permissions  # type: ignore[attr-defined]
            held = found[str(row.pk)]
            held["rights"] = sorted(map(list, rights.values_list("content_type__app_label", "codename")))
            if isinstance(row, get_user_model()):
                held["groups"] = sorted(row.groups.values_list("name", flat=True))
        return found


RESULT = (
    *("run_id", "data", "digest", "schema_valid", "schema_errors", "ungrounded", "register_label"),
    *(
        "search_quality",
        "partial",
        "limitations",
        "evidence",
        "coverage",
        "fidelity",
        "suggested_verbs",
        "state",
    ),
)
DECISION = (
    *("result_id", "verdict", "reviewer_id", "reason", "edits", "data", "result_digest", "digest"),
    *("macro_id", "checks", "displayed", "verbs", "created_at"),
)
CALL = (
    *("decision_id", "ordinal", "verb", "text", "arguments", "binding", "state", "output", "changed"),
    *("recorded", "error", "attempts", "executed_by_id", "started_at", "finished_at"),
)
KINDS: dict[str, Kind] = {
    "researchresult": Results(ResearchResult, RESULT),
    "decision": Kind(Decision, DECISION),
    "verbcall": Calls(VerbCall, CALL),
    "rollback": Kind(Rollback, ("decision_id", "actor_id", "reason", "at", "counts", "steps")),
    "memo": Kind(Memo, ("result_id", "decision_id", "style", "format", "language", "digest", "body")),
    "memotemplate": Kind(MemoTemplate, ("name", "version", "language", "values", "digest", "note")),
    "macro": Kind(Macro, ("name", "version", "status", "text", "digest", "origin")),
    "group": Holders(Group, ("name",)),
    "user": Holders(get_user_model(), ("username", "password", "is_active", "is_staff", "is_superuser")),
}


def kind_of(row: Model) -> str:
    """The kind of a row, as events name it."""
    return row._meta.model_name or ""


def fingerprints(rows: Iterable[Model]) -> dict[str, str]:
    """Rows of the kinds above as they stand in the database now; other rows are left out."""
    keys: dict[str, list[Any]] = {}
    for row in rows:
        if kind_of(row) in KINDS:
            keys.setdefault(kind_of(row), []).append(row.pk)
    found = {}
    for kind, wanted in keys.items():
        states = KINDS[kind].read(wanted)
        for key in map(str, wanted):
            found[f"{kind}:{key}"] = fingerprint(kind, key, states[key]) if key in states else GONE
    return found


def fingerprint_of_new(result: ResearchResult) -> dict[str, str]:
    """The same of a result that is about to be stored, whose digest was made from its data a moment ago."""
    state = {field: _plain(getattr(result, field)) for field in RESULT if field != "data"}
    key = str(result.pk)
    return {f"researchresult:{key}": fingerprint("researchresult", key, {**state, "data": result.digest})}


def fingerprint(kind: str, key: str, state: JsonObject) -> str:
    """SHA-256 of what counts in a row."""
    return hashlib.sha256(canonical_row(kind, key, state).encode()).hexdigest()


def stand_now(kind: str) -> Iterator[tuple[str, JsonObject]]:
    """Every row of a kind as it stands now."""
    keys = list(KINDS[kind].model._default_manager.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), CHUNK):
        yield from KINDS[kind].read(keys[start : start + CHUNK]).items()


def canonical_row(kind: str, key: str, state: JsonObject) -> str:
    """What is hashed of a row, as text that somebody else can hash."""
    return canonical_json({"kind": kind, "key": key, **state})


def _plain(value: Any) -> Json:
    """A field's value as JSON, the same on both databases."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, bytes | memoryview):
        return hashlib.sha256(value).hexdigest()
    if value is None or isinstance(value, str | int | float | bool | list | dict):
        return value
    return str(value)
