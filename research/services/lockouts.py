"""Throttling of log-ins, codes and tokens: failed attempts are counted in the database, by all processes together.

An attempt is counted before it is looked at: of many at once no more get through than of one after the other. What was
right is taken off again.

A password is counted for the account from one address, then for the address, then for the account from anywhere. An
attempt that one of them shuts out is not counted by the next, so that one address cannot shut an account for everybody:
that takes ten. A browser in which the person has logged in before is counted by itself, and goes on when strangers have
shut the account or the address.
"""

import unicodedata
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from research import audit
from research.models import Lockout
from research.services.access import END_LOCKOUT, Person, require

CODES = 5  # wrong ones in a row, whatever else is allowed: a code has six digits
MAX_KEY = 250
Scope = Lockout.Scope


def knock(*, name: str, address: str = "", device: str = "", now: datetime | None = None) -> datetime | None:
    """Count an attempt with a password; until when this one is shut out, None when it may be tried."""
    now = now or timezone.now()
    if device and not _count(Scope.DEVICE, _in(name, device), now):
        return None
    for scope, key in _ways(name, address):
        if until := _count(scope, key, now):
            return until
    return None


def knock_with(scope: Lockout.Scope, key: str, now: datetime | None = None) -> datetime | None:
    """The same for a token, by its address, and for the code of a second factor, by its account."""
    return _count(scope, key[:MAX_KEY], now or timezone.now()) if key else None


def shut_until(
    *, name: str = "", address: str = "", device: str = "", now: datetime | None = None
) -> datetime | None:
    """The same as ``knock`` without counting."""
    now = now or timezone.now()
    if device and not _shut([(Scope.DEVICE, _in(name, device))], now):
        return None
    return _shut(_ways(name, address), now)


def shut_with(scope: Lockout.Scope, key: str, now: datetime | None = None) -> datetime | None:
    """The same as ``knock_with`` without counting."""
    return _shut([(scope, key[:MAX_KEY])], now or timezone.now())


def welcome(*, name: str, address: str = "", device: str = "") -> None:
    """An attempt was right: this browser or address begins anew, and what was counted besides is given back."""
    for scope, key in [(Scope.DEVICE, _in(name, device))] if device else _ways(name, address):
        known = Lockout.objects.filter(scope=scope, key=key, until=None, failures__gt=0)
        known.update(failures=0 if scope in (Scope.DEVICE, Scope.PAIR) else F("failures") - 1)


def welcome_with(scope: Lockout.Scope, key: str) -> None:
    """What ``knock_with`` counted was right."""
    Lockout.objects.filter(scope=scope, key=key[:MAX_KEY], until=None).update(failures=0)


def end_lockout(*, lockout: Lockout, actor: Person) -> None:
    """Let people try again. Raises NotPermitted."""
    require(actor, END_LOCKOUT)
    with transaction.atomic():
        if Lockout.objects.filter(pk=lockout.pk, until__isnull=False).update(until=None, failures=0):
            audit.record("lockout.ended", lockout, actor, scope=lockout.scope, key=lockout.key)


def forget_old(*, now: datetime | None = None) -> int:
    """Remove what no longer counts, and sessions that are over: what strangers begin does not fill the database."""
    now = now or timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    old = Lockout.objects.filter(since__lt=now - timedelta(days=1)).exclude(until__gt=now)
    return old.delete()[0]


def sentence(until: datetime, now: datetime | None = None) -> str:
    """What a person who is locked out is told."""
    minutes = max(1, -(-int((until - (now or timezone.now())).total_seconds()) // 60))
    ends = ngettext(
        "%(time)s UTC, in %(minutes)s minute", "%(time)s UTC, in %(minutes)s minutes", minutes
    ) % {"time": f"{until:%H:%M}", "minutes": minutes}
    told = _(
        "There were too many failed attempts. You can try again at %(ends)s; an administrator can end this earlier."
    )
    return told % {"ends": ends}


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


def account_key(name: str) -> str:
    """One key for all ways to write a name."""
    return unicodedata.normalize("NFKC", name).casefold().strip()[:150]


def _in(name: str, device: str) -> str:
    return f"{account_key(name)} in {device}"[:MAX_KEY]


def _ways(name: str, address: str) -> list[tuple[Lockout.Scope, str]]:
    """What is counted of a stranger, in one order for all, so that two at once do not wait for each other."""
    account = account_key(name)
    pair = f"{account} from {address}" if account and address else ""
    ways = [(Scope.PAIR, pair), (Scope.ADDRESS, address), (Scope.ACCOUNT, account)]
    return [(scope, key[:MAX_KEY]) for scope, key in ways if key]


def _shut(ways: list[tuple[Lockout.Scope, str]], now: datetime) -> datetime | None:
    wanted = Q(pk__in=[])
    for scope, key in ways:
        wanted |= Q(scope=scope, key=key)
    ends = Lockout.objects.filter(wanted, until__gt=now).order_by("-until")
    return ends.values_list("until", flat=True).first()


def _most(scope: Lockout.Scope) -> int:
    """How many attempts within the time are let through; 0: all."""
    usual = settings.LOCKOUT_FAILURES
    return {
        Scope.ADDRESS: usual * settings.LOCKOUT_ADDRESS_FACTOR,
        Scope.ACCOUNT: usual * settings.LOCKOUT_ACCOUNT_FACTOR,
        Scope.TOKEN: settings.LOCKOUT_TOKENS,
        Scope.CODE: min(usual, CODES),
    }.get(scope, usual)


def _count(scope: Lockout.Scope, key: str, now: datetime) -> datetime | None:
    most = _most(scope)
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


def _new(scope: Lockout.Scope, key: str, now: datetime) -> Lockout:
    try:
        with transaction.atomic():
            return Lockout.objects.create(scope=scope, key=key, since=now)
    except IntegrityError:  # somebody else knocked at the same moment
        return Lockout.objects.select_for_update().get(scope=scope, key=key)
