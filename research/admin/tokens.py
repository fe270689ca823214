"""API tokens as the admin makes them: with an end, unless somebody decides otherwise."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from knox.admin import AuthTokenAdmin
from knox.models import AuthToken

admin.site.unregister(AuthToken)


@admin.register(AuthToken)
class TokenAdmin(AuthTokenAdmin):  # type: ignore[misc]  # knox is untyped
    """Who has a token, since when and until when; to delete one is to revoke it.

    A token is its person: people see, make and revoke their own, superusers those of everybody.
    """

    list_display = ("user", "created", "expiry", "still_good", "digest")
    list_filter = ("created", "expiry")
    raw_id_fields = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuthToken]:
        tokens: QuerySet[AuthToken] = super().get_queryset(request)
        return tokens if request.user.is_superuser else tokens.filter(user=request.user.pk)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if not request.user.is_superuser:
            kwargs["queryset"] = get_user_model().objects.filter(username=request.user.get_username())
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_autocomplete_fields(self, request: HttpRequest) -> tuple[str, ...]:
        return ("user",) if request.user.is_superuser else ()

    def has_change_permission(self, request: HttpRequest, obj: AuthToken | None = None) -> bool:
        return False  # it is made and revoked; who changed whose it is would act for another

    def message_user(self, request: HttpRequest, message: Any, *args: Any, **kwargs: Any) -> None:
        """The token itself comes from knox with a word before it."""
        token = str(message).removeprefix("TOKEN ")
        if token != str(message):
            message = f"The token, shown this once: {token}   It is sent as “Authorization: Bearer …”."
        super().message_user(request, message, *args, **kwargs)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        lifetime = timedelta(days=settings.TOKEN_DAYS)
        return {"expiry": timezone.now() + lifetime} if lifetime else {}

    @admin.display(boolean=True, description="good")
    def still_good(self, token: AuthToken) -> bool:
        return token.expiry is None or token.expiry > timezone.now()
