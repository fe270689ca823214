"""Changes of people, rights and tokens in the audit trail, whoever makes them: the admin, a command, a service.

Django's own admin writes Django's own tables, so these events are listened for; what bypasses the models (a queryset's
``update``, SQL) is not heard.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, Group
from django.db import models
from django.db.models import Q
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_delete, pre_save
from django.http import HttpRequest, HttpResponse
from knox.models import AuthToken

from entities.models import (
    AnomalyAct,
    Entity,
    EntityAct,
    EntityPair,
    RegisterCorrection,
    RegisterSelection,
    ScreeningDecision,
)
from research import audit

_WATCHED = ("username", "password", "is_active", "is_staff", "is_superuser")
_acting: ContextVar[Callable[[], Any] | None] = ContextVar("acting", default=None)


@contextmanager
def acting(who: Callable[[], Any]) -> Iterator[None]:
    """Within the block, changes are recorded as made by this person."""
    before = _acting.set(who)
    try:
        yield
    finally:
        _acting.reset(before)


class RememberWhoActs:
    """Middleware: changes made while a request is answered are those of whoever is logged in by then."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with acting(lambda: getattr(request, "user", None)):
            return self.get_response(request)


def listen() -> None:
    """Connect the listeners; called once, when the app is ready."""
    person = get_user_model()
    pre_save.connect(_before_person, sender=person)
    post_save.connect(_after_person, sender=person)
    post_save.connect(_token_saved, sender=AuthToken)
    post_delete.connect(_token_deleted, sender=AuthToken)
    post_save.connect(_register_chosen, sender=RegisterSelection)
    post_save.connect(_register_corrected, sender=RegisterCorrection)
    post_save.connect(_hit_decided, sender=ScreeningDecision)
    post_save.connect(_entity_acted_on, sender=EntityAct)
    post_save.connect(_anomaly_acted_on, sender=AnomalyAct)
    post_save.connect(_after_group, sender=Group)
    pre_delete.connect(_before_group_goes, sender=Group)
    for owner in (person, Group):
        post_delete.connect(_deleted, sender=owner)
    for rights in (person.groups.through, person.user_permissions.through, Group.permissions.through):
        m2m_changed.connect(_rights_changed, sender=rights)


def _actor() -> AbstractBaseUser | None:
    who = _acting.get()
    person = who() if who else None
    return person if person is not None and person.is_authenticated else None


def _before_person(
    sender: type[models.Model], instance: Any, raw: bool, update_fields: Any, **kwargs: Any
) -> None:
    watched = update_fields is None or set(update_fields) & set(_WATCHED)
    if watched and not raw and not instance._state.adding:
        instance._before = sender._default_manager.filter(pk=instance.pk).values(*_WATCHED).first()


def _after_person(sender: type[models.Model], instance: Any, created: bool, **kwargs: Any) -> None:
    before = instance.__dict__.pop("_before", None)
    now = {name: getattr(instance, name) for name in _WATCHED}
    if created:
        audit.record("person.created", instance, _actor(), **_shown(now))
    elif before and before != now:
        changed = {name: value for name, value in now.items() if value != before[name]}
        audit.record("person.changed", instance, _actor(), **_shown(changed))


def _shown(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: "set" if name == "password" else value for name, value in fields.items()}


def _after_group(sender: type[models.Model], instance: Group, created: bool, **kwargs: Any) -> None:
    members = () if created else instance.user_set.all()
    audit.record(
        f"group.{'created' if created else 'changed'}", instance, _actor(), *members, name=instance.name
    )


def _before_group_goes(sender: type[models.Model], instance: Any, **kwargs: Any) -> None:
    instance._members = list(instance.user_set.all())


def _deleted(sender: type[models.Model], instance: models.Model, **kwargs: Any) -> None:
    kind = "group" if isinstance(instance, Group) else "person"
    members = instance.__dict__.pop("_members", ())
    audit.record(f"{kind}.deleted", instance, _actor(), *members, name=str(instance))


def _token_saved(sender: type[models.Model], instance: AuthToken, created: bool, **kwargs: Any) -> None:
    if created:
        audit.record("token.issued", instance.user, _actor(), token=instance.token_key)


def _token_deleted(sender: type[models.Model], instance: AuthToken, **kwargs: Any) -> None:
    audit.record("token.revoked", instance.user, _actor(), token=instance.token_key)


def _register_chosen(
    sender: type[models.Model], instance: RegisterSelection, created: bool, **kwargs: Any
) -> None:
    if created:
        told = {"entity": str(instance.entity_id), "register": instance.register}
        audit.record("register.chosen", instance, instance.chosen_by, verdict=instance.verdict, **told)


def _register_corrected(
    sender: type[models.Model], instance: RegisterCorrection, created: bool, **kwargs: Any
) -> None:
    if created:
        told = {"selection": str(instance.selection_id), "kind": instance.kind}
        audit.record("register.corrected", instance, instance.corrected_by, **told)


def _hit_decided(
    sender: type[models.Model], instance: ScreeningDecision, created: bool, **kwargs: Any
) -> None:
    if created:
        hit = instance.hit
        told = {"entity": str(hit.entity_id), "hit": str(hit.pk), "verdict": instance.verdict}
        audit.record("screening.decided", instance, instance.actor, hit, **told)


def _entity_acted_on(sender: type[models.Model], instance: EntityAct, created: bool, **kwargs: Any) -> None:
    """Vouch for the act, for what it says of the entities, and for the pairs that were judged with it."""
    if created:
        both = [one for one in (instance.entity_id, instance.other_id) if one]
        pairs = EntityPair.objects.filter(Q(entity__in=both) | Q(other__in=both))
        between = Q(entity__in=both, other__in=both)
        judged = [] if len(both) < 2 else list(pairs.filter(between | ~Q(state=EntityPair.State.OPEN)))
        told = {"entity": str(instance.entity_id), "other": str(instance.other_id or "")}
        rows = [*Entity.objects.filter(pk__in=both), *judged]
        audit.record(f"entity.{instance.kind}", instance, instance.actor, *rows, **told)


def _anomaly_acted_on(sender: type[models.Model], instance: AnomalyAct, created: bool, **kwargs: Any) -> None:
    """What people do; what Dossier finds by itself is vouched for with everything that it found."""
    if created and instance.actor_id:
        anomaly = instance.anomaly
        told = {"entity": str(anomaly.entity_id), "anomaly": str(anomaly.pk)}
        audit.record(f"anomaly.{instance.kind}", instance, instance.actor, anomaly, **told)


def _rights_changed(
    sender: type[models.Model],
    instance: models.Model,
    action: str,
    model: type[models.Model],
    pk_set: set[Any] | None,
    **kwargs: Any,
) -> None:
    """``instance`` got or lost what is named; a person may get groups, and a group may get people."""
    if action == "pre_clear":
        instance.__dict__["_held"] = [row for row in _held(instance) if isinstance(row, model)]
    word = {"post_add": "added", "post_remove": "removed", "post_clear": "cleared"}.get(action)
    if word is None or pk_set == set():
        return
    given = model._default_manager.filter(
        pk__in=pk_set or ()
    ).select_related()  # a permission is named with its model
    named = list(given) or instance.__dict__.pop("_held", [])
    names = sorted(map(str, named))
    audit.record(f"rights.{word}", instance, _actor(), *named, kind=model._meta.model_name, names=names)


def _held(instance: Any) -> list[models.Model]:
    """All that a person or a group has and can lose: groups, people, permissions."""
    names = ("groups", "user_permissions", "user_set", "permissions")
    return [row for name in names if hasattr(instance, name) for row in getattr(instance, name).all()]
