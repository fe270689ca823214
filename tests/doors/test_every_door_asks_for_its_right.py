"""Every URL, method and tool, before nine kinds of people, with a session and with a token.

The doors come from the URL resolver and the catalogue of tools, what they ask for from ``table.py``. A door is shut
when nothing was written and nothing of the house was told; a door that should be open is shown to be one.
"""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.http import HttpResponseForbidden
from django.template.response import SimpleTemplateResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from drf_spectacular.views import SpectacularAPIView
from rest_framework.response import Response
from rest_framework.throttling import SimpleRateThrottle

from config import urls
from config.site import DossierSite
from research.mcp.catalogue import call, offers
from research.sign_in.passwords import Passwords
from tests.doors.table import ADMIN, ASKS, MARK, MCP, OWNED, REST, TABLES

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
SHUT = {401, 403, 404}
NO_FACTS = (
    "django_session",
    "research_idempotencykey",
    "django_admin_log",
    "citations_citationallowance",
    "research_lockout",
    "entities_entitylook",
)
EMPTY = {
    "entities_entity_undo",
    "entities_entity_lift",
    "api-register-candidates",
    "api-register-record",
    "api-lei-search",
    "api-result-rollback",
    "single_sign_on",
    "single_sign_on_done",
    "second_factor_remove",
    "passkey",
}
"""Nothing is set up there to be found, so 404, or the way back to the log-in, is the answer to everybody."""
ROW = re.compile(r"^(?!auth_user_password)(\w+?_\w+?)_(changelist|add|history|delete|change)$")


@dataclass(frozen=True)
class Door:
    """An address, a method, a body that is good, and the rights that are asked for; None where nobody may."""

    name: str
    url: str
    method: str
    body: Any
    rights: tuple[str, ...] | None


@pytest.fixture(autouse=True)
def no_hurry(monkeypatch, settings):
    """Nobody is too fast here."""
    settings.DOSSIER_MCP_CALLS_PER_MINUTE = 1_000_000
    settings.DOSSIER_SECOND_FACTOR = "optional"
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"  # not read for each request
    monkeypatch.setattr(
        SpectacularAPIView, "_get_schema_response", lambda *args: Response({})
    )  # a second each
    logging.disable()
    monkeypatch.setattr(SimpleRateThrottle, "allow_request", lambda *args: True)
    yield
    logging.disable(logging.NOTSET)


def patterns(found: list[Any], before: str = "") -> Iterator[tuple[str, URLPattern]]:
    for one in found:
        if isinstance(one, URLResolver):
            yield from patterns(one.url_patterns, before + str(one.pattern))
        else:
            yield before + str(one.pattern), one


def routes() -> list[tuple[str, str, URLPattern]]:
    """(name, route, pattern) of every address; the name of what has none is empty."""
    return [(one.name or "", route, one) for route, one in patterns(get_resolver().url_patterns)]


def test_every_route_is_written_down():
    """A new address needs a line in the table, and a line needs an address."""
    rest = {name for name, route, _ in routes() if not route.startswith("admin/") and route != "api/v1/"}
    pages = {name for name, route, _ in routes() if route.startswith("admin/") and name}
    tables = {match[1] for name in pages if (match := ROW.match(name))}
    assert rest == set(REST)
    assert tables == set(TABLES)
    assert {name for name in pages if not ROW.match(name)} == set(ADMIN)
    assert set(MCP) >= set(offers())


def test_every_door_of_rest_asks_for_its_right(house, roles, record_property):
    doors = list(rest_doors(house))
    cells = [cell for role in roles.values() for door in doors for cell in both(role, door)]
    require_right_cells(record_property, "REST", cells)


def test_every_page_of_the_admin_asks_for_its_right(house, roles, record_property):
    doors = list(admin_doors(house))
    cells = [tried(role, "session", role.session, door) for role in roles.values() for door in doors]
    master = roles["superuser"]
    cells += [
        tried(roles["anonymous"], "token", master.token, door)  # a token opens no page
        for door in doors
        if door.rights != ("anybody",)
    ]
    require_right_cells(record_property, "admin", cells)


def test_every_tool_for_agents_asks_for_its_right(house, roles, record_property):
    names = list(offers())
    cells = [asked(role, name, house) for role in roles.values() if role.person for name in names]
    require_right_cells(record_property, "MCP", cells)


