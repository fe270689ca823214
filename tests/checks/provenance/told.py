"""Runs as values: what tools answered, and what the check says of a document that was written from it."""

import uuid
from datetime import date

from research.checks.provenance.check import check_provenance
from research.engine.run_corpus import told
from research.models import Step

TODAY = date(2026, 11, 22)


def step(tool, arguments, data=None, *, error=None):
    """A call as the journal keeps it."""
    answer = {"success": True, "data": data} if error is None else {"success": False, "error": error}
    return Step(kind="tool", name=tool, intent={"arguments": arguments}, answer=answer)


def search(name, *records, nearest=()):
    """The register's answer to a search by name."""
    data = {
        "query": name,
        "outcome": "one" if records else "none",
        "message": "" if records else f"Nobody in the register is called “{name}”.",
        "leis": [],
        "candidates": list(records),
        "register": "gleif",
        "as_of": "2026-11-20T00:00:00Z",
    }
    return step("lei_search", {"name": name}, {**data, "nearest": list(nearest)} if nearest else data)


def record(lei, name, jurisdiction="DE", **more):
    """The register's record of one entity."""
    return {"lei": lei, "name": name, "jurisdiction": jurisdiction, "registration_status": "ISSUED", **more}


def looked_up(lei, name, jurisdiction="DE", **more):
    return step("lei_record", {"lei": lei}, {**record(lei, name, jurisdiction, **more), "register": "gleif"})


def page(text, url="https://example.com/report", title="Report"):
    """A page that was read at an address which a search had given."""
    return step("extract_content", {"urls": [url]}, {"pages": [{"url": url, "title": title, "text": text}]})


def verdicts(data, *steps, question=None, schema=None):
    heard = told(uuid.uuid4(), steps, question, children=False, pages=False, today=TODAY)
    return check_provenance(data, schema or {}, heard)


def marks(data, *steps, question=None, schema=None):
    """What is not found, as {place: code}; nothing for what is."""
    found = verdicts(data, *steps, question=question, schema=schema)
    return {verdict.pointer: verdict.code for verdict in found if verdict.verdict != "pass"}
