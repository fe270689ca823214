"""Throttling of log-ins and tokens: failed attempts are counted in the database, so all processes count together.

An attempt is counted before the password is looked at: of many at once no more get through than of one after the
other. What was right is taken off again.
"""

import unicodedata
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.http import HttpRequest
from django.utils import timezone

from research import audit
from research.models import Lockout
from research.services.access import END_LOCKOUT, Person, require

ACCOUNT, ADDRESS = Lockout.Scope.ACCOUNT.value, Lockout.Scope.ADDRESS.value


def knock(*, name: str = "", address: str = "", now: datetime | None = None) -> datetime | None:
    """Count an attempt; until when nobody gets in under this name or from this address, None when it may be tried."""
    now = now or timezone.now()
    ends = [_count(scope, key, now) for scope, key in _keys(name, address)]
    return max((end for end in ends if end), default=None)


def shut_until(*, name: str = "", address: str = "", now: datetime | None = None) -> datetime | None:
    """The same without counting."""
    now = now or timezone.now()
    wanted = Q(pk__in=[])
    for scope, key in _keys(name, address):
        wanted |= Q(scope=scope, key=key)
    return (
        Lockout.objects.filter(wanted, until__gt=now)
        .order_by("-until")
        .values_list("until", flat=True)
        .first()
    )


def welcome(*, name: str = "", address: str = "") -> None:
    """An attempt was right: the name begins anew, and the address is given back what was counted."""
    for scope, key in _keys(name, address):
        known = Lockout.objects.filter(scope=scope, key=key, until=None)
        known.filter(failures__gt=0).update(failures=0 if scope == ACCOUNT else F("failures") - 1)


def end_lockout(*, lockout: Lockout, actor: Person) -> None:
    """Let people try again. Raises NotPermitted."""
    require(actor, END_LOCKOUT)
    with transaction.atomic():
        if Lockout.objects.filter(pk=lockout.pk, until__isnull=False).update(until=None, failures=0):
            audit.record("lockout.ended", lockout, actor, scope=lockout.scope, key=lockout.key)


def forget_old(*, now: datetime | None = None) -> int:
    """Remove what no longer counts, so that names that nobody has do not fill the table."""
    now = now or timezone.now()
    old = Lockout.objects.filter(since__lt=now - timedelta(days=1)).exclude(until__gt=now)
    return old.delete()[0]


def sentence(until: datetime, now: datetime | None = None) -> str:
    """What a person who is locked out is told."""
    minutes = max(1, -(-int((until - (now or timezone.now())).total_seconds()) // 60))
    ends = f"{until:%H:%M} UTC, in {minutes} minute{'s' * (minutes != 1)}"
    return f"There were too many failed attempts. You can try again at {ends}; an administrator can end this earlier."


def address_of(request: HttpRequest) -> str:
    """Where a request comes from, as the nearest proxy of ours says; of IPv6 the network of one connection."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    said = hops[-min(settings.PROXIES, len(hops))] if settings.PROXIES and hops else ""
    return network(said or request.META.get("REMOTE_ADDR", ""))


def network(address: str) -> str:
    try:
        found = ip_address(address.strip())
    except ValueError:
        return address[:60]
    if isinstance(found, IPv6Address):
        plain = found.ipv4_mapped
        return str(plain) if plain else f"{IPv6Address(int(found) >> 64 << 64)}/64"
    return str(found)


def _keys(name: str, address: str) -> list[tuple[str, str]]:
    """In one order for all, so that two attempts at once do not wait for each other."""
    account = unicodedata.normalize("NFKC", name).casefold().strip()[:150]
    return [(scope, key) for scope, key in ((ACCOUNT, account), (ADDRESS, address)) if key]


def _count(scope: str, key: str, now: datetime) -> datetime | None:
    most = settings.LOCKOUT_FAILURES * (1 if scope == ACCOUNT else settings.LOCKOUT_ADDRESS_FACTOR)
    if most <= 0:
        return None
    length = timedelta(minutes=settings.LOCKOUT_MINUTES)
    mine = Lockout.objects.filter(scope=scope, key=key)
    with transaction.atomic():
        lockout = mine.select_for_update().first() or _new(scope, key, now)
        if lockout.until and lockout.until > now:
            return lockout.until
        if lockout.until or lockout.since <= now - length:
            mine.update(failures=1, since=now, until=None)
            return None
        if lockout.failures < most:
            mine.update(failures=F("failures") + 1)
            return None
        mine.update(until=now + length)
        audit.record("lockout.began", lockout, None, scope=scope, key=key, until=(now + length).isoformat())
    return now + length


def _new(scope: str, key: str, now: datetime) -> Lockout:
    try:
        with transaction.atomic():
            return Lockout.objects.create(scope=scope, key=key, since=now)
    except IntegrityError:  # somebody else knocked at the same moment
        return Lockout.objects.select_for_update().get(scope=scope, key=key)