def require_right_cells(record_property: Any, what: str, cells: list[str | None]) -> None:
    """All the cells that are wrong, at once."""
    wrong = [cell for cell in cells if cell]
    record_property(what, len(cells))
    assert len(cells) > 300
    assert not wrong, f"{len(wrong)} of {len(cells)} cells:\n" + "\n".join(wrong[:60])


def both(role: Any, door: Door) -> Iterator[str | None]:
    """A method that the table does not have is nobody's, whatever is carried: it is tried once."""
    yield tried(role, "session", role.session, door)
    unknown = role.person is None and door.rights == ("anybody",)  # a token that opens nothing is always 401
    if door.rights is not None and door.method != "HEAD" and not unknown:
        yield tried(role, "token", role.token, door)


def tried(role: Any, way: str, client: Client, door: Door) -> str | None:
    """None when the door behaves as is written; else a line that says how it did."""
    held = door.rights is not None and role.holds(door.rights)
    if door.name == "api-token-current" and way == "session":
        held = False  # there is no token to be revoked
    kind = "application/json" if door.url.startswith("/api/") else "application/x-www-form-urlencoded"
    cookies = SimpleCookie(client.cookies)
    with transaction.atomic():
        with writing() as written, in_short(role, held=held):
            answer = client.generic(door.method, door.url, door.body, content_type=kind)
        transaction.set_rollback(True)
    client.cookies = cookies  # logging out is one of the doors
    line = f"{role.name} ({way}) {door.method} {door.name}: {answer.status_code}"
    if held:
        return f"{line}, should be open" if shut(answer) and door.name not in EMPTY else None
    if not shut(answer) and answer.status_code not in (302, 405) and door.method != "OPTIONS":
        return f"{line}, should be shut"
    if not answer.streaming and MARK.encode() in answer.content:
        return f"{line} told something"
    return f"{line} wrote {written[0][:120]}" if written else None


@contextmanager
def in_short(role: Any, *, held: bool) -> Iterator[None]:
    """What says nothing of a door is done once for all, and not for each of thousands of requests.

    Who it is and which rights they have is known. An open door is told from the status: its page, and what stands
    around it, is written out for the superuser. Why a door is shut is told in a page for who has no rights, and
    without one for others.
    """
    with pytest.MonkeyPatch.context() as patched:
        if role.person:
            patched.setattr(Passwords, "get_user", lambda backend, pk: known(role, pk))
            patched.setattr(User, "from_db", reading(role))
        if held and role.name != "superuser":
            patched.setattr(SimpleTemplateResponse, "rendered_content", "")
            patched.setattr(DossierSite, "each_context", lambda site, request: {})
        if role.name != "no rights":
            patched.setattr(urls, "handler403", refused, raising=False)
        yield


def known(role: Any, pk: Any) -> Any:
    """As read from the database anew; with the rights that the backend found when they were given."""
    assert int(pk) == role.person.pk
    return copy(role.person)


def reading(role: Any) -> Any:
    """People as they are read for a token, and this one with the same rights."""
    read = User.from_db

    def from_db(*row: Any) -> User:
        person = read(*row)
        if person.pk == role.person.pk:
            person._perm_cache = role.rights
        return person

    return from_db


def refused(request: Any, exception: Exception) -> HttpResponseForbidden:
    return HttpResponseForbidden(str(exception))


def shut(answer: Any) -> bool:
    to_log_in = answer.status_code == 302 and "/login/" in answer["Location"]
    return to_log_in or answer.status_code in SHUT


def asked(role: Any, name: str, house: dict[str, Any]) -> str | None:
    """The same for a tool of an agent."""
    held = role.holds(MCP[name])
    with transaction.atomic():
        with writing() as written:
            answer = call(name, arguments_for(name, house), role.person)
        transaction.set_rollback(True)
    error = answer.get("error", {}).get("code", "")
    line = f"{role.name} {name}: {error or 'done'}"
    if held:
        return f"{line}, should be open" if error in ("unknown_tool", "not-permitted") else None
    if error not in ("unknown_tool", "not-permitted"):
        return f"{line}, should be shut"
    return f"{line} wrote" if written or MARK in str(answer) else None


