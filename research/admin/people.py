"""People and groups in the admin: rights are given by superusers alone.

Django lets whoever may change people make themselves a superuser, set a superuser's password, or change the rights of a
group that they are in: https://docs.djangoproject.com/en/stable/topics/auth/default/#creating-users.
"""

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from research.services.access import Person
from research.services.factors import reset_factors
from research.sign_in.second_step import ask_again, is_fresh, is_on

if TYPE_CHECKING:
    People = UserAdmin[User]
else:
    People = UserAdmin

RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")
admin.site.unregister([User, Group])


@admin.register(User)
class PersonAdmin(People):
    """Whoever may change people enters and closes accounts without rights; the rest takes a superuser."""

    actions = ("take_factors_away",)

    @admin.action(description="Take the second factor away, and log out", permissions=["reset"])
    def take_factors_away(self, request: HttpRequest, queryset: QuerySet[User]) -> HttpResponseBase | None:
        """For people who have lost theirs; whoever does it has shown lately who they are."""
        if not is_fresh(request):
            return ask_again(request)
        actor = cast(Person, request.user)
        for person in queryset:
            reset_factors(person=person, actor=actor, reason="taken away in the admin")
        messages.success(
            request, "They log in with the password alone, until they set up a second factor again."
        )
        return None

    def has_reset_permission(self, request: HttpRequest) -> bool:
        return is_on() and request.user.is_superuser

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        fields = super().get_readonly_fields(request, obj)
        return fields if request.user.is_superuser else (*fields, *RIGHTS)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and _within_reach(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _within_reach(request, obj)


@admin.register(Group)
class RightsAdmin(GroupAdmin):
    """What a group may do, all of its people may do."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return request.user.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return request.user.is_superuser


def _within_reach(request: HttpRequest, person: User | None) -> bool:
    """An account without rights, or one's own: whoever sets a password can act for that person."""
    if person is None or request.user.is_superuser or person.pk == request.user.pk:
        return True
    return not (person.is_superuser or person.is_staff or person.get_all_permissions())
