"""Logging in with a password: by the admin's page, or by HTTP Basic for a token."""

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest

from research.services.lockouts import address_of, knock, sentence, shut_until, welcome


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
        address = address_of(request) if request is not None else ""
        if knock(name=name, address=address):
            raise PermissionDenied
        person = super().authenticate(request, username=name, password=password)
        if person is not None:
            welcome(name=name, address=address)
        return person


class LogInForm(AdminAuthenticationForm):
    """Says when a lock-out ends."""

    def get_invalid_login_error(self) -> ValidationError:
        address = address_of(self.request) if self.request is not None else ""
        until = shut_until(name=self.cleaned_data.get("username") or "", address=address)
        return ValidationError(sentence(until)) if until else super().get_invalid_login_error()
