"""Official lists, version by version; who of memory is like whom of a list, and what people decided."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from common.salt import new_salt
from entities.models.entity import Entity, allowed
from entities.models.fields import DocumentField


class OfficialList(models.TextChoices):
    """The lists that Dossier can import."""

    OFAC_SDN = "ofac-sdn", "OFAC SDN list"
    OFAC_CONSOLIDATED = "ofac-consolidated", "OFAC consolidated list (not SDN)"
    UN = "un", "UN Security Council list"
    EU = "eu", "EU financial sanctions list"
    UK = "uk", "UK Sanctions List"
    SECO = "seco", "SECO sanctions list"


class ListedKind(models.TextChoices):
    """What an entry of a list is."""

    PERSON = "person"
    ENTITY = "entity"
    VESSEL = "vessel"
    AIRCRAFT = "aircraft"


class ListVersion(models.Model):
    """One file of one list: ``reading`` → ``live`` or ``failed``; ``live`` → ``replaced`` by the next.

    One file of a list is read at a time and one is live. A file that came again unchanged only renews
    ``confirmed_at``. ``counts`` are read, held, added, changed, removed, delisted (told as such by the file itself) and
    left_out; ``left_out`` names the entries that could not be read, which makes the list partial.
    """

    class State(models.TextChoices):
        """``reading`` → ``live`` | ``failed``; ``live`` → ``replaced``."""

        READING = "reading"
        LIVE = "live"
        REPLACED = "replaced"
        FAILED = "failed"

    list_name = models.CharField(max_length=20, choices=OfficialList.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.READING)
    source = models.TextField(help_text="The address or the name of the file.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the file.")
    size = models.BigIntegerField(help_text="Bytes.")
    published = models.DateTimeField(null=True, blank=True, help_text="As the file itself says.")
    counts = models.JSONField(default=dict)
    left_out = models.JSONField(default=list, blank=True)
    error = models.TextField(blank=True)
    owner = models.CharField(max_length=120, blank=True, help_text="Host and process.")
    started_at = models.DateTimeField(default=timezone.now)
    beat_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    confirmed_at = models.DateTimeField(
        null=True, blank=True, help_text="When the publisher was last seen to publish this file."
    )

    class Meta:
        ordering = ["-id"]
        constraints = [
            allowed("list_name", OfficialList, "listversion_list"),
            models.CheckConstraint(
                condition=Q(state__in=["reading", "live", "replaced", "failed"]), name="listversion_state"
            ),
            models.UniqueConstraint(
                fields=["list_name"], condition=Q(state="live"), name="listversion_one_live"
            ),
            models.UniqueConstraint(
                fields=["list_name"], condition=Q(state="reading"), name="listversion_one_reading"
            ),
        ]

    def __str__(self) -> str:
        day = f" of {self.published:%Y-%m-%d}" if self.published else ""
        return f"{self.get_list_name_display()}{day}"


class ListEntry(models.Model):
    """What a list said of one person, company, vessel or aircraft, from one version until another.

    An entry that changes gets a new row; the current one has no ``until``. ``key`` is the publisher's own and stays the
    same. An entry without a current row is delisted, because only complete files go live.
    """

    list_name = models.CharField(max_length=20, choices=OfficialList.choices)
    key = models.CharField(max_length=100)
    digest = models.CharField(max_length=64)
    kind = models.CharField(max_length=10, choices=ListedKind.choices)
    name = models.TextField(help_text="Its first name on the list.")
    content = DocumentField(help_text="entities.screening.records.Entry as JSON.")
    since = models.ForeignKey(ListVersion, on_delete=models.PROTECT, related_name="brought")
    until = models.ForeignKey(
        ListVersion, on_delete=models.PROTECT, null=True, blank=True, related_name="ended"
    )

    class Meta:
        ordering = ["list_name", "key", "id"]
        verbose_name_plural = "list entries"
        constraints = [
            allowed("list_name", OfficialList, "listentry_list"),
            allowed("kind", ListedKind, "listentry_kind"),
            models.UniqueConstraint(
                fields=["list_name", "key"], condition=Q(until__isnull=True), name="listentry_one_current"
            ),
        ]
        indexes = [models.Index(fields=["list_name", "key"], name="listentry_key")]

    def __str__(self) -> str:
        return f"{self.list_name} {self.key} {self.name[:200]}"


class ScreeningPolicy(models.Model):
    """A version of what is looked at and from which score on a likeness is a hit.

    Rows are never changed: the newest is in force, the others are the history.
    """

    values = models.JSONField(default=dict, help_text="What differs from the defaults, name by name.")
    note = models.CharField(max_length=500, help_text="Why it was changed.")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "screening policies"

    def __str__(self) -> str:
        return f"Screening policy {self.pk} of {self.created_at:%Y-%m-%d %H:%M}"


class ScreeningRun(models.Model):
    """One screening, of one entity or of all of memory: which lists were looked at, by which policy, what came of it.

    ``coverage`` is told list by list, as ``entities.screening.coverage`` has it. A run over all of memory that broke
    off goes on after ``position``, the last entity it has done, as long as the lists and the policy are the same.
    """

    class State(models.TextChoices):
        """``running`` → ``done``."""

        RUNNING = "running"
        DONE = "done"

    entity = models.ForeignKey(
        Entity, null=True, blank=True, on_delete=models.CASCADE, related_name="screenings"
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    coverage = models.JSONField(default=list)
    algorithm = models.CharField(max_length=40)
    policy = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    outcome = models.CharField(max_length=10, blank=True, help_text="hits, none or unknown.")
    position = models.CharField(max_length=40, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["running", "done"]), name="screeningrun_state"),
            models.CheckConstraint(
                condition=Q(outcome__in=["", "hits", "none", "unknown"]), name="screeningrun_outcome"
            ),
        ]
        indexes = [models.Index(fields=["entity", "-id"], name="screeningrun_entity")]

    def __str__(self) -> str:
        return f"Screening of {self.entity or 'all of memory'} on {self.started_at:%Y-%m-%d %H:%M}"


class HitState(models.TextChoices):
    """``open`` → ``true-match`` | ``false-positive`` | ``unsure``, by a person; each of them → ``open`` or another of
    them. Back to ``open`` by itself when either side changes.
    """

    OPEN = "open", "open"
    TRUE_MATCH = "true-match", "true match"
    FALSE_POSITIVE = "false-positive", "false positive"
    UNSURE = "unsure", "unsure"


class HitVerdict(models.TextChoices):
    """What a person can say that a hit is."""

    TRUE_MATCH = "true-match", "true match"
    FALSE_POSITIVE = "false-positive", "false positive"
    UNSURE = "unsure", "unsure"


class ScreeningHit(models.Model):
    """An entity that is like an entry of a list. One row for a pair, however often it is found.

    ``fingerprint`` is of the facts of both sides that were compared and of the algorithm: a decision holds for it.
    ``revision`` grows with every change; whoever decides says which one they saw. ``standing`` is false when the entry
    was delisted or is no longer like the entity; what was decided stays.
    """

    State = HitState

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="screening_hits")
    source = models.CharField(max_length=60, help_text="The list, or the match API with its data set.")
    key = models.CharField(max_length=200)
    name = models.TextField(help_text="The first name of the entry.")
    score = models.DecimalField(max_digits=4, decimal_places=1)
    evidence = models.JSONField(default=dict, help_text="entities.screening.scoring.Likeness as JSON.")
    subject = models.JSONField(default=dict, help_text="The entity's facts as they were compared.")
    entry = models.JSONField(default=dict, help_text="The entry's facts as they were compared.")
    subject_digest = models.CharField(max_length=64)
    entry_digest = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    version = models.ForeignKey(
        ListVersion, null=True, blank=True, on_delete=models.PROTECT, related_name="hits"
    )
    state = models.CharField(max_length=20, choices=HitState.choices, default=HitState.OPEN)
    standing = models.BooleanField(default=True)
    note = models.CharField(max_length=300, blank=True, help_text="Why it was reopened, or no longer stands.")
    revision = models.PositiveIntegerField(default=1)
    found_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-score", "found_at"]
        permissions = [
            ("decide_screeninghit", "Can decide what hits of lists are"),
            ("run_screening", "Can screen entities and import lists"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["entity", "source", "key"], name="screeninghit_pair"),
            allowed("state", HitState, "screeninghit_state"),
        ]
        indexes = [
            models.Index(fields=["state", "standing", "-score"], name="screeninghit_queue"),
            models.Index(fields=["source", "key"], name="screeninghit_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.entity} and {self.name[:200]} ({self.source})"


class ScreeningDecision(models.Model):
    """What a person said of a hit, and why, with all that was compared. Append-only.

    ``basis`` is {source, label, published, file_digest, entry_digest, subject_digest, fingerprint, algorithm, policy,
    subject, entry, evidence, score}.
    """

    hit = models.ForeignKey(ScreeningHit, on_delete=models.PROTECT, related_name="decisions")
    revision = models.PositiveIntegerField(help_text="The revision of the hit that was decided.")
    verdict = models.CharField(max_length=20, choices=HitVerdict.choices)
    reason = models.TextField()
    basis = models.JSONField(default=dict)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    salt = models.CharField(max_length=22, default=new_salt, editable=False)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["hit", "revision"], name="screeningdecision_once"),
            allowed("verdict", HitVerdict, "screeningdecision_verdict"),
            models.CheckConstraint(condition=~Q(reason=""), name="screeningdecision_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.verdict} by {self.actor}"
