"""What REST accepts. A field that is not known is refused by name, so that no wish is lost to a typing error."""

from typing import Any

from rest_framework import serializers

from research.api.faults import Choice, unknown_name
from research.engine.entity.lookup import MAX_IDENTIFIER
from research.jsontext import JsonObject
from research.memo.labels import LANGUAGES
from research.models.memo import Memo
from research.models.states import Autonomy, Depth
from research.services.enrichment import MAX_SUMMARY
from research.services.spending import BY

REGISTERS = ("auto", "gleif", "demo")


class Body(serializers.Serializer[Any]):
    """The base of every request body."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = set(data) - set(self.fields) if isinstance(data, dict) else set()
        if unknown:
            fault = unknown_name(list(self.fields))
            raise serializers.ValidationError({str(name)[:80]: fault for name in sorted(unknown)})
        return super().to_internal_value(data)


class EmptyBody(Body):
    """A POST that needs no words."""


class RunRequest(Body):
    """Start a run."""

    macro = serializers.CharField(max_length=100)
    params = serializers.DictField(default=dict)
    session = serializers.UUIDField(required=False, allow_null=True)
    autonomy = Choice(Autonomy.choices, default=Autonomy.BALANCED.value)
    depth = Choice(Depth.choices, default=Depth.STANDARD.value)
    budget_usd = serializers.DecimalField(
        max_digits=10, decimal_places=4, min_value=0, required=False, allow_null=True
    )
    register = Choice(REGISTERS, required=False)


class EnrichRequest(Body):
    """Bring what memory knows of entities up to date; ``max_age`` is in seconds."""

    identifiers = serializers.ListField(child=serializers.CharField(max_length=MAX_IDENTIFIER), default=list)
    summaries = serializers.ListField(child=serializers.CharField(max_length=MAX_SUMMARY), default=list)
    max_age = serializers.IntegerField(required=False, allow_null=True)
    depth = Choice(Depth.choices, default=Depth.STANDARD.value)
    budget_usd = serializers.DecimalField(
        max_digits=10, decimal_places=4, min_value=0, required=False, allow_null=True
    )
    register = Choice(REGISTERS, required=False)


class ConfirmRequest(Body):
    """Let a run that waits go on; ``params`` replaces all of its parameters, ``budget_usd`` its budget.

    ``answer`` is what the run's checkpoint offers under ``edit``, changed as wanted; ``phase`` is the checkpoint that
    was seen: if the run waits for something else by now, nothing is confirmed.
    """

    params = serializers.DictField(required=False)
    answer = serializers.DictField(required=False)
    phase = serializers.CharField(max_length=30, required=False)
    budget_usd = serializers.DecimalField(max_digits=10, decimal_places=4, min_value=0, required=False)


class Operation(Body):
    """One operation of a JSON Patch (RFC 6902)."""

    op = Choice(["add", "replace", "remove", "move", "copy", "test"])
    path = serializers.CharField(allow_blank=True, trim_whitespace=False)
    value = serializers.JSONField(required=False, allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            **super().get_fields(),
            "from": serializers.CharField(required=False, allow_blank=True, trim_whitespace=False),
        }


class Digested(Body):
    """A decision names the digest of the result it decides about."""

    digest = serializers.CharField(max_length=64)


class ApproveRequest(Digested):
    """Approve, with edits or without; ``note`` is required when checks failed.

    ``shown`` are the places of the approved data that the person has seen, as JSON Pointers: ``""`` is all of it. What
    is not among them and has a failed or an unknown check has to be named in the ``note``.
    """

    shown = serializers.ListField(
        child=serializers.CharField(max_length=2_000, allow_blank=True, trim_whitespace=False),
        default=list,
        max_length=10_000,
    )
    edits = Operation(many=True, default=list)
    note = serializers.CharField(default="", allow_blank=True)
    execute = serializers.BooleanField(default=False)


class RejectRequest(Digested):
    """Turn a result down."""

    reason = serializers.CharField(allow_blank=True)


class RollbackRequest(Body):
    """Take back what was executed. With ``dry_run`` nothing is, and no reason is needed.

    ``digest`` is that of a plan that was looked at: if it has become another, nothing is taken back.
    """

    reason = serializers.CharField(default="", allow_blank=True)
    digest = serializers.CharField(max_length=64, default="", allow_blank=True)
    dry_run = serializers.BooleanField(default=False)


class RerunRequest(Digested):
    """Ask for changes."""

    feedback = serializers.CharField(allow_blank=True)


class SessionRequest(Body):
    """Open a session."""

    title = serializers.CharField(max_length=200, default="", allow_blank=True)


class MemoRequest(Body):
    """How the memo should be written."""

    style = Choice(  # type: ignore[assignment]  # hides an attribute that we do not use
        Memo.Style.choices,
        default="",
        allow_blank=True,
        help_text="Empty is the style that the run asked for.",
    )
    format = Choice(Memo.Format.choices, default="", allow_blank=True)
    language = Choice(LANGUAGES, default="en")
    template = serializers.CharField(max_length=60, default="", allow_blank=True)


class WatchRequest(Body):
    """What is to be different about keeping an answer fresh; what is left out stays."""

    every_days = serializers.IntegerField(required=False)
    importance = serializers.IntegerField(required=False)
    budget_usd = serializers.DecimalField(max_digits=10, decimal_places=4, min_value=0, required=False)
    paused = serializers.BooleanField(required=False)


class SpendingRequest(Body):
    """Which days, both included, and what the sums are of. Without days: the last thirty."""

    to = serializers.DateField(required=False)
    by = Choice(BY, default="day")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {"from": serializers.DateField(required=False), **super().get_fields()}


class WebhookRequest(Body):
    """Where to send what happens. Without ``events`` it is all of them."""

    url = serializers.CharField(max_length=2000)
    events = serializers.ListField(child=serializers.CharField(max_length=60), default=list)
    description = serializers.CharField(max_length=200, default="", allow_blank=True)
    active = serializers.BooleanField(default=True)


class WebhookChange(Body):
    """What is to be different; what is left out stays."""

    url = serializers.CharField(max_length=2000, required=False)
    events = serializers.ListField(child=serializers.CharField(max_length=60), required=False)
    description = serializers.CharField(max_length=200, required=False, allow_blank=True)
    active = serializers.BooleanField(required=False)


def read(body: type[Body], data: Any) -> JsonObject:
    """The validated body. Raises ValidationError."""
    serializer = body(data=data)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)
