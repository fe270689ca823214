"""The one way in which Dossier verifies LEIs, whoever asks: REST, the command line, a tool, a research check."""

from collections.abc import Sequence
from datetime import date

from django.conf import settings
from django.utils import timezone

from entities.gleif.claims import Claim
from entities.gleif.policy import Policy, read_policy
from entities.gleif.register import open_register
from entities.gleif.verification import LeiReport, Records, verify
from entities.models import LeiPolicy


def check_claims(
    claims: Sequence[Claim],
    *,
    register: Records | None = None,
    today: date | None = None,
    policy: Policy | None = None,
) -> list[LeiReport]:
    """One report per claim, by the register and the policy of this installation unless others are given."""
    return verify(
        claims,
        register or open_register(settings.DOSSIER_REGISTER),
        today=today or timezone.localdate(),
        policy=policy or current_policy(),
    )


def current_policy() -> Policy:
    """The defaults, then what ``DOSSIER_LEI_POLICY`` changes, then what the newest version in the admin changes.

    Raises BadPolicy for a setting that cannot be read.
    """
    newest = LeiPolicy.objects.values_list("values", flat=True).first()
    return base_policy().with_values(newest or {})


def base_policy() -> Policy:
    """The policy without what was entered in the admin."""
    return read_policy(settings.DOSSIER_LEI_POLICY)
