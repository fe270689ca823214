"""What guards the log-in: the second factor, and a provider of single sign-on."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import DatabaseError
from django.db.models import Exists, OuterRef

from common.text import counted
from research.doctor.findings import Examination, Finding
from research.jsontext import JsonObject
from research.models import Factor

ROOM = "Settings"
SEE = "See docs/tasks/require-a-second-factor.md."


def examinations() -> list[Examination]:
    return [
        Examination(ROOM, "Second factor", second_factor),
        Examination(ROOM, "Groups of single sign-on", groups),
        Examination(ROOM, "Single sign-on", single_sign_on, outside=True, limit=12.0),
    ]


def second_factor() -> Finding:
    """Who has none, and whether security keys can work at the address that people use."""
    mode = settings.DOSSIER_SECOND_FACTOR
    if mode == "off":
        return Finding("skipped", "Not set up: a password opens the door.")
    own = Factor.objects.filter(user=OuterRef("pk")).exclude(kind=Factor.Kind.CODES)
    try:
        people = get_user_model().objects.filter(is_active=True, is_staff=True)
        bare = people.exclude(Exists(own))
        total, without, masters = people.count(), bare.count(), bare.filter(is_superuser=True).count()
    except DatabaseError:
        return Finding("skipped", "The database cannot be asked.")
    told = f"{mode.capitalize()}; {total - without} of {counted(total, 'account')} have one."
    parts = urlsplit(settings.DOSSIER_URL)
    if parts.scheme != "https" and parts.hostname != "localhost":
        return Finding(
            "warning", f"{told} Security keys work over https only.", "Set DOSSIER_URL to an https address."
        )
    if masters:
        todo = "They set it up under Second factor, at the top of every page."
        return Finding("warning", f"{told} {counted(masters, 'superuser')} without one.", todo)
    return Finding("ok", told)


def groups() -> Finding:
    """Whether the groups that the provider's stand for are there."""
    wanted = set(settings.DOSSIER_OIDC_GROUPS.values())
    if not settings.DOSSIER_OIDC_ISSUER or not wanted:
        return Finding("skipped", "None are mapped: rights are given here.")
    try:
        missing = wanted - set(Group.objects.filter(name__in=wanted).values_list("name", flat=True))
    except DatabaseError:
        return Finding("skipped", "The database cannot be asked.")
    if missing:
        named = ", ".join(sorted(missing))
        return Finding(
            "broken",
            f"DOSSIER_OIDC_GROUPS names what is not there: {named}.",
            "Make them in the admin.",
        )
    return Finding("ok", f"{counted(len(wanted), 'group')}, all there.")


def single_sign_on() -> Finding:
    """Whether the provider describes itself as it should, and has keys that tokens can be checked with."""
    if not settings.DOSSIER_OIDC_ISSUER and not settings.DOSSIER_OIDC_CLIENT_ID:
        return Finding("skipped", "Not set up.")
    if not settings.DOSSIER_OIDC_ISSUER or not settings.DOSSIER_OIDC_CLIENT_ID:
        todo = f"It takes DOSSIER_OIDC_ISSUER and DOSSIER_OIDC_CLIENT_ID. {SEE}"
        return Finding("broken", "Only half of it is set, so nobody can log in that way.", todo)
    from research.sign_in import oidc

    try:
        found = oidc.published(anew=True)
        keys = oidc.keys_of(found, anew=True)
    except oidc.ProviderTrouble as trouble:
        todo = f"Compare DOSSIER_OIDC_ISSUER with what the provider calls its issuer. {SEE}"
        return Finding("broken", f"{trouble.message[:-1]}: {settings.DOSSIER_OIDC_ISSUER}.", todo)
    return _can_be_used(
        found.document, [key for key in keys.values() if key.algorithm_name in oidc.ALGORITHMS]
    )


def _can_be_used(document: JsonObject, usable: Sequence[object]) -> Finding:
    if not usable:
        return Finding("broken", "The provider publishes no key that tokens can be checked with.", SEE)
    if "code" not in (document.get("response_types_supported") or ["code"]):
        return Finding("broken", "The provider does not offer the code flow.", SEE)
    if not settings.DOSSIER_OIDC_CLIENT_SECRET:
        todo = "Set DOSSIER_OIDC_CLIENT_SECRET_FILE, unless the client is a public one."
        return Finding("warning", "The provider answers; no client secret is set.", todo)
    told = f"{settings.DOSSIER_OIDC_ISSUER} answers as it should, with {counted(len(usable), 'key')}."
    return Finding("ok", told)
