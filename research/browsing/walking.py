"""The steps of a walk: open, menu, choose, navigate. Every face calls these four.

Each gives a ``View`` or raises ``WalkRefused``, and then nothing was opened, chosen or sent.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import urljoin
from weakref import WeakValueDictionary

from django.conf import settings

from research.browsing import plain
from research.browsing.engines import INSTALL, look, see_again, the_browser
from research.browsing.menu import arrange, same_menu
from research.browsing.policy import check_address, check_item
from research.browsing.settle import NAVIGATION, POLICIES, Settle, settle_policy
from research.browsing.view import Seen, View
from research.browsing.visited import check_unvisited
from research.browsing.walks import (
    NOTHING_OPEN,
    Owner,
    archived,
    begin_walk,
    current_view,
    enter_history,
    find_walk,
    give_number_back,
    record_view,
    require_token,
    take_number,
)
from research.errors import WalkRefused
from research.jsontext import JsonObject
from research.models import Walk, WalkView
from research.web.faults import FetchFault

BACK, FORWARD, RELOAD = "back", "forward", "reload"
ACTIONS = (BACK, FORWARD, RELOAD)
INTERRUPTED = (
    "The walk was interrupted, and this page was opened anew. What was chosen last may not have happened."
)


class _Turn:
    """A lock that can be forgotten when nobody holds it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


_turns: WeakValueDictionary[object, _Turn] = WeakValueDictionary()


def open_page(
    owner: Owner, url: str, *, settle: str = "", session: str | None = None, guarded: bool = False
) -> View:
    """Open an address; without a session the last one goes on, or a new one begins."""
    policy = _policy(settle)
    with _in_turn(owner, session):
        check_address(url)
        walk = find_walk(owner, session) or begin_walk(owner)
        if guarded:
            check_unvisited(walk, url)
        return _step(walk, lambda: look(walk, url, policy), act="open", depth=0)


def read_menu(
    owner: Owner, *, session: str | None = None, selector: str = ""
) -> tuple[View, list[str] | None]:
    """The current view, freshly read, and the ids of the items inside ``selector`` (None: of all).

    It keeps its token unless something else can be chosen by now.
    """
    with _in_turn(owner, session):
        walk = _walk(owner, session)
        row = current_view(walk)
        if row is None:
            view = _step(walk, lambda: look(walk, walk.address, POLICIES[NAVIGATION]), act="menu")
            return replace(view, notes=[INTERRUPTED]), None
        with _faults():
            seen, inside = see_again(walk, row, selector)
        items = arrange(seen.items, seen.url) if seen.status else row.items
        if not same_menu(items, row.items):
            view = _step(walk, lambda: replace(seen, items=items), act="menu")
        else:
            document = archived(seen)
            row.document = document or row.document
            view = View(walk, row, seen)
    if not selector:
        return view, None
    return view, [item["id"] for item in items if item["how"].get("within", item["id"] in inside)]


def choose(
    owner: Owner,
    item_id: str,
    token: str,
    *,
    settle: str = "",
    value: str | None = None,
    session: str | None = None,
    guarded: bool = False,
) -> View:
    """Follow a link, press a button, or fill in a field of the current view."""
    policy = _policy(settle)
    with _in_turn(owner, session):
        walk = _walk(owner, session)
        require_token(walk, token)
        row = current_view(walk)
        if row is None:
            message = "The walk was interrupted on the way here. Call research_menu to go on."
            raise WalkRefused("interrupted", message, current=walk.token)
        item = _item(row, item_id)
        check_item(item, value, _form(row, item))
        if item["href"]:
            check_address(item["href"])
        if guarded and item["href"]:
            check_unvisited(walk, item["href"])
        depth = walk.depths.get(walk.address, 0) + bool(item["href"])
        _check_depth(walk, depth)
        see = lambda: _chosen(walk, row, item, value, policy)  # noqa: E731 - one step of three that read alike
        return _step(walk, see, act="choose", chosen=item["label"] or item_id, depth=depth)


def navigate(
    owner: Owner,
    *,
    action: str = "",
    target: str = "",
    settle: str = "",
    session: str | None = None,
    guarded: bool = False,
    reached: Callable[[str], str] = str,
) -> View:
    """Back, forward, reload, or to an address, which may be relative to the current one.

    ``reached`` judges an address and gives how it may be asked for.
    """
    policy = _policy(settle)
    if bool(action) == bool(target):
        raise WalkRefused(
            "bad_arguments", f"Give either action ({', '.join(ACTIONS)}) or target (an address)."
        )
    action = action or (target if target in ACTIONS else "")
    with _in_turn(owner, session):
        walk = find_walk(owner, session)
        if walk is None or not walk.number:
            if action:
                raise WalkRefused("no_view", NOTHING_OPEN)
            walk = walk or begin_walk(owner)
        if not action:
            url = reached(_whole(walk, target))
            check_address(url)
            if guarded:
                check_unvisited(walk, url)
            return _step(walk, lambda: look(walk, url, policy), act="open", chosen=target, depth=0)
        position = _position(walk, action)
        url = walk.history[position]
        reload = action == RELOAD
        return _step(walk, lambda: look(walk, url, policy, anew=reload), act=action, position=position)


