"""What counts as pass, warning or failure for an LEI, version after version."""

from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest

from common.admin import Base
from entities.gleif.checking import current_policy
from entities.gleif.policy import Policy
from entities.models import LeiPolicy
from entities.policy_form import PolicyForm
from entities.services.policy import set_lei_policy


class NothingRemoved:
    """Adding only: what was entered stays as it is."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(LeiPolicy)
class LeiPolicyAdmin(NothingRemoved, Base):
    """What counts as pass, warning or failure: a new version is entered, none is ever changed."""

    form = PolicyForm
    list_display = ("created_at", "differs", "note", "created_by")
    search_fields = ("note",)
    list_select_related = ("created_by",)

    def get_fields(self, request: HttpRequest, obj: LeiPolicy | None = None) -> tuple[str, ...]:
        return ("note", "differs", "created_by", "created_at") if obj else tuple(PolicyForm.base_fields)

    def get_readonly_fields(self, request: HttpRequest, obj: LeiPolicy | None = None) -> tuple[str, ...]:
        return ("note", "differs", "created_by", "created_at") if obj else ()

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, str | list[str]]:
        return {**current_policy().as_values()}

    def save_model(self, request: HttpRequest, obj: LeiPolicy, form: Any, change: bool) -> None:
        values = {name: str(form.cleaned_data[name]) for name in Policy().as_values()}
        stored = set_lei_policy(values=values, note=obj.note, actor=cast(AbstractBaseUser, request.user))
        obj.pk = stored.pk

    @admin.display(description="differs from the usual")
    def differs(self, policy: LeiPolicy) -> str:
        return ", ".join(f"{name}={value}" for name, value in policy.values.items()) or "nowhere"
