"""How a request says whose it is: ``Authorization: Bearer TOKEN``, as for agents, or ``Token TOKEN``."""

from typing import Any

from knox.auth import TokenAuthentication
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

WORDS = (b"bearer", b"token")


class ApiToken(TokenAuthentication):  # type: ignore[misc]  # knox is untyped
    """A person's token after either word; another word is somebody else's business."""

    def authenticate(self, request: Request) -> Any:
        word, _, token = get_authorization_header(request).partition(b" ")
        if word.lower() not in WORDS:
            return None
        try:
            return self.authenticate_credentials(token.strip())
        except UnicodeDecodeError:
            raise AuthenticationFailed("Invalid token.") from None

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
