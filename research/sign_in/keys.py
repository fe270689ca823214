"""Security keys (WebAuthn): what the browser is asked, and whether its answer is right."""

import base64
import hashlib
import hmac
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from common.bounded_json import load_json
from research.errors import WrongCode
from research.models import Factor
from research.services.access import Person
from research.services.factors import add_key, credential_name, factors_of, use_key

STATE = "security_key"


def ask_for_new(request: HttpRequest, person: Person) -> dict[str, Any]:
    """The options of ``navigator.credentials.create``; what was asked is kept in the session."""
    name = person.get_username()
    handle = hmac.digest(
        settings.SECRET_KEY.encode(), f"research.sign_in.keys {person.pk}".encode(), hashlib.sha256
    )
    options, state = _server(request).register_begin(
        PublicKeyCredentialUserEntity(id=handle, name=name, display_name=person.get_full_name() or name),
        [_public(key) for key in _keys(person)],
        resident_key_requirement=ResidentKeyRequirement.PREFERRED,  # one that knows the account is a passkey
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    request.session[STATE] = {**state, "for": person.pk, "to": "add"}
    return dict(options)


def add_answered(request: HttpRequest, person: Person, name: str, answer: str) -> Factor:
    """Set up the key that has answered. Raises WrongCode, InvalidTransition."""
    state = _asked(request, person, "add")
    try:
        data = _server(request).register_complete(state, load_json(answer))
    except (ValueError, TypeError, KeyError, AssertionError):
        raise _not_right() from None
    public = data.credential_data
    if public is None:
        raise _not_right()
    return add_key(
        person=person, name=name, credential=public.credential_id, public=bytes(public), counter=data.counter
    )


def ask_for_known(request: HttpRequest, person: Person) -> dict[str, Any] | None:
    """The options of ``navigator.credentials.get``; None for somebody without a key."""
    keys = [_public(key) for key in _keys(person)]
    if not keys:
        return None
    options, state = _server(request).authenticate_begin(keys, UserVerificationRequirement.DISCOURAGED)
    request.session[STATE] = {**state, "for": person.pk, "to": "show"}
    return dict(options)


def check_answered(request: HttpRequest, person: Person, answer: str) -> None:
    """The key that has answered is this person's. Raises WrongCode."""
    state = _asked(request, person, "show")
    keys = {bytes(_public(key).credential_id): key for key in _keys(person)}
    try:
        said = AuthenticationResponse.from_dict(load_json(answer))
        used = _server(request).authenticate_complete(state, [_public(key) for key in keys.values()], said)
        counter = said.response.authenticator_data.counter
    except (ValueError, TypeError, KeyError, AssertionError):
        raise _not_right() from None
    use_key(factor=keys[bytes(used.credential_id)], counter=counter)


def ask_for_any(request: HttpRequest) -> dict[str, Any]:
    """The options for a passkey: a key that knows whose it is, and that its person unlocks."""
    options, state = _server(request).authenticate_begin(None, UserVerificationRequirement.REQUIRED)
    request.session[STATE] = {**state, "for": None, "to": "enter"}
    return dict(options)


def person_of_passkey(request: HttpRequest, answer: str) -> Person:
    """Whose passkey has answered. Raises WrongCode."""
    state = _asked(request, None, "enter")
    try:
        said = AuthenticationResponse.from_dict(load_json(answer))
        known = Factor.objects.filter(credential=credential_name(said.raw_id)).select_related("user").first()
        keys = [_public(known)] if known and known.user.is_active and known.user.is_staff else []
        _server(request).authenticate_complete(state, keys, said)
    except (ValueError, TypeError, KeyError, AssertionError):
        raise _not_right() from None
    assert known is not None  # noqa: S101 - without a key nothing was complete
    use_key(factor=known, counter=said.response.authenticator_data.counter)
    return known.user


def _asked(request: HttpRequest, person: Person | None, to: str) -> dict[str, Any]:
    """What was asked last, once."""
    state: dict[str, Any] = request.session.pop(STATE, {})
    if state.pop("for", None) != (person.pk if person else None) or state.pop("to", None) != to:
        raise _not_right()
    return state


def _server(request: HttpRequest) -> Fido2Server:
    host = request.get_host()
    origin = f"{request.scheme}://{host}"
    own = PublicKeyCredentialRpEntity(id=host.rpartition(":")[0] or host, name="Dossier")
    return Fido2Server(own, verify_origin=lambda said: said == origin)


def _keys(person: Person) -> list[Factor]:
    return [factor for factor in factors_of(person) if factor.kind == Factor.Kind.KEY]


def _public(key: Factor) -> AttestedCredentialData:
    return AttestedCredentialData(base64.b64decode(key.data["public"]))


def _not_right() -> WrongCode:
    return WrongCode(_("The security key did not answer as it should. Try again."))
