"""Second factors: authenticator apps, security keys and recovery codes; set up, used once, taken away.

A wrong code counts as a failed attempt of the account, apart from passwords: whoever tries codes has the password.
"""

import base64
import hashlib
import hmac
import secrets
import time
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth import SESSION_KEY, get_user_model
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from common.transactions import retried
from research import audit
from research.errors import InvalidTransition, LockedOut, NotPermitted, WrongCode
from research.models import Factor, Lockout
from research.services.access import Person
from research.services.lockouts import account_key, knock_with, sentence, welcome_with

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

Kind = Factor.Kind
CODES = 10
SECONDS = 30  # of a step, as all apps count
DRIFT = 1  # how many steps a clock may be off
MOST_KEYS = 10


def has_factor(person: AbstractUser) -> bool:
    """Whether the person has anything that is asked for at a log-in; recovery codes alone are not."""
    return Factor.objects.filter(user=person.pk).exclude(kind=Kind.CODES).exists()


def factors_of(person: AbstractUser) -> list[Factor]:
    """What the person has set up, the oldest first."""
    return list(Factor.objects.filter(user=person.pk))


def new_secret() -> str:
    """A secret for an authenticator app, of 160 bits."""
    import pyotp  # here and below: only who has an app needs it

    return pyotp.random_base32()


def address_of_secret(person: AbstractUser, secret: str) -> str:
    """What the QR code says: ``otpauth://totp/…``."""
    import pyotp

    return pyotp.TOTP(secret).provisioning_uri(name=person.get_username(), issuer_name="Dossier")


@retried
def add_app(*, person: Person, secret: str, code: str, now: float | None = None) -> Factor:
    """Set up an authenticator app that has just shown a right code. Raises WrongCode, InvalidTransition."""
    step = _right_step(secret, code, after=-1, now=now)
    if step is None:
        raise WrongCode(
            _("This code is not right. It is the one that the app shows now, for the code above.")
        )
    with transaction.atomic():
        _lock(person)
        if Factor.objects.filter(user=person.pk, kind=Kind.APP).exists():
            raise InvalidTransition(_("There is an authenticator app already; remove it first."))
        data = {"secret": _seals().encrypt(secret.encode()).decode()}
        return _added(person, Kind.APP, "", data, counter=step)


@retried
def add_key(*, person: Person, name: str, credential: bytes, public: bytes, counter: int) -> Factor:
    """Set up a security key whose answer was verified; ``public`` is its data as CTAP2 writes it."""
    known = credential_name(credential)
    with transaction.atomic():
        _lock(person)
        if Factor.objects.filter(credential=known).exists():
            raise InvalidTransition(_("This security key is set up already."))
        if Factor.objects.filter(user=person.pk, kind=Kind.KEY).count() >= MOST_KEYS:
            raise InvalidTransition(_("There are ten security keys already; remove one first."))
        data = {"public": base64.b64encode(public).decode()}
        return _added(person, Kind.KEY, name.strip()[:60] or _("Security key"), data, counter, known)


def credential_name(credential: bytes) -> str:
    """What a security key calls itself here, as text."""
    return base64.urlsafe_b64encode(credential).decode()


@retried
def make_codes(*, person: Person) -> list[str]:
    """New recovery codes in place of all others. They are stored nowhere in the clear."""
    codes = [f"{part[:5]}-{part[5:]}" for part in (_letters(10) for _ in range(CODES))]
    with transaction.atomic():
        _lock(person)
        data = {"unused": [_fingerprint(person, code) for code in codes]}
        Factor.objects.update_or_create(
            user_id=person.pk,
            kind=Kind.CODES,
            defaults={"data": data, "created_at": timezone.now(), "used_at": None},
        )
        audit.record("factor.codes_made", person, person, codes=CODES)
    return codes


def codes_left(factors: list[Factor]) -> int:
    """How many recovery codes are unused."""
    return sum(len(factor.data["unused"]) for factor in factors if factor.kind == Kind.CODES)


def use_code(*, person: Person, code: str, now: float | None = None) -> str:
    """The kind of factor that a code is right for; it is right once. Raises WrongCode, LockedOut."""
    _count_wrong(person)
    with transaction.atomic():
        _lock(person)
        for factor in factors_of(person):
            if factor.kind == Kind.APP:
                step = _right_step(_opened(factor), code, after=factor.counter, now=now)
                taken = step is not None and _taken(factor, step)
            else:
                taken = factor.kind == Kind.CODES and _code_taken(factor, person, code)
            if taken:
                _welcome(person)
                return factor.kind
    raise WrongCode(_("This code is not right, or it was used before."))


