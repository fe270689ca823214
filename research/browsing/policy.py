"""What may be opened, chosen and filled in, whoever asks: addresses, forms, and what money or an account hangs on."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from django.conf import settings

from research.errors import WalkRefused
from research.jsontext import JsonObject
from research.web.urls import parse_url

MAX_VALUE = 200
NEVER_FILLED = frozenset(("password", "file", "card", "email", "tel"))
_PAYS = re.compile(
    r"\b(?:buy|purchase|order now|place order|pay(?: now)?|checkout|add to cart|kaufen|bestellen|bezahlen|in den "
    r"warenkorb|acheter|commander|payer|acquista|paga)\b",
    re.IGNORECASE,
)


def check_address(url: str) -> None:
    """Raises WalkRefused: the lists of hosts and paths leave this address out. The guard judges it besides."""
    if why := refused_address(url):
        raise WalkRefused("not_allowed", why)


def refused_address(url: str) -> str:
    """Why an address is not opened by the lists of the settings; "" when it may be. The black list wins."""
    try:
        address = parse_url(url)
    except ValueError as error:
        return f"This address is not opened: {error}."
    place = f"{address.host}{urlsplit(url).path or '/'}".lower()
    if _listed(place, settings.DOSSIER_BROWSE_EXCLUDE):
        return f"{address.host}{urlsplit(url).path[:100]} is on the list of what is not opened."
    included = settings.DOSSIER_BROWSE_INCLUDE
    if included and not _listed(place, included):
        return f"{address.host} is not opened; allowed are: {', '.join(included[:20])}."
    return ""


def _listed(place: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(place, _whole(pattern.lower())) for pattern in patterns)


def _whole(pattern: str) -> str:
    """``example.org`` means all its paths, ``*/login*`` such paths of any host."""
    return pattern if "/" in pattern else f"{pattern}/*"


def check_item(item: JsonObject, value: str | None, form: JsonObject | None) -> None:
    """Raises WalkRefused: the item may not be chosen, or not be given this value."""
    label = item["label"] or item["id"]
    if item["disabled"]:
        raise WalkRefused("disabled_item", f"{label!r} is disabled on the page. Choose something else.")
    if "download" in item["hint"]:
        raise WalkRefused("not_allowed", f"{label!r} is a download; none are made. Open another page.")
    if item["type"] == "BUTTON" and len(label) <= 40 and _PAYS.search(label):
        raise WalkRefused("not_allowed", f"{label!r} may buy something; nothing is bought here.")
    how = item["how"]
    _check_value(item, how.get("is", ""), value)
    if how["kind"] in ("field", "submit") and form is not None:
        _check_form(form, submits=how["kind"] == "submit")


def _check_value(item: JsonObject, kind: str, value: str | None) -> None:
    if kind in NEVER_FILLED or "password" in item["hint"] or "file" in item["hint"]:
        raise WalkRefused("not_allowed", f"A field of this kind ({kind or item['hint']}) is never filled in.")
    if value is None:
        return
    if item["type"] not in ("INPUT", "SELECT"):
        message = f"{item['label']!r} takes no value; choose it without one."
        raise WalkRefused("bad_arguments", message)
    if settings.DOSSIER_BROWSE_FORMS == "never":
        raise WalkRefused("not_allowed", "Nothing is filled in here (DOSSIER_BROWSE_FORMS is never).")
    if len(value) > MAX_VALUE:
        raise WalkRefused("bad_arguments", f"A value has at most {MAX_VALUE} characters.")


def _check_form(form: JsonObject, *, submits: bool) -> None:
    if kinds := sorted({"password", "file", "card"} & set(form["kinds"])):
        message = f"This form asks for a {' and a '.join(kinds)}; it is neither filled in nor sent."
        raise WalkRefused("not_allowed", message)
    if not submits:
        return
    if settings.DOSSIER_BROWSE_FORMS == "never":
        raise WalkRefused("not_allowed", "No form is sent here (DOSSIER_BROWSE_FORMS is never).")
    if form["method"] != "get" and not form["searches"] and settings.DOSSIER_BROWSE_FORMS != "any":
        message = (
            "This form changes something on the site (POST); only searches are sent. Follow a link instead."
        )
        raise WalkRefused("not_allowed", message)
    check_address(form["action"])
