"""Logging in with a password: by the admin's page, or by HTTP Basic for a token."""

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest

from research.services.lockouts import address_of, knock, sentence, shut_until, welcome
from research.sign_in.devices import device_of


class Passwords(ModelBackend):
    """Django's, behind the count of failed attempts: while it is shut, a right password opens nothing either."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **more: Any,
    ) -> User | None:
        name = username if username is not None else more.get("username")
        if name is None or password is None:
            return None
        address, device = _where(request, name)
        if knock(name=name, address=address, device=device):
            raise PermissionDenied
        person = super().authenticate(request, username=name, password=password)
        if person is not None:
            welcome(name=name, address=address, device=device)
        return person


class LogInForm(AdminAuthenticationForm):
    """Says when a lock-out ends."""

    def get_invalid_login_error(self) -> ValidationError:
        name = self.cleaned_data.get("username") or ""
        address, device = _where(self.request, name)
        until = shut_until(name=name, address=address, device=device)
        return ValidationError(sentence(until)) if until else super().get_invalid_login_error()


def _where(request: HttpRequest | None, name: str) -> tuple[str, str]:
    return (address_of(request), device_of(request, name)) if request is not None else ("", "")
