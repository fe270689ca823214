"""What entities can be, and how long findings about them stay true."""

from django.db import models

MINUTE, HOUR, DAY = 60, 3600, 86_400
SHORTEST, LONGEST = 5 * MINUTE, 90 * DAY


class ShippedType(models.TextChoices):
    """The types that come with Dossier; a person may add others in the admin."""

    LEGAL_ENTITY = "legal-entity"
    FUND = "fund"
    BRANCH = "branch"
    PERSON = "person"
    CLIENT_GROUP = "client-group"
    COURT = "court"
    AUTHORITY = "authority"
    CRYPTO_TOKEN = "crypto-token"
    MACRO_ASSET = "macro-asset"
    PROTOCOL = "protocol"
    CONCEPT = "concept"
    MEME = "meme"


class EntityType(models.Model):
    """A type of entity: its word is what entities carry. Prices age in minutes, registers in weeks."""

    word = models.SlugField(max_length=40, primary_key=True)
    label = models.CharField(max_length=60)
    ttl = models.PositiveIntegerField(
        default=30 * MINUTE, help_text="Seconds that findings live unless whoever stores them says otherwise."
    )
    longest_ttl = models.PositiveIntegerField(
        default=DAY, help_text="Seconds that findings live at most, 5 minutes to 90 days."
    )
    offered = models.BooleanField(default=True, help_text="New entities may have this type.")

    class Meta:
        ordering = ["word"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(word=""), name="entitytype_word"),
            models.CheckConstraint(
                condition=models.Q(
                    ttl__gte=SHORTEST, ttl__lte=models.F("longest_ttl"), longest_ttl__lte=LONGEST
                ),
                name="entitytype_ttl",
                violation_error_message="Findings live from 5 minutes to 90 days, and never longer than at most.",
            ),
        ]

    def __str__(self) -> str:
        return self.label
