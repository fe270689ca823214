"""Whom a provider of single sign-on means, and the groups it says they are in."""

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from research import audit
from research.errors import NotPermitted
from research.models import Identity

TRIES = 5  # each time somebody was first; more than this at one moment are no accident


def person_at(
    *,
    issuer: str,
    subject: str,
    groups: tuple[str, ...],
    username: str = "",
    email: str = "",
    first_name: str = "",
    last_name: str = "",
) -> User:
    """The person behind a verified token: known, else of the same verified address, else new where that is allowed.

    ``email`` is one that the provider has verified. Where groups are mapped, they are what the provider says, at every
    log-in, and who is in none of them does not get in. Of two log-ins that make the same person at the same moment one
    is first, and the other finds them made. Raises NotPermitted.
    """
    names = {settings.DOSSIER_OIDC_GROUPS[name] for name in groups if name in settings.DOSSIER_OIDC_GROUPS}
    granted = list(Group.objects.filter(name__in=names))
    if settings.DOSSIER_OIDC_GROUPS and not granted:
        raise NotPermitted(_("You are logged in there, but none of your groups opens Dossier."))
    named = {"email": email, "first_name": first_name[:150], "last_name": last_name[:150]}
    tried = 0
    while True:
        try:
            with transaction.atomic():
                person = _linked(issuer, subject, username or email or subject, named, staff=bool(granted))
                _bring_up_to_date(person, granted)
                audit.record("person.came_by_single_sign_on", person, person, issuer=issuer, name=subject)
            return person
        except (
            IntegrityError
        ):  # another log-in has made the person, or taken the name: its rows are there now
            tried += 1
            if tried == TRIES:
                raise


def _linked(issuer: str, subject: str, wanted: str, named: dict[str, str], *, staff: bool) -> User:
    """The person whom the provider means, with the identity that says so."""
    now = timezone.now()
    known = Identity.objects.filter(issuer=issuer, subject=subject).select_related("user").first()
    person = known.user if known else _of_address(issuer, named["email"])
    if person is None and not settings.DOSSIER_OIDC_CREATE:
        raise NotPermitted(_("You are logged in there, but nobody here has your account."))
    if person is None:
        person = User(username=_free_name(wanted), is_staff=staff, **named)
        person.set_unusable_password()
        person.save()
    if not person.is_active:
        raise NotPermitted(_("Your account here is closed."))
    if known is None:
        Identity.objects.create(user=person, issuer=issuer, subject=subject, created_at=now, used_at=now)
        audit.record("identity.linked", person, person, issuer=issuer, name=subject)
    else:
        Identity.objects.filter(pk=known.pk).update(used_at=now)
    return person


def _of_address(issuer: str, email: str) -> User | None:
    """The only active person of this address, whom the provider does not know under another name yet."""
    found = list(User.objects.filter(email__iexact=email, is_active=True)[:2]) if email else []
    taken = len(found) == 1 and Identity.objects.filter(user=found[0], issuer=issuer).exists()
    return found[0] if len(found) == 1 and not taken else None


def _free_name(wanted: str) -> str:
    """A name that nobody has: a name alone takes no account over."""
    plain = "".join(char for char in wanted if char.isalnum() or char in "@.+-_")[:140] or "person"
    name, number = plain, 1
    while User.objects.filter(username__iexact=name).exists():
        number += 1
        name = f"{plain}-{number}"
    return name


def _bring_up_to_date(person: User, granted: list[Group]) -> None:
    """Of the groups that are mapped, those that the provider named; others are none of its business."""
    mapped = set(settings.DOSSIER_OIDC_GROUPS.values())
    if not mapped:
        return
    now_in = set(person.groups.filter(name__in=mapped))
    if lost := now_in - set(granted):
        person.groups.remove(*lost)
    if new := set(granted) - now_in:
        person.groups.add(*new)
    if not person.is_staff:
        person.is_staff = True
        person.save(update_fields=["is_staff"])
