"""Who is locked out after too many failed attempts, and letting them try again."""

from typing import cast

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from research.admin.readonly import ReadOnly
from research.models import Lockout
from research.services.access import END_LOCKOUT, Person
from research.services.lockouts import end_lockout


@admin.register(Lockout)
class LockoutAdmin(ReadOnly):
    """Failed attempts of the last day, by account and by address."""

    actions = ("let_in",)  # type: ignore[assignment]  # other tables have none
    list_display = ("scope", "key", "failures", "since", "until")
    list_filter = ("scope",)
    search_fields = ("key",)

    @admin.action(description="End the lock-out", permissions=["end"])
    def let_in(self, request: HttpRequest, queryset: QuerySet[Lockout]) -> None:
        for lockout in queryset:
            end_lockout(lockout=lockout, actor=cast(Person, request.user))
        messages.success(request, "They can try again.")

    def has_end_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(END_LOCKOUT)