@retried
def use_key(*, factor: Factor, counter: int) -> None:
    """A security key has answered rightly; what cannot be guessed is not counted.

    Raises WrongCode when the key's own count says that there is a copy of it.
    """
    with transaction.atomic():
        _lock(factor.user)
        factor.refresh_from_db()
        if (counter or factor.counter) and counter <= factor.counter:
            raise WrongCode(
                _("This security key counts backwards, as a copy of it would. Use another factor.")
            )
        _taken(factor, counter)
        _welcome(factor.user)


@retried
def remove_factor(*, person: Person, factor: Factor) -> None:
    """Take away a factor of one's own; with the last of them the recovery codes go. Raises NotPermitted."""
    if factor.user_id != person.pk:
        raise NotPermitted(_("This is somebody else's."))
    with transaction.atomic():
        _lock(person)
        if Factor.objects.filter(pk=factor.pk).delete()[0]:
            audit.record("factor.removed", person, person, kind=factor.kind, name=factor.name)
        if not has_factor(person):
            Factor.objects.filter(user=person.pk).delete()


@retried
def reset_factors(*, person: Person, actor: Person, reason: str) -> int:
    """Take away all factors of somebody who has lost them, and end their sessions. Raises NotPermitted."""
    if not actor.is_active or not actor.is_superuser:
        raise NotPermitted(f"{actor.get_username()} may not do this: it is for superusers")
    with transaction.atomic():
        _lock(person)
        count = Factor.objects.filter(user=person.pk).delete()[0]
        audit.record("factor.reset", person, actor, factors=count, reason=reason[:500])
        end_sessions(person)
    return count


def end_sessions(person: AbstractUser, but: str | None = None) -> None:
    """Log a person out everywhere, but for the session ``but``: they began before a second factor was asked for."""
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    for session in Session.objects.filter(expire_date__gt=timezone.now()).exclude(session_key=but):
        if store.decode(session.session_data).get(SESSION_KEY) == str(person.pk):
            session.delete()


def _added(
    person: Person, kind: str, name: str, data: dict[str, str], counter: int, credential: str = ""
) -> Factor:
    factor = Factor.objects.create(
        user_id=person.pk,
        kind=kind,
        name=name,
        data=data,
        counter=counter,
        credential=credential,
        created_at=timezone.now(),
    )
    audit.record("factor.added", person, person, kind=kind, name=name)
    return factor


def _lock(person: AbstractUser) -> None:
    """One change of a person's factors at a time, and no code twice."""
    get_user_model().objects.select_for_update().filter(pk=person.pk).first()


def _taken(factor: Factor, counter: int) -> bool:
    return bool(Factor.objects.filter(pk=factor.pk).update(counter=counter, used_at=timezone.now()))


def _code_taken(factor: Factor, person: Person, code: str) -> bool:
    given = _fingerprint(person, code)
    left = [kept for kept in factor.data["unused"] if not hmac.compare_digest(kept, given)]
    if len(left) == len(factor.data["unused"]):
        return False
    Factor.objects.filter(pk=factor.pk).update(data={"unused": left}, used_at=timezone.now())
    audit.record("factor.recovery_code_used", person, person, left=len(left))
    return True


def _count_wrong(person: AbstractUser) -> None:
    until: datetime | None = knock_with(Lockout.Scope.CODE, account_key(person.get_username()))
    if until:
        raise LockedOut(sentence(until))


def _welcome(person: AbstractUser) -> None:
    welcome_with(Lockout.Scope.CODE, account_key(person.get_username()))


def _right_step(secret: str, code: str, *, after: int, now: float | None) -> int | None:
    """The step of time that a code belongs to, if it is near and later than the last that was taken (RFC 6238, 5.2)."""
    given = "".join(code.split())
    if not (given.isascii() and given.isdigit() and secret):
        return None
    import pyotp

    app, here = pyotp.TOTP(secret), int(time.time() if now is None else now) // SECONDS
    steps = range(max(here - DRIFT, after + 1), here + DRIFT + 1)
    return next((step for step in steps if hmac.compare_digest(app.generate_otp(step), given)), None)


def _letters(length: int) -> str:
    return "".join(secrets.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(length))


def _fingerprint(person: AbstractUser, code: str) -> str:
    plain = "".join(char for char in code.lower() if char.isalnum())
    return salted_hmac("research.factors.codes", f"{person.pk} {plain}", algorithm="sha256").hexdigest()


def _seals() -> "Fernet":
    """A copy of the database alone gives no secret away: the key is made of DOSSIER_SECRET_KEY."""
    from cryptography.fernet import Fernet

    key = hashlib.sha256(b"research.factors.secret" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))


def _opened(factor: Factor) -> str:
    from cryptography.fernet import InvalidToken

    try:
        return _seals().decrypt(factor.data["secret"].encode()).decode()
    except (
        InvalidToken
    ):  # DOSSIER_SECRET_KEY is another one now: what was sealed with the former opens nothing
        return ""
