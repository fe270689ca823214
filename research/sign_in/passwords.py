"""Passwords: logging in by the admin's page, or by HTTP Basic for a token; and changing one's own."""

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm, AdminPasswordChangeForm
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordChangeView
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


class ChangeForm(AdminPasswordChangeForm):
    """Counts wrong old passwords as wrong log-ins of the account: a session that is left open is no place to guess."""

    def __init__(self, *args: Any, request: HttpRequest, **more: Any) -> None:
        super().__init__(*args, **more)
        self.request = request

    def clean_old_password(self) -> str:
        name = self.user.get_username()
        address, device = _where(self.request, name)
        if until := knock(name=name, address=address, device=device):
            raise ValidationError(sentence(until))
        old = str(super().clean_old_password())
        welcome(name=name, address=address, device=device)
        return old


class ChangePassword(PasswordChangeView):
    """Django's, behind the count of failed attempts."""

    form_class = ChangeForm

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}


def _where(request: HttpRequest | None, name: str) -> tuple[str, str]:
    return (address_of(request), device_of(request, name)) if request is not None else ("", "")
