"""Every state in the house on one page. The docstrings list the allowed transitions; the database checks the words."""

from django.db import models


class MacroStatus(models.TextChoices):
    """draft → active → retired; at most one version of a name is active."""

    DRAFT = "draft"
    ACTIVE = "active"
    RETIRED = "retired"


class RunState(models.TextChoices):
    """queued → running → succeeded | failed | cancelled.

    running → awaiting_confirmation | awaiting_children | waiting → queued; failed | cancelled → queued by a resume.
    """

    QUEUED = "queued"
    RUNNING = "running"
    AWAITING_CONFIRMATION = "awaiting_confirmation"
    AWAITING_CHILDREN = "awaiting_children"
    WAITING = "waiting"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


OPEN_RUN_STATES = (
    RunState.QUEUED,
    RunState.RUNNING,
    RunState.AWAITING_CONFIRMATION,
    RunState.AWAITING_CHILDREN,
    RunState.WAITING,
)


class StepKind(models.TextChoices):
    """What one entry of the journal records."""

    PHASE = "phase"
    MODEL = "model"
    TOOL = "tool"
    CHECK = "check"
    NOTE = "note"


class ResultState(models.TextChoices):
    """pending_review → approved → executed; pending_review → rejected | superseded (changes were asked for).

    pending_review → unchanged: a refresh found what was approved before; → superseded: one that told nothing.
    approved | executed → rolled_back: what its verbs wrote was taken back; they are not executed again.
    """

    PENDING_REVIEW = "pending_review"
    APPROVED = "approved"
    EXECUTED = "executed"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    UNCHANGED = "unchanged"
    ROLLED_BACK = "rolled_back"


class ReviewRequirement(models.TextChoices):
    """What the macro asks for. Whatever it says, no verb is executed without a decision."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    NONE = "none"


class CheckKind(models.TextChoices):
    """What kind of claim was checked."""

    SCHEMA = "schema"
    LEI = "lei"
    OWNERSHIP = "ownership"
    CITATION = "citation"
    QUOTE = "quote"
    CLAIM = "claim"
    SOURCE = "source"
    ORIGIN = "origin"
    LISTED = "listed"


class Verdict(models.TextChoices):
    """The answer of a check; trouble on the way to the authority is ``unknown``, never ``fail``."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"
    UNKNOWN = "unknown"


class DecisionVerdict(models.TextChoices):
    """What a person decided about a result, once."""

    APPROVED = "approved"
    REJECTED = "rejected"
    NEEDS_CHANGES = "needs_changes"


class VerbState(models.TextChoices):
    """pending → running → succeeded | failed; failed → running by a resume; succeeded → rolled_back, recorded.

    pending | failed → skipped when the others are rolled back.
    """

    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    SKIPPED = "skipped"
    ROLLED_BACK = "rolled_back"


class WatchState(models.TextChoices):
    """resting → refreshing (its run is open) → resting | changed; changed → resting by a decision; any ↔ paused."""

    RESTING = "resting"
    REFRESHING = "refreshing"
    CHANGED = "changed"
    PAUSED = "paused"


class DeliveryState(models.TextChoices):
    """queued → delivered | failed, after a day of tries; both → queued when somebody sends it again."""

    QUEUED = "queued"
    DELIVERED = "delivered"
    FAILED = "failed"


class Autonomy(models.TextChoices):
    """How much a run does before it asks: cautious shows its plan and waits for a person."""

    CAUTIOUS = "cautious"
    BALANCED = "balanced"
    AUTONOMOUS = "autonomous"


class Depth(models.TextChoices):
    """How far a run looks; it sets the budget of turns and tool calls."""

    QUICK = "quick"
    STANDARD = "standard"
    DEEP = "deep"


class Trigger(models.TextChoices):
    """Which face of the house started a run."""

    ADMIN = "admin"
    API = "api"
    MCP = "mcp"
    CLI = "cli"
    SCHEDULE = "schedule"


def allowed(field: str, choices: type[models.TextChoices], name: str) -> models.CheckConstraint:
    """The database refuses any word in ``field`` that ``choices`` does not name."""
    return models.CheckConstraint(condition=models.Q(**{f"{field}__in": choices.values}), name=name)
