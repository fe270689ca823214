from django.db import models


class Lockout(models.Model):
    """Failed attempts to get in, by what they have in common; ``until`` while it is shut."""

    class Scope(models.TextChoices):
        """What is counted, and shut when it is too much."""

        ACCOUNT = "account", "account, from anywhere"
        ADDRESS = "address", "address, whatever the account"
        CODE = "code", "account, codes of the second factor"
        DEVICE = "device", "account, in a browser that is known"
        PAIR = "pair", "account, from one address"
        TOKEN = "token", "address, tokens"

    scope = models.CharField(max_length=10, choices=Scope)
    key = models.CharField(
        max_length=250, help_text="The name that was typed, in small letters, or the address, or both."
    )
    failures = models.PositiveIntegerField(default=0)
    since = models.DateTimeField(help_text="When the first of them was.")
    until = models.DateTimeField(null=True, blank=True, help_text="Until when nobody gets in this way.")

    class Meta:
        ordering = ["-since", "-id"]
        constraints = [models.UniqueConstraint(fields=["scope", "key"], name="lockout_key")]
        permissions = [("end_lockout", "Can end a lock-out")]

    def __str__(self) -> str:
        return f"{self.scope} {self.key}"
