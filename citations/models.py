"""The authorities' indexes, replaced as a whole; what was verified, and where it is cited."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class BgeSeries(models.Model):
    """The start pages of one volume and division of the official collection."""

    volume = models.PositiveSmallIntegerField()
    division = models.CharField(max_length=4)
    starts = models.JSONField()
    window = models.PositiveSmallIntegerField(help_text="pages of the longest decision")

    class Meta:
        ordering = ["volume", "division"]
        verbose_name_plural = "BGE series"
        constraints = [models.UniqueConstraint(fields=["volume", "division"], name="bge_series_once")]

    def __str__(self) -> str:
        return f"BGE {self.volume} {self.division}"


class LawCode(models.Model):
    """A federal or cantonal act with its abbreviations; an abbreviation that it lacks is empty."""

    canton = models.CharField(max_length=2, blank=True)
    number = models.CharField(max_length=60)
    abbr_de = models.CharField(max_length=80, blank=True)
    abbr_fr = models.CharField(max_length=80, blank=True)
    abbr_it = models.CharField(max_length=80, blank=True)
    title = models.TextField(blank=True)

    class Meta:
        ordering = ["canton", "number", "pk"]
        indexes = [models.Index(fields=["canton", "number"], name="law_code_number")]

    def __str__(self) -> str:
        return f"{self.canton or 'SR'} {self.number} {self.abbr_de or self.abbr_fr or self.abbr_it}".strip()


class LawArticle(models.Model):
    """An article of an act by its number in the systematic collection; ``repealed`` ones are still cited."""

    number = models.CharField(max_length=60)
    article = models.CharField(max_length=20, help_text="Digits and small letters: 336c.")
    repealed = models.BooleanField(default=False)

    class Meta:
        ordering = ["number", "pk"]
        constraints = [models.UniqueConstraint(fields=["number", "article"], name="law_article_once")]

    def __str__(self) -> str:
        return f"SR {self.number} Art. {self.article}"


class ListName(models.TextChoices):
    """The lists that are imported."""

    BGE = "bge", "BGE series"
    CODES = "codes", "Law codes"
    ARTICLES = "articles", "Articles of acts"


class AuthorityList(models.Model):
    """One import of a list; the newest of a name is the one in force."""

    name = models.CharField(max_length=10, choices=ListName)
    file = models.CharField(max_length=300)
    digest = models.CharField(max_length=64, help_text="SHA-256 of what was read.")
    rows = models.PositiveIntegerField()
    as_of = models.DateField(
        help_text="The day that the list speaks of; that of the import unless it was given."
    )
    imported_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-imported_at", "-pk"]
        get_latest_by = ["imported_at", "pk"]

    def __str__(self) -> str:
        return f"{self.get_name_display()} of {self.as_of}"


class CitationVerdict(models.TextChoices):
    """How a work stands with its authority; what each means for a check is in ``citations.verify.judgement``."""

    START = "start", "Begins on this page"
    EXISTS = "exists", "Exists"
    INTERIOR = "interior", "Page within a decision"
    NONEXISTENT = "nonexistent", "Does not exist"
    NOT_FOUND_HERE = "not_found_here", "Not found here"
    UNDECIDABLE = "undecidable", "Undecidable"
    UNKNOWN = "unknown", "Unknown"


class Citation(models.Model):
    """A work that is cited, under its canonical form, with the last answer about it and how long that is good.

    ``expires_at`` is null for an answer of a list at hand, which is looked up anew every time.
    """

    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=300, help_text="The canonical form: BGE 142 III 239.")
    verdict = models.CharField(max_length=15, choices=CitationVerdict)
    reason = models.CharField(max_length=40, blank=True)
    message = models.TextField(blank=True)
    authority = models.CharField(max_length=40, blank=True)
    url = models.CharField(max_length=1000, blank=True)
    as_of = models.CharField(max_length=10, blank=True, help_text="The day that the authority's word is of.")
    evidence = models.JSONField(default=dict)
    suggestions = models.JSONField(default=list)
    checked_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["key", "kind"]
        permissions = [("verify_citation", "Can have citations verified again")]
        constraints = [
            models.UniqueConstraint(fields=["kind", "key"], name="citation_once"),
            models.CheckConstraint(
                condition=models.Q(verdict__in=CitationVerdict.values), name="citation_verdict"
            ),
        ]
        indexes = [models.Index(fields=["verdict", "key"], name="citation_by_verdict")]

    def __str__(self) -> str:
        return self.key


class CitationUse(models.Model):
    """Where a work is cited.

    ``label`` says in what (``result``), ``reference`` in which one, ``pointer`` at which place of it (RFC 6901),
    ``start`` and ``end`` where in the text there, in code points.
    """

    citation = models.ForeignKey(Citation, on_delete=models.CASCADE, related_name="uses")
    label = models.CharField(max_length=40)
    reference = models.CharField(max_length=100)
    pointer = models.CharField(max_length=500, blank=True)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    raw = models.CharField(max_length=500)
    pinpoints = models.JSONField(default=list)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["label", "-at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["citation", "label", "reference", "pointer", "start"], name="citation_use_once"
            )
        ]
        indexes = [models.Index(fields=["label", "reference"], name="citation_use_place")]

    def __str__(self) -> str:
        return f"{self.label} {self.reference} {self.pointer}".strip()


class BulkState(models.TextChoices):
    """queued → running → finished; running → running by whoever goes on with one that was left."""

    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"


class BulkVerification(models.Model):
    """Many citations to be verified at the pace that their sources allow; ``done`` counts as it goes."""

    state = models.CharField(max_length=10, choices=BulkState, default=BulkState.QUEUED)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    citations = models.ManyToManyField(Citation, related_name="+")
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=300, blank=True, help_text="The last thing that went wrong.")
    created_at = models.DateTimeField(default=timezone.now)
    alive_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=BulkState.values), name="bulk_verification_state"
            )
        ]

    def __str__(self) -> str:
        return f"{self.done} of {self.total}, {self.state}"


class CitationAllowance(models.Model):
    """How far ahead of their allowance a person is: ``due_at`` is when all they asked for will have been theirs."""

    person = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    due_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"until {self.due_at:%Y-%m-%d %H:%M:%S}"
