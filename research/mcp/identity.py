"""Whose token a request carries: the same tokens as those of the REST API."""

from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.db import close_old_connections
from knox.auth import TokenAuthentication
from mcp.server.auth.provider import AccessToken
from rest_framework.exceptions import AuthenticationFailed

from research.services.access import Person

SCOPE = "research"


class Tokens:
    """The verifier of the protocol's server: None for a token that opens nothing."""

    async def verify_token(self, token: str) -> AccessToken | None:
        return await sync_to_async(read_token, thread_sensitive=False)(token)


def read_token(token: str) -> AccessToken | None:
    """The person behind a token, as ``client_id``; a token that has expired or was revoked opens nothing."""
    close_old_connections()
    try:
        person, _ = TokenAuthentication().authenticate_credentials(token.encode())
    except (AuthenticationFailed, UnicodeError):
        return None
    finally:
        close_old_connections()
    return AccessToken(token=token, client_id=str(person.pk), scopes=[SCOPE])


def person_of(access: AccessToken | None) -> Person | None:
    """The active person, as they are now: rights may have changed since the last call."""
    if access is None:
        return None
    found: Person | None = get_user_model().objects.filter(pk=access.client_id, is_active=True).first()
    return found
