from django.contrib.auth.models import User
from django.db import models
from django.utils.translation import gettext_lazy as _


class Factor(models.Model):
    """A second thing by which a person shows who they are, beside the password or the provider of single sign-on."""

    class Kind(models.TextChoices):
        """What ``data`` holds: a sealed secret; the public key, as CTAP2 writes it; fingerprints of unused codes."""

        APP = "app", _("Authenticator app")
        KEY = "key", _("Security key")
        CODES = "codes", _("Recovery codes")

    user = models.ForeignKey(User, models.CASCADE, related_name="factors")
    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=60, blank=True)
    data = models.JSONField()
    credential = models.CharField(
        max_length=1400, blank=True, help_text="What a security key calls itself here, in base64url."
    )
    counter = models.BigIntegerField(
        default=0, help_text="The last step of time, or signature, that was taken: none is taken twice."
    )
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["created_at", "id"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["user", "kind"], condition=~models.Q(kind="key"), name="factor_of_a_kind"
            ),
            models.UniqueConstraint(
                fields=["credential"], condition=models.Q(kind="key"), name="factor_credential"
            ),
            models.CheckConstraint(condition=models.Q(kind__in=["app", "key", "codes"]), name="factor_kind"),
        ]

    def __str__(self) -> str:
        return self.name or self.get_kind_display()


class Identity(models.Model):
    """Whom a provider of single sign-on means: its own name for a person never changes, other than their address."""

    user = models.ForeignKey(User, models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=300)
    subject = models.CharField(max_length=255)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField()

    class Meta:
        ordering = ["created_at", "id"]
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["issuer", "subject"], name="identity_once")]

    def __str__(self) -> str:
        return f"{self.subject} at {self.issuer}"
