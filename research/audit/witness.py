"""Which rows events vouch for, and what of each: a fingerprint of the row as it stood when the event was recorded.

Whoever changes such a row past the services leaves one that no event vouches for. What is of no weight (a sign of life,
the time of a log-in) is no part of it. Rows are named by kind and key, such as ``decision:7``.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db.models import Model, Q, QuerySet

from entities.models import (
    Anomaly,
    AnomalyAct,
    Entity,
    EntityAct,
    EntityPair,
    ErasedRow,
    Erasure,
    ImportedFact,
    RegisterCorrection,
    RegisterSelection,
    ScreeningDecision,
    ScreeningHit,
    Statement,
)
from research.jsontext import Json, JsonObject, canonical_json, digest
from research.models import (
    AuditEvent,
    Decision,
    Macro,
    Memo,
    MemoTemplate,
    ResearchResult,
    Rollback,
    VerbCall,
    VerbEffect,
)

ACTS = ("entityact", "anomalyact", "screeningdecision", "registerselection", "registercorrection")
FINAL = (
    "decision",
    "rollback",
    "erasure",
    *ACTS,
)  # rows that never change: every event about one says the same of it
MEMORY = (
    *ACTS,
    *(
        "erasure",
        "auditevent",
        "statement",
        "statementend",
        "importedfact",
        "entity",
        "entitypair",
        "anomaly",
        "screeninghit",
    ),
)
MANY = ("statement", "statementend", "importedfact")  # final too, and too many to remember: see ``many``
GONE = ""  # stands for a row that was removed as it should be
CHUNK = 500  # rows read at once
EFFECT = ("table", "row", "how", "entity", "what", "old", "new")


EVERY = Q()


@dataclass(frozen=True)
class Kind:
    """Rows of a model, and the fields of them that count."""

    model: type[Model]
    fields: tuple[str, ...]
    standing: Q = EVERY  # which rows there are events about; as long as nobody has decided, there is none

    def read(self, keys: Sequence[Any]) -> dict[str, JsonObject]:
        """What stands in the database now, by key; rows that are not there are left out."""
        rows = self.rows().filter(pk__in=keys).values("pk", *self.fields)
        return {str(row.pop("pk")): {field: _plain(value) for field, value in row.items()} for row in rows}

    def rows(self) -> QuerySet[Model]:
        """The rows of the kind, in no order: that of statements leaves out those whose entity was taken back."""
        return self.model._default_manager.filter(self.standing).order_by()


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


class Erasures(Kind):
    """Erasures with the rows that they let go: of so many, a digest."""

    def read(self, keys: Sequence[Any]) -> dict[str, JsonObject]:
        found = super().read(keys)
        for key in found:
            rows = (
                ErasedRow.objects.filter(erasure=UUID(key))
                .order_by("pk")
                .values_list("table", "row", "deleted")
            )
            named = hashlib.sha256()
            for row in rows.iterator():
                named.update(canonical_json(list(row)).encode())
            found[key]["rows"] = named.hexdigest()
        return found


class Redacted(Kind):
    """Rows that only an erasure speaks of."""

    def rows(self) -> QuerySet[Model]:
        named = ErasedRow.objects.filter(table=self.model._meta.db_table, deleted=False)
        return super().rows().filter(pk__in=list(named.values_list("row", flat=True)))


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
ENDED = ("recorded_to", "superseded_by_id")


def _all_of(model: type[Model]) -> tuple[str, ...]:
    return tuple(field.attname for field in model._meta.concrete_fields if not field.primary_key)


STATED = tuple(field for field in _all_of(Statement) if field not in ENDED)
KINDS: dict[str, Kind] = {
    "researchresult": Results(ResearchResult, RESULT),
    "decision": Kind(Decision, DECISION),
    "verbcall": Calls(VerbCall, CALL),
    "rollback": Kind(Rollback, ("decision_id", "actor_id", "reason", "at", "counts", "steps")),
    "memo": Kind(Memo, ("result_id", "decision_id", "style", "format", "language", "digest", "body")),
    "memotemplate": Kind(MemoTemplate, ("name", "version", "language", "values", "digest", "note")),
    "macro": Kind(Macro, ("name", "version", "status", "text", "digest", "origin")),
    "statement": Kind(Statement, STATED),
    "statementend": Kind(Statement, (*ENDED, "salt"), Q(recorded_to__isnull=False)),
    "entityact": Kind(EntityAct, _all_of(EntityAct)),
    "anomalyact": Kind(AnomalyAct, _all_of(AnomalyAct)),
    "screeningdecision": Kind(ScreeningDecision, _all_of(ScreeningDecision)),
    "registerselection": Kind(RegisterSelection, _all_of(RegisterSelection)),
    "registercorrection": Kind(RegisterCorrection, _all_of(RegisterCorrection)),
    "importedfact": Kind(ImportedFact, _all_of(ImportedFact)),
    "entity": Kind(
        Entity,
        ("verified", "verified_by", "verified_at", "merged_into_id"),
        Q(verified=True) | Q(merged_into__isnull=False),
    ),
    "entitypair": Kind(
        EntityPair, ("entity_id", "other_id", "state", "judged_by_id", "judged_at"), ~Q(state="open")
    ),
    "anomaly": Kind(Anomaly, ("entity_id", "kind", "matter", "digest", "state"), ~Q(state="open")),
    "screeninghit": Kind(ScreeningHit, ("entity_id", "source", "key", "state"), ~Q(state="open")),
    "erasure": Erasures(Erasure, _all_of(Erasure)),
    "auditevent": Redacted(AuditEvent, _all_of(AuditEvent)),
    "group": Holders(Group, ("name",)),
    "user": Holders(get_user_model(), ("username", "password", "is_active", "is_staff", "is_superuser")),
}


def erased(kind: str, key: object, *, deleted: bool) -> bool:
    """Whether an erasure says that it deleted the row, or took words out of it."""
    table = KINDS[kind].model._meta.db_table
    return ErasedRow.objects.filter(table=table, row=str(key).replace("-", ""), deleted=deleted).exists()


def erased_among(kind: str, keys: Collection[str]) -> set[str]:
    """Those of the rows with these keys (numbers) that an erasure deleted."""
    rows = ErasedRow.objects.filter(table=KINDS[kind].model._meta.db_table, row__in=keys, deleted=True)
    return set(rows.values_list("row", flat=True))


def name_of(kind: str, key: object) -> str:
    """What people call the row."""
    if kind == "statementend":
        return f"The end of statement {key}"
    return f"{KINDS[kind].model._meta.verbose_name} {key}".capitalize()


def kind_of(row: Model) -> str:
    """The kind of a row, as events name it."""
    return row._meta.model_name or ""


def fingerprints(rows: Iterable[Model]) -> dict[str, str]:
    """Rows of the kinds above as they stand in the database now; other rows are left out."""
    keys: dict[str, list[Any]] = {}
    for row in rows:
        if kind_of(row) in KINDS:
            keys.setdefault(kind_of(row), []).append(row.pk)
    found: dict[str, str] = {}
    for kind, wanted in keys.items():
        found |= fingerprints_of_keys(kind, wanted)
    return found


def fingerprints_of_keys(kind: str, keys: Collection[Any]) -> dict[str, str]:
    """The same of the rows of one kind with these keys; of MANY only those that are there."""
    found = KINDS[kind].read(list(keys))
    said = {f"{kind}:{key}": fingerprint(kind, key, state) for key, state in found.items()}
    gone = {} if kind in MANY else {f"{kind}:{key}": GONE for key in map(str, keys) if key not in found}
    return said | gone


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
    keys = list(KINDS[kind].rows().order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), CHUNK):
        yield from KINDS[kind].read(keys[start : start + CHUNK]).items()


def canonical_row(kind: str, key: str, state: JsonObject) -> str:
    """What is hashed of a row, as text that somebody else can hash."""
    own = {f"its_{name}" if name in ("kind", "key") else name: value for name, value in state.items()}
    return canonical_json({"kind": kind, "key": key, **own})


def _plain(value: Any) -> Json:
    """A field's value as JSON, the same on both databases."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, bytes | memoryview):
        return hashlib.sha256(value).hexdigest()
    if value is None or isinstance(value, str | int | float | bool | list | dict):
        return value
    return str(value)
