"""What somebody said about an entity, with two times: when it holds in the world, and when Dossier knew it."""

import hashlib
import json

from django.db import models
from django.utils import timezone

from common.salt import new_salt
from entities.models.entity import Entity, RelationshipType, allowed
from entities.ownership.interests import InterestType


class FactProperty(models.TextChoices):
    """What can be said of one entity alone. The ``key`` tells several facts of one property apart."""

    NAME = "name"
    ALIAS = "alias"
    TYPE = "type"
    KIND = "kind"
    SYMBOL = "symbol"
    JURISDICTION = "jurisdiction"
    ADDRESS = "address"
    STATUS = "status"
    REGISTRATION_STATUS = "registration-status"
    LEGAL_FORM = "legal-form"
    CATEGORY = "category"
    BIRTH_DATE = "birth-date"
    NATIONALITY = "nationality"
    IDENTIFIER = "identifier"
    DETAIL = "detail"


class SourceKind(models.TextChoices):
    """Where a statement is from."""

    REGISTER = "register"
    DECISION = "decision"
    DOCUMENT = "document"
    IMPORT = "import"
    PERSON = "person"
    RESEARCH = "research"


class Precision(models.TextChoices):
    """How exactly a date is known. ``unknown``: it held, or did not, on that day; when that changed is not known."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    UNKNOWN = "unknown"


def slot_of(*parts: object) -> str:
    """One current statement for each fact, source and beginning. A digest: names are longer than any index holds."""
    return hashlib.sha256(json.dumps([str(part) for part in parts]).encode()).hexdigest()[:32]


# Of one entity, of two, and how a party holds or controls an entity in the words of BODS 0.4.
PROPERTIES = [*FactProperty.values, *RelationshipType.values, *map(str, InterestType)]


class Statement(models.Model):
    """One thing that one source said about ``subject``. The database refuses every change but one: that it ends.

    Valid time (``valid_from``, ``valid_to``) is when it holds in the world, recorded time (``recorded_from``,
    ``recorded_to``) when Dossier believed it; both are half-open and open where null. ``object`` is the other side of a
    relationship or an interest: ``subject`` is owned by, controlled by, consolidated by ... ``object``. The share is an
    interval in per cent, each end open or closed; an exact one has two equal ends.

    ``superseded_by`` is the statement that ended it; null where it was taken back. ``cut_by`` is the one that cut its
    valid time short, where this is what remains of an older statement. ``contradicts`` is one of another source that
    says something else for the same time. The verb call and the decision are numbers: entities know no research.
    """

    Property = FactProperty
    SourceKind = SourceKind
    Precision = Precision

    # Without a constraint: what was said of an entity outlives the entity, should that be taken back.
    subject = models.ForeignKey(
        Entity, on_delete=models.DO_NOTHING, db_constraint=False, related_name="statements"
    )
    property = models.CharField(max_length=40)
    key = models.CharField(max_length=200, blank=True)
    slot = models.CharField(
        max_length=32, help_text="Digest of what only one current statement may have: see slot_of."
    )
    object = models.ForeignKey(
        Entity,
        null=True,
        blank=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        related_name="stated_in",
        db_index=False,
    )
    value = models.TextField(blank=True)
    data = models.JSONField(default=dict, blank=True)
    share_low = models.DecimalField(max_digits=7, decimal_places=4, null=True, blank=True)
    share_high = models.DecimalField(max_digits=7, decimal_places=4, null=True, blank=True)
    share_low_open = models.BooleanField(default=False)
    share_high_open = models.BooleanField(default=False)
    valid_from = models.DateField(null=True, blank=True)
    valid_to = models.DateField(null=True, blank=True)
    valid_from_precision = models.CharField(
        max_length=7, choices=Precision.choices, default=Precision.UNKNOWN
    )
    valid_to_precision = models.CharField(max_length=7, choices=Precision.choices, default=Precision.UNKNOWN)
    recorded_from = models.DateTimeField(default=timezone.now)
    recorded_to = models.DateTimeField(null=True, blank=True)
    source_kind = models.CharField(max_length=10, choices=SourceKind.choices, blank=True)
    source = models.CharField(max_length=300, blank=True)
    as_of = models.DateField(null=True, blank=True, help_text="The day for which the source speaks.")
    document = models.CharField(
        max_length=2000, blank=True, help_text="An address or a number of the document."
    )
    call = models.BigIntegerField(null=True, blank=True, help_text="The verb call that wrote it.")
    decision = models.BigIntegerField(null=True, blank=True, help_text="The decision that it rests on.")
    signed_by = models.CharField(max_length=150, blank=True)
    confidence = models.PositiveSmallIntegerField(default=100)
    salt = models.CharField(max_length=22, default=new_salt, editable=False)
    superseded_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    cut_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    contradicts = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["subject", "property", "key", "id"]
        indexes = [
            models.Index(
                fields=["object", "property"],
                condition=models.Q(object__isnull=False),
                name="statement_of_object",
            ),
            # What leads to a row is looked for when that is erased.
            *(
                models.Index(fields=[name], condition=models.Q(**{f"{name}__isnull": False}), name=index)
                for name, index in (
                    ("superseded_by", "statement_superseding"),
                    ("cut_by", "statement_cutting"),
                    ("contradicts", "statement_contradicted"),
                )
            ),
            models.Index(fields=["call"], condition=models.Q(call__isnull=False), name="statement_of_call"),
            models.Index(
                fields=["recorded_from"],
                condition=models.Q(contradicts__isnull=False, recorded_to__isnull=True),
                name="statement_contradicting",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["subject", "slot"],
                condition=models.Q(recorded_to__isnull=True),
                name="statement_current",
            ),
            models.CheckConstraint(condition=models.Q(property__in=PROPERTIES), name="statement_property"),
            allowed("source_kind", SourceKind, "statement_source_kind", blank=True),
            allowed("valid_from_precision", Precision, "statement_valid_from_precision"),
            allowed("valid_to_precision", Precision, "statement_valid_to_precision"),
            models.CheckConstraint(
                condition=models.Q(valid_from__isnull=True)
                | models.Q(valid_to__isnull=True)
                | models.Q(valid_to__gte=models.F("valid_from")),
                name="statement_valid_order",
            ),
            models.CheckConstraint(
                condition=models.Q(recorded_to__isnull=True)
                | models.Q(recorded_to__gte=models.F("recorded_from")),
                name="statement_recorded_order",
            ),
            models.CheckConstraint(
                condition=models.Q(superseded_by__isnull=True) | models.Q(recorded_to__isnull=False),
                name="statement_superseded_has_ended",
            ),
            models.CheckConstraint(
                condition=models.Q(share_low__isnull=True, share_high__isnull=True)
                | models.Q(share_low__gte=0, share_high__gte=models.F("share_low"), share_high__lte=100),
                name="statement_share",
            ),
            models.CheckConstraint(
                condition=models.Q(object__isnull=True) | ~models.Q(object=models.F("subject")),
                name="statement_not_to_itself",
            ),
            models.CheckConstraint(condition=models.Q(confidence__lte=100), name="statement_confidence"),
        ]

    def __str__(self) -> str:
        return f"{self.property} {self.value}"[:100].strip()
