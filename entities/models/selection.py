import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from common.salt import new_salt
from entities.models.entity import Entity, allowed


class SelectionVerdict(models.TextChoices):
    """What came of a look-up."""

    AUTO_SELECTED = "auto-selected"
    USER_SELECTED = "user-selected"
    USER_CONFIRMED = "user-confirmed"
    AMBIGUOUS = "ambiguous"
    NO_MATCH = "no-match"
    REJECTED = "rejected"


class Chooser(models.TextChoices):
    """Who or what chose."""

    RULE = "rule"
    MODEL = "model"
    PERSON = "person"


class FactKind(models.TextChoices):
    """What an import wrote."""

    REPRESENTATION = "representation"
    RELATIONSHIP = "relationship"
    ENTITY = "entity"
    FIELD = "field"
    EVENT = "event"


class CorrectionKind(models.TextChoices):
    """Why a selection was wrong."""

    WRONG_ENTITY = "wrong-entity"
    WRONG_JURISDICTION = "wrong-jurisdiction"
    STALE_DATA = "stale-data"
    MERGE_REQUIRED = "merge-required"
    UNLINK = "unlink"


CHOSEN = (
    SelectionVerdict.AUTO_SELECTED,
    SelectionVerdict.USER_SELECTED,
    SelectionVerdict.USER_CONFIRMED,
)


class RegisterThreshold(models.Model):
    """From which score on a line of a register may be taken by rule. The row with the empty name is for all others."""

    register = models.CharField(max_length=40, unique=True, blank=True)
    auto = models.DecimalField(max_digits=4, decimal_places=3, help_text="From here on a rule may choose.")
    ambiguous = models.DecimalField(
        max_digits=4, decimal_places=3, help_text="From here on a line is worth a person's look."
    )
    reject = models.DecimalField(max_digits=4, decimal_places=3, help_text="Below it a line is not shown.")
    always_human = models.BooleanField(default=False, help_text="No rule ever chooses.")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["register"]
        constraints = [
            models.CheckConstraint(
                condition=Q(reject__gte=0, ambiguous__gte=F("reject"), auto__gte=F("ambiguous"), auto__lte=1),
                name="threshold_order",
                violation_error_message="It must hold that 0 ≤ reject ≤ ambiguous ≤ auto ≤ 1.",
            )
        ]

    def __str__(self) -> str:
        return self.register or "all other registers"


class RegisterSelection(models.Model):
    """Which line of a register was taken for an entity, among which candidates, by whom and why. Append-only."""

    Verdict = SelectionVerdict

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    entity = models.ForeignKey(Entity, on_delete=models.PROTECT, related_name="register_selections")
    register = models.CharField(max_length=40)
    query = models.JSONField(help_text="{name, jurisdiction, number}")
    candidates = models.JSONField(
        default=list, help_text="[{number, name, score, status, explanation, doubts}]"
    )
    thresholds = models.JSONField(default=dict)
    verdict = models.CharField(max_length=20, choices=SelectionVerdict)
    number = models.CharField(max_length=60, blank=True, help_text="What was chosen.")
    score = models.DecimalField(max_digits=4, decimal_places=3, null=True, blank=True)
    chooser = models.CharField(max_length=10, choices=Chooser)
    chosen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    model = models.CharField(max_length=100, blank=True, help_text="The model that chose, if one did.")
    reason = models.TextField()
    reference = models.CharField(max_length=64, blank=True, help_text="The result or run it came from.")
    url = models.TextField(blank=True)
    as_of = models.CharField(max_length=40, blank=True)
    at = models.DateTimeField(default=timezone.now)
    salt = models.CharField(max_length=22, default=new_salt, editable=False)

    class Meta:
        ordering = ["-at"]
        permissions = [("decide_register", "Can choose and correct what registers say of an entity")]
        indexes = [models.Index(fields=["entity", "register"])]
        constraints = [
            allowed("verdict", SelectionVerdict, "selection_verdict"),
            allowed("chooser", Chooser, "selection_chooser"),
            models.CheckConstraint(
                condition=(Q(verdict__in=[*CHOSEN]) & ~Q(number=""))
                | (~Q(verdict__in=[*CHOSEN]) & Q(number="")),
                name="selection_number_when_chosen",
            ),
            models.CheckConstraint(
                condition=~Q(chooser=Chooser.PERSON) | Q(chosen_by__isnull=False),
                name="selection_person_has_a_name",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.register} {self.number or self.verdict}"


class ImportedFact(models.Model):
    """One thing that an import wrote because of a selection: which row, which field, old and new. Append-only."""

    Kind = FactKind

    selection = models.ForeignKey(RegisterSelection, on_delete=models.PROTECT, related_name="facts")
    ordinal = models.PositiveIntegerField()
    kind = models.CharField(max_length=20, choices=FactKind)
    entity = models.ForeignKey(Entity, on_delete=models.PROTECT, related_name="+")
    row = models.CharField(max_length=40, help_text="The key of the row that was written.")
    field = models.CharField(max_length=60, blank=True)
    old = models.JSONField(null=True, blank=True)
    new = models.JSONField(null=True, blank=True)
    salt = models.CharField(max_length=22, default=new_salt, editable=False)

    class Meta:
        ordering = ["selection", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["selection", "ordinal"], name="fact_ordinal"),
            allowed("kind", FactKind, "fact_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.field or self.row}"


class RegisterCorrection(models.Model):
    """A selection was wrong: what was taken back, what was kept and why, and what was chosen instead. Append-only."""

    Kind = CorrectionKind

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    selection = models.OneToOneField(
        RegisterSelection, on_delete=models.PROTECT, related_name="correction"
    )  # one: what was taken back cannot be taken back again
    kind = models.CharField(max_length=20, choices=CorrectionKind)
    reason = models.TextField()
    replacement = models.ForeignKey(
        RegisterSelection, on_delete=models.PROTECT, null=True, blank=True, related_name="replaces"
    )
    undone = models.JSONField(default=list, help_text="[{fact, action, note}]")
    corrected_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    salt = models.CharField(max_length=22, default=new_salt, editable=False)

    class Meta:
        ordering = ["-at"]
        constraints = [
            allowed("kind", CorrectionKind, "correction_kind"),
            models.CheckConstraint(condition=~Q(reason=""), name="correction_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.selection}"