@contextmanager
def writing() -> Iterator[list[str]]:
    """The statements that write, but for those of sessions and the like."""
    written: list[str] = []

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")) and not any(name in sql for name in NO_FACTS):
            written.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield written


def rest_doors(house: dict[str, Any]) -> Iterator[Door]:
    """Every method of every address outside of the admin; a method that is not written down is nobody's."""
    about = addresses(house)
    for name, route, _ in routes():
        if route.startswith("admin/") or route == "api/v1/":
            continue
        url = reverse(name, kwargs=about.get(name, {})) if name else f"/{route}"
        for method in METHODS:
            rights = REST[name].get("GET" if method == "HEAD" else method)
            body = json.dumps(bodies(house).get((name, method), {}))
            query = QUERIES.get(name, "") if method in ("GET", "HEAD") else ""
            yield Door(name, url + query, method, body if method not in ("GET", "HEAD") else "", rights)


def addresses(house: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What stands in the place of the variable parts of an address, by its name."""
    of = {kind: {"pk": row.pk} for kind, row in house.items()}
    slug = {"slug": house["entity"].slug}
    entity = (
        "",
        "-timeline",
        "-forms",
        "-research",
        "-research-end",
        "-export",
        "-selections",
        "-related",
        "-owners",
        "-freshness",
        "-screenings",
        "-facts",
        "-statements",
    )
    result = ("", "-approve", "-reject", "-rerun", "-verbs", "-memo")
    return {
        **{f"api-entity{part}": slug for part in entity},
        **{f"api-result{part}": of["result"] for part in result},
        **{f"api-result-{part}": of["approved"] for part in ("execute", "rollback")},
        **{f"api-run{part}": of["run"] for part in ("", "-steps", "-cancel")},
        **{f"api-webhook{part}": of["hook"] for part in ("", "-secret", "-test", "-deliveries")},
        "api-macro": {"name": house["macro"].name},
        "api-run-events": of["failed"],
        "api-run-resume": of["failed"],
        "api-run-finish": of["failed"],
        "api-run-confirm": of["waiting"],
        "api-document": of["document"],
        "api-browse": {"tool": "open"},
        "api-session": of["session"],
        "api-watch": of["watch"],
        "api-watch-refresh": of["watch"],
        "api-delivery": of["sent"],
        "api-delivery-resend": of["sent"],
        "api-form-end": of["form"],
        "api-pair": of["pair"],
        "api-pair-judgement": of["pair"],
        **{f"api-anomaly{part}": of["anomaly"] for part in ("", "-assignment", "-decision")},
        "api-statement-reasons": of["statement"],
        "api-selection": of["choice"],
        "api-selection-correction": of["choice"],
        "api-register-candidates": {"register": "zefix"},
        "api-register-record": {"register": "zefix", "number": "1"},
        "api-screening-hit": of["hit"],
        "api-screening-decision": of["hit"],
        "api-lei": {"lei": LEI},
    }


LEI = "529900K9B0N5BT694847"
QUERIES = {
    "api-lei-search": "?name=Allianz",
    "api-entity-resolve": "?text=Company",
    "api-screening": "?name=Company",
}


def bodies(house: dict[str, Any]) -> dict[tuple[str, str], Any]:
    """What is sent by whoever may: a body that is refused as such would show nothing about rights."""
    digest = house["result"].digest
    return {
        ("api-runs", "POST"): {"macro": house["macro"].name, "params": {"client_name": "Allianz SE"}},
        ("api-result-approve", "POST"): {"digest": digest, "note": "Read."},
        ("api-result-reject", "POST"): {"digest": digest, "reason": "No."},
        ("api-result-rerun", "POST"): {"digest": digest, "feedback": "Again."},
        ("api-result-rollback", "POST"): {"reason": "Wrong."},
        ("api-entities-enrich", "POST"): {"identifiers": [LEI]},
        ("api-watch", "PATCH"): {"importance": 9},
        ("api-webhooks", "POST"): {"url": "https://93.184.216.34/hook"},
        ("api-webhook", "PATCH"): {"description": "taken over"},
        ("api-entities", "POST"): {"type": "legal-entity", "name": "Muster AG"},
        ("api-entity-resolve", "POST"): {"text": "Company"},
        ("api-entity-forms", "POST"): {"type": "isin", "key": "US5949181045"},
        ("api-form-end", "POST"): {"reason": "It is over."},
        ("api-entity-research", "POST"): {"type": "note", "data": {"a": 1}},
        ("api-entity-research-end", "POST"): {"reason": "It is over."},
        ("api-entity-export", "POST"): {"reason": "Asked for."},
        ("api-entity-selections", "POST"): {"register": "zefix", "none_of_these": True, "reason": "None."},
        ("api-pair-judgement", "POST"): {"judgement": "different", "reason": "Two companies."},
        ("api-selection-correction", "POST"): {"kind": "unlink", "reason": "Wrong.", "digest": "0" * 64},
        ("api-screening-decision", "POST"): {"revision": 1, "verdict": "unsure", "reason": "Read."},
        ("api-anomaly-decision", "POST"): {"reason": "Fine.", "digest": house["anomaly"].digest},
        ("api-lei-check", "POST"): {"leis": [LEI]},
        ("api-citations-extract", "POST"): {"text": "BGE 147 III 1"},
        ("api-citations-verify", "POST"): {"text": "BGE 147 III 1"},
        ("api-citations-format", "POST"): {"text": "BGE 147 III 1"},
    }


def admin_doors(house: dict[str, Any]) -> Iterator[Door]:
    """GET and POST of every page; the rows of a table are those of the house."""
    people = {"auth_user": User.objects.order_by("pk").values_list("pk", flat=True)[0]}
    rows = people | {row._meta.label_lower.replace(".", "_"): row.pk for row in house.values()}
    for name, _, pattern in routes():
        if not pattern.default_args and name and (name in ADMIN or ROW.match(name)):
            match = ROW.match(name)
            table = match[1] if match else re.sub(r"^([a-z]+_[a-z]+)_.*", r"\1", name)
            values = {
                **FILLED,
                "statement": house["statement"].pk,
                "digest": house["table"].digest,
                **{key: rows.get(table, 1) for key in ("pk", "object_id", "id", "run_id")},
            }
            kwargs = {key: values[key] for key in pattern.pattern.converters}
            if name == "app_list":
                kwargs = {"app_label": "research"}
            url = reverse(f"admin:{name}", kwargs=kwargs)
            for method in ("GET", "POST"):
                rights = page_rights(table, match[2], method) if match else ADMIN[name]
                yield Door(name, url, method, FORMS.get(name, "") if method == "POST" else "", rights)


FILLED = {"number": 1, "factor_id": 1, "act": 1, "macro_id": 1, "content_type_id": 1, "app_label": "research"}
FORMS = {"research_webhook_change": "url=https%3A%2F%2F93.184.216.34%2F&description=taken+over&active=on"}


def page_rights(table: str, page: str, method: str) -> tuple[str, ...] | None:
    """Of the five pages that each table has; None where nobody may, not even a superuser."""
    app, _, model = table.partition("_")
    own = ("mine",) if table in OWNED and page in ("change", "delete", "history") else ()
    view = (f"{app}.view_{model}",)
    if page in ("changelist", "history") or (page == "change" and method == "GET"):
        return (*view, *own)
    if page not in TABLES[table].split():
        return None
    return (ASKS.get(table, {}).get(page, f"{app}.{page}_{model}"), *own)


def arguments_for(name: str, house: dict[str, Any]) -> dict[str, Any]:
    """Arguments that a tool takes; where none are here, it is asked without, which rights come before."""
    run, result = str(house["run"].pk), str(house["result"].pk)
    decided = {"result_id": result, "digest": house["result"].digest}
    return {
        "research_get": {"macro_name": house["macro"].name},
        "research_execute": {"macro_name": house["macro"].name, "params": {"client_name": "Allianz SE"}},
        "research_status": {"run_id": run},
        "research_result": {"result_id": result},
        "research_memo": {"result_id": result},
        "research_confirm": {"run_id": str(house["waiting"].pk), "phase": "x"},
        "research_cancel": {"run_id": run},
        "research_finish": {"run_id": run},
        "research_approve": decided,
        "research_reject": {**decided, "reason": "No."},
    }.get(name, {})
