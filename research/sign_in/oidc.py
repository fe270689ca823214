"""Single sign-on by OpenID Connect: the code flow with PKCE, a state and a nonce, and tokens that are verified.

The provider is trusted with what it signs. Everything else that comes by way of the browser is a stranger's: the state
must be that of the session, the token must be signed by a key of the provider, for this program, now, and in answer to
this question.
"""

import base64
import hashlib
import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import jwt
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from common.bounded_json import load_json
from common.outside.exchange import exchange
from common.outside.faults import SourceFault
from research.errors import DossierError

STATE = "single_sign_on"
PATIENCE = 600  # seconds that a person may take at the provider
KEPT = 3600  # seconds that what the provider publishes is kept
SECONDS = 10.0
SPARED = 15.0  # seconds for which a provider that gave no answer is not asked again
LEEWAY = 60  # seconds between two clocks
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class ProviderTrouble(DossierError):
    """The provider cannot be reached, or what it says cannot be believed."""

    code = "single-sign-on"


@dataclass(frozen=True)
class Claims:
    """What the provider signed about a person; ``email`` only if it says that it has verified it."""

    issuer: str
    subject: str
    username: str
    email: str
    first_name: str
    last_name: str
    groups: tuple[str, ...]


@dataclass
class _Published:
    issuer: str
    until: float
    document: dict[str, Any]
    keys: dict[str, Any] | None = None


_lock = threading.Lock()
_kept: dict[str, _Published] = {}
_spared: dict[str, float] = {}


def is_set_up() -> bool:
    return bool(settings.DOSSIER_OIDC_ISSUER and settings.DOSSIER_OIDC_CLIENT_ID)


def forget() -> None:
    """What was published, for tests."""
    _kept.clear()
    _spared.clear()


def address_to_ask(request: HttpRequest, wanted: str) -> str:
    """Where the browser goes to log in; what has to come back is kept in the session. Raises ProviderTrouble."""
    document = published().document
    verifier, state, nonce = (secrets.token_urlsafe(48) for _ in range(3))
    if not request.user.is_authenticated:
        request.session.set_expiry(PATIENCE)
    request.session[STATE] = {
        "state": state,
        "nonce": nonce,
        "verifier": verifier,
        "next": wanted,
        "at": time.time(),
    }
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    question = {
        "response_type": "code",
        "client_id": settings.DOSSIER_OIDC_CLIENT_ID,
        "redirect_uri": _here(request),
        "scope": settings.DOSSIER_OIDC_SCOPES,
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    address = str(document["authorization_endpoint"])
    return f"{address}{'&' if '?' in address else '?'}{urlencode(question)}"


def answered(request: HttpRequest) -> tuple[Claims, str]:
    """What the provider says of the person who has come back, and where they were going. Raises ProviderTrouble."""
    asked = request.session.pop(STATE, None)
    given = request.GET
    known = asked and time.time() - asked["at"] < PATIENCE
    if not known or not secrets.compare_digest(asked["state"].encode(), given.get("state", "").encode()):
        raise ProviderTrouble(_("This answer belongs to no log-in that began here. Begin again."))
    if given.get("iss", settings.DOSSIER_OIDC_ISSUER) != settings.DOSSIER_OIDC_ISSUER:
        raise ProviderTrouble(_("Another provider has answered than was asked."))
    if given.get("error") or not given.get("code"):
        raise ProviderTrouble(_("The provider did not log you in."))
    form = {
        "grant_type": "authorization_code",
        "code": given["code"],
        "redirect_uri": _here(request),
        "code_verifier": asked["verifier"],
    }
    token = _exchanged(form).get("id_token")
    if not isinstance(token, str):
        raise ProviderTrouble(_("The provider's answer has no token about who you are."))
    return _claims(_verified(token, asked["nonce"])), asked["next"]


def published(*, anew: bool = False) -> _Published:
    """The provider's description of itself, kept for an hour. Raises ProviderTrouble."""
    issuer, now = settings.DOSSIER_OIDC_ISSUER, time.monotonic()
    found = _kept.get(issuer)
    if found and not anew and found.until > now:
        return found
    if not anew and _spared.get(issuer, 0.0) > now:  # strangers may ask for this page as often as they like
        raise ProviderTrouble(_("The provider cannot be reached, or did not answer in time."))
    try:
        document = _asked(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    except ProviderTrouble:
        _spared[issuer] = time.monotonic() + SPARED
        raise
    if document.get("issuer") != issuer:
        raise ProviderTrouble(_("The provider says that it is another one than DOSSIER_OIDC_ISSUER names."))
    for name in ENDPOINTS:
        if not _is_safe(document.get(name)):
            raise ProviderTrouble(
                _("The provider's description has no good address as %(name)s.") % {"name": name}
            )
    with _lock:
        _kept[issuer] = _Published(issuer, time.monotonic() + KEPT, document)
        return _kept[issuer]


def keys_of(found: _Published, *, anew: bool = False) -> dict[str, Any]:
    """The provider's public keys by their names. Raises ProviderTrouble."""
    if found.keys is None or anew:
        document = _asked(str(found.document["jwks_uri"]))
        try:
            keys = jwt.PyJWKSet.from_dict(document).keys
        except (jwt.PyJWTError, AttributeError, TypeError, ValueError):
            raise ProviderTrouble(_("The provider's keys cannot be read.")) from None
        found.keys = {str(key.key_id): key for key in keys if key.public_key_use in (None, "sig")}
    return found.keys


def _verified(token: str, nonce: str) -> dict[str, Any]:
    """The claims of a token that was signed by the provider, for us, now, and in answer to this question."""
    try:
        name, found = str(jwt.get_unverified_header(token).get("kid")), published()
        key = keys_of(found).get(name) or keys_of(found, anew=True).get(name)
        if key is None:
            raise ProviderTrouble(_("The provider's token is signed with a key that it does not publish."))
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=ALGORITHMS,
            audience=settings.DOSSIER_OIDC_CLIENT_ID,
            issuer=settings.DOSSIER_OIDC_ISSUER,
            leeway=LEEWAY,
            options={"require": ["exp", "iat", "iss", "aud", "sub"]},
        )
    except (jwt.PyJWTError, ValueError, TypeError) as error:
        raise ProviderTrouble(
            _("The provider's token cannot be believed (%(why)s).") % {"why": type(error).__name__}
        ) from None
    several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
    party = claims.get("azp", "" if several else settings.DOSSIER_OIDC_CLIENT_ID)
    asked = secrets.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode())
    if not asked or party != settings.DOSSIER_OIDC_CLIENT_ID:
        raise ProviderTrouble(_("The provider's token answers another question than was asked."))
    return claims


