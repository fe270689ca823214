"""API tokens. Only a hash is stored; the token itself is shown once."""

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from knox.models import AuthToken

from common.transactions import retried
from research.access_log import acting
from research.errors import InvalidTransition


@retried
def issue_token(*, user: AbstractBaseUser) -> tuple[AuthToken, str]:
    """A new token for a person who has just shown who they are. Raises InvalidTransition when they have too many."""
    limit = settings.REST_KNOX["TOKEN_LIMIT_PER_USER"]
    with transaction.atomic():
        good = Q(expiry__isnull=True) | Q(expiry__gt=timezone.now())
        if AuthToken.objects.filter(good, user_id=user.pk).count() >= limit:
            raise InvalidTransition(f"There are {limit} tokens already; revoke one first.")
        with acting(lambda: user):
            row, token = AuthToken.objects.create(user)
    return row, token


@retried
def revoke_token(*, token: AuthToken, actor: AbstractBaseUser) -> None:
    """The token stops working at once."""
    with transaction.atomic(), acting(lambda: actor):
        token.delete()
