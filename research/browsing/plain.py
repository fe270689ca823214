"""The engine that is always there: a page fetched behind the guard, its HTML read on the server, no scripts."""

from collections.abc import Sequence
from urllib.parse import urlencode, urlsplit, urlunsplit

from django.conf import settings

from research.browsing.menu import plain_label
from research.browsing.view import Seen
from research.jsontext import JsonObject
from research.models import WalkView
from research.web.fetch import Fetched, open_fetcher

NAME = "plain"
_HTML = ("text/html", "application/xhtml+xml")
_TICKED = ("checkbox", "radio")


def look(url: str) -> Seen:
    """A page as it was sent. Raises FetchFault."""
    fetched = open_fetcher().fetch(url, max_bytes=settings.DOSSIER_BROWSE_MAX_BYTES)
    return _html(fetched) if fetched.mime in _HTML else _other(fetched)


def inside(url: str, selector: str) -> set[tuple[str, str, str]]:
    """Type, label and address of what can be chosen inside the part of a page that a CSS selector names.

    Raises:
        FetchFault: the page could not be read again, or the selector is none.
    """
    from research.web.reader import the_reader

    fetched = open_fetcher().fetch(url, max_bytes=settings.DOSSIER_BROWSE_MAX_BYTES)
    found = the_reader().outline(
        fetched.body, charset=fetched.charset, url=fetched.final_url, selector=selector
    )
    return {(item["type"], plain_label(item["label"]), item["href"]) for item in found["items"]}


def fill(view: WalkView, item: JsonObject, value: str | None, text: str) -> Seen:
    """The same view with a field of a form filled in, ticked, or chosen."""
    how, forms = item["how"], [dict(form) for form in view.forms]
    form = forms[how["form"]]
    kept = [pair for pair in form["values"] if pair[0] != how["name"]]
    if how["is"] in _TICKED:
        was = [how["name"], how["value"]] in form["values"]
        others = [pair for pair in form["values"] if pair != [how["name"], how["value"]]]
        kept = kept if how["is"] == "radio" else others
        values = kept if was and how["is"] == "checkbox" else [*kept, [how["name"], how["value"]]]
        hint = how["is"] if was and how["is"] == "checkbox" else f"{how['is']}, checked"
    else:
        values = [*kept, [how["name"], value or ""]]
        hint = f"filled in: {(value or '')[:40]}"
    form["values"] = sorted(values, key=lambda pair: form["names"].index(pair[0]))  # as the page has them
    items = [{**one, "hint": hint} if one["id"] == item["id"] else one for one in view.items]
    return Seen(view.url, view.title, text, NAME, items, forms, view.links, status=0)


def sent_to(form: JsonObject, pair: Sequence[str]) -> str:
    """The address that a form of the method GET leads to."""
    values = [*map(tuple, form["values"]), *([tuple(pair)] if pair else [])]
    return urlunsplit(urlsplit(form["action"])._replace(query=urlencode(values), fragment=""))


def _html(fetched: Fetched) -> Seen:
    from research.web.reader import the_reader

    found = the_reader().outline(fetched.body, charset=fetched.charset, url=fetched.final_url)
    return Seen(
        url=fetched.final_url,
        title=found["title"],
        text=found["text"],
        engine=NAME,
        items=found["items"],
        forms=found["forms"],
        links=found["links"],
        warnings=found["warnings"],
        mime=fetched.mime,
        language=found["language"],
        needs=found["scripted"],
        etag=fetched.etag,
        last_modified=fetched.last_modified,
    )


def _other(fetched: Fetched) -> Seen:
    """What is no HTML has text and no menu."""
    from research.web.reader import the_reader

    read = the_reader().read(fetched.body, mime=fetched.mime, charset=fetched.charset, url=fetched.final_url)
    return Seen(
        url=fetched.final_url,
        title=read.document.title or fetched.final_url,
        text=read.document.text,
        engine=NAME,
        links=read.document.links,
        warnings=read.warnings,
        mime=fetched.mime,
        language=read.document.language,
        etag=fetched.etag,
        last_modified=fetched.last_modified,
    )