def _claims(said: Mapping[str, Any]) -> Claims:
    def words(name: str) -> str:
        value = said.get(name)
        return (
            "".join(char for char in value if char.isprintable()).strip()[:254]
            if isinstance(value, str)
            else ""
        )

    groups: Any = said
    for part in settings.DOSSIER_OIDC_GROUPS_CLAIM.split("."):
        groups = groups.get(part) if isinstance(groups, dict) else None
    listed = groups if isinstance(groups, list) else [groups]
    return Claims(
        issuer=settings.DOSSIER_OIDC_ISSUER,
        subject=str(said["sub"]),
        username=words("preferred_username"),
        email=words("email") if said.get("email_verified") is True else "",
        first_name=words("given_name"),
        last_name=words("family_name"),
        groups=tuple(name for name in listed if isinstance(name, str)),
    )


def _exchanged(form: dict[str, str]) -> dict[str, Any]:
    """The tokens for a code: with the secret as HTTP Basic, unless the provider takes it in the form only."""
    document, secret = published().document, settings.DOSSIER_OIDC_CLIENT_SECRET
    headers = {}
    if secret and document.get("token_endpoint_auth_methods_supported") == ["client_secret_post"]:
        form = {**form, "client_id": settings.DOSSIER_OIDC_CLIENT_ID, "client_secret": secret}
    elif secret:
        pair = f"{quote(settings.DOSSIER_OIDC_CLIENT_ID, safe='')}:{quote(secret, safe='')}"
        headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
    else:
        form = {**form, "client_id": settings.DOSSIER_OIDC_CLIENT_ID}
    return _asked(str(document["token_endpoint"]), form=form, headers=headers)


def _asked(
    address: str, *, form: dict[str, str] | None = None, headers: dict[str, str] | None = None
) -> dict[str, Any]:
    """A JSON object of the provider's."""
    if not _is_safe(address):
        raise ProviderTrouble(_("The provider's address must begin with https://."))
    try:
        reply = exchange(
            "The provider", address, seconds=SECONDS, form=form, headers=headers, max_body=500_000
        )
        document = load_json(reply.body) if reply.status == 200 else None
    except SourceFault:
        raise ProviderTrouble(_("The provider cannot be reached, or did not answer in time.")) from None
    except ValueError:
        raise ProviderTrouble(_("The provider's answer cannot be read.")) from None
    if not isinstance(document, dict):
        raise ProviderTrouble(_("The provider answered with HTTP %(status)s.") % {"status": reply.status})
    return document


def _is_safe(address: object) -> bool:
    parts = urlsplit(address) if isinstance(address, str) else None
    return bool(
        parts
        and (
            parts.scheme == "https"
            or (parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost"))
        )
    )


def _here(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("admin:single_sign_on_done"))