def _step(
    walk: Walk,
    see: Callable[[], Seen],
    *,
    act: str,
    chosen: str = "",
    depth: int | None = None,
    position: int | None = None,
) -> View:
    """Take a token, look, and record what was seen under it; the token goes back if nothing was."""
    _check_count(walk)
    take_number(walk)
    try:
        with _faults():
            seen = see()
    except WalkRefused as refused:
        give_number_back(walk)
        refused.detail.setdefault("current", walk.token)
        raise
    except BaseException:
        give_number_back(walk)
        raise
    if position is not None:
        walk.position = position
    if depth is not None:
        enter_history(walk, seen.url, depth=depth)
    elif walk.address:
        walk.history[walk.position] = seen.url
    return View(walk, record_view(walk, seen, act=act, chosen=chosen), seen)


def _chosen(walk: Walk, row: WalkView, item: JsonObject, value: str | None, settle: Settle) -> Seen:
    """What choosing an item leads to, without a browser as long as that can be."""
    how, form = item["how"], _form(row, item)
    if row.engine == plain.NAME:
        if how["kind"] == "link":
            return look(walk, item["href"], settle)
        if form and form["method"] == "get" and how["kind"] == "submit":
            return look(walk, plain.sent_to(form, how["pair"]), settle)
        if form and form["method"] == "get" and how["kind"] == "field":
            text = row.document.text if row.document else ""
            seen = plain.fill(row, item, (value or "").rstrip("\n"), text)
            sends = (value or "").endswith("\n")
            return look(walk, plain.sent_to(seen.forms[how["form"]], []), settle) if sends else seen
    browser = the_browser()
    if browser is None:
        message = f"{item['label'] or item['id']!r} works by a script, which needs a browser; {INSTALL}."
        raise WalkRefused("needs_browser", message, current=walk.token)
    return browser.choose(walk, row, item, value, settle)


def _walk(owner: Owner, session: str | None) -> Walk:
    walk = find_walk(owner, session)
    if walk is None or not walk.number:
        raise WalkRefused("no_view", NOTHING_OPEN)
    return walk


def _item(row: WalkView, item_id: str) -> JsonObject:
    found: JsonObject | None = next((item for item in row.items if item["id"] == item_id), None)
    if found is None:
        there = f"it has m0 to m{len(row.items) - 1}" if row.items else "nothing can be chosen in it"
        message = f"There is no item {item_id[:20]!r} in view v{row.number}; {there}. Nothing was chosen."
        raise WalkRefused("unknown_item", message, item=item_id[:20], current=f"v{row.number}")
    return found


def _form(row: WalkView, item: JsonObject) -> JsonObject | None:
    number = item["how"].get("form")
    return row.forms[number] if number is not None and number < len(row.forms) else None


def _position(walk: Walk, action: str) -> int:
    position = walk.position + {BACK: -1, FORWARD: 1, RELOAD: 0}[action]
    if not 0 <= position < len(walk.history):
        end = "first" if action == BACK else "last"
        message = f"There is nothing to go {action} to: this is the {end} page of the session."
        raise WalkRefused("no_history", message, current=walk.token)
    return position


def _whole(walk: Walk, target: str) -> str:
    try:
        return urljoin(walk.address, target.strip())
    except ValueError:
        raise WalkRefused("bad_arguments", f"{target[:100]!r} is not an address.") from None


def _policy(word: str) -> Settle:
    try:
        return settle_policy(word)
    except ValueError as error:
        raise WalkRefused("bad_arguments", str(error)) from None


def _check_count(walk: Walk) -> None:
    limit = settings.DOSSIER_BROWSE_MAX_VIEWS
    if walk.run_id and WalkView.objects.filter(walk__run=walk.run_id).count() >= limit:
        message = f"This run has opened {limit} views, which is its limit. Answer from what you have."
        raise WalkRefused("limit_reached", message, current=walk.token)


def _check_depth(walk: Walk, depth: int) -> None:
    limit = settings.DOSSIER_BROWSE_MAX_DEPTH
    if walk.run_id and depth > limit:
        message = f"This is {limit} links away from the page that was opened, which is the limit. Open another page."
        raise WalkRefused("limit_reached", message, current=walk.token)


@contextmanager
def _faults() -> Iterator[None]:
    """What kept a page from being read, as a refusal."""
    try:
        yield
    except FetchFault as fault:
        raise WalkRefused(fault.code, fault.message, retryable=fault.retryable) from None


@contextmanager
def _in_turn(owner: Owner, session: str | None) -> Iterator[None]:
    """One step of a walk after the other in this process; between processes the token decides."""
    known = owner.run_id or owner.person_id
    turn = _turns.setdefault(session or owner, _Turn()) if session or known else _Turn()
    with turn.lock:
        yield
