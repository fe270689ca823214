"""What people may change about how entities are looked at."""

from collections.abc import Mapping

from django.contrib.auth.models import AbstractBaseUser

from entities.gleif.checking import base_policy
from entities.models import LeiPolicy


def set_lei_policy(
    *, values: Mapping[str, str], note: str, actor: AbstractBaseUser | None = None
) -> LeiPolicy:
    """Put a new version of the policy in force; only what differs from the defaults is kept.

    Raises:
        BadPolicy: a name or a value that no policy has.
    """
    base = base_policy()
    usual = base.as_values()
    changed = base.with_values(values).as_values()
    different = {name: value for name, value in changed.items() if usual.get(name) != value}
    return LeiPolicy.objects.create(
        values=different, note=note[:500], created_by_id=actor.pk if actor else None
    )
