"""The guard against walking in circles: small models open the same page again and again, and a bare notice is ignored.
So the refusal names what else there is."""

from urllib.parse import urlsplit

from research.browsing.view import line
from research.errors import WalkRefused
from research.models import Walk, WalkView
from research.web.urls import canonical_url

ALTERNATIVES = 12


def check_unvisited(walk: Walk, url: str) -> None:
    """Raises WalkRefused ``already_visited`` with alternatives."""
    views = WalkView.objects.filter(walk=walk).order_by("-number")
    seen = {_place(known) for known in views.values_list("url", flat=True)}
    if _place(url) not in seen:
        return
    found: dict[str, str] = {}
    for items in views.values_list("items", flat=True)[:5]:
        for item in items:
            if item["href"] and _place(item["href"]) not in seen and not item["disabled"]:
                found.setdefault(_place(item["href"]), line(item))
    lines = list(found.values())[:ALTERNATIVES]
    rest = (
        "Choose one of these instead:\n" + "\n".join(lines)
        if lines
        else "Every link was followed: answer now."
    )
    message = f"You have read {url[:300]} already; it was not opened again. {rest}"
    raise WalkRefused("already_visited", message, alternatives=lines, current=walk.token)


def _place(url: str) -> str:
    try:
        fragment = urlsplit(url).fragment
        return canonical_url(url).rstrip("/") + (f"#{fragment}" if fragment.startswith(("/", "!")) else "")
    except ValueError:
        return url
