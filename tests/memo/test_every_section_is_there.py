import json
import re
from html import unescape

import pytest

from research.memo.labels import labels_for
from research.models import Source
from tests.cases import cases

SECTIONS = [
    "summary",
    "findings",
    "methodology",
    "limitations",
    "next_steps",
    "sources",
    "decision",
    "verbs",
    "heading_disclaimer",
]
SHORT = ["summary", "limitations", "next_steps", "heading_disclaimer"]
STATES = ["pending_review", "approved", "executed", "rejected"]
EDIT = {"op": "replace", "path": "/apex/name", "value": "Allianz Holding SE"}


def _sections(text, format):
    """Heading → what stands under it, in order."""
    pattern = r"^## (.+)$" if format == "md" else r"<h2>(.+?)</h2>"
    _, *parts = re.split(pattern, unescape(text), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


@cases("state", STATES)
@cases("format", ["md", "html"])
def test_it_has_every_section_in_order_in_every_state(decided, compose, labels, state, format):
    result = decided(state, edits=[EDIT])
    text = compose(result, format=format, language=labels.language)
    assert list(_sections(text, format)) == [labels(name) for name in SECTIONS]
    assert labels(f"state_{state}") in unescape(text)


@pytest.mark.parametrize("format", ["md", "html"])
def test_it_has_a_short_form(decided, compose, format):
    text = compose(decided("approved"), format=format, style="bullets")
    assert list(_sections(text, format)) == [labels_for("en")(name) for name in SHORT]


@pytest.mark.parametrize("state", STATES)
def test_its_json_has_every_section(decided, compose, state):
    memo = json.loads(compose(decided(state), format="json"))
    assert set(SECTIONS) - {"heading_disclaimer"} < set(memo)
    assert memo["state"] == state
    assert memo["data"]["apex"]["name"] == "Allianz SE"


@pytest.mark.parametrize("format", ["md", "html"])
def test_a_pending_result_is_signed_by_nobody(decided, compose, format):
    text = compose(decided("pending_review"), format=format)
    assert "nobody has signed" in text
    assert "No decision yet." in text
    assert "None has been executed." in text
    assert "A person with the right to decide reviews this result." in text


@pytest.mark.parametrize("format", ["md", "html"])
def test_a_rejection_is_told_with_its_reason(decided, compose, format):
    text = compose(decided("rejected"), format=format)
    for word in ("Rejected", "reviewer", "The wrong company."):
        assert word in text
    assert "None has been executed." in text


@pytest.mark.parametrize("format", ["md", "html"])
def test_an_approval_is_bound_to_its_bytes(decided, compose, format):
    result = decided("approved", edits=[EDIT])
    text = compose(result, format=format)
    assert result.decision.digest in text
    assert result.decision.result_digest in text
    assert result.decision.digest != result.decision.result_digest
    assert "not executed yet" in text


@pytest.mark.parametrize("format", ["md", "html"])
def test_an_executed_verb_is_told_with_what_it_changed(decided, compose, format):
    text = compose(decided("executed"), format=format)
    assert "(gleif.enrich" in text
    assert "executed · allianz-se: created" in text
    assert "not executed yet" not in text


@pytest.mark.parametrize("format", ["md", "html"])
def test_a_verb_that_failed_is_told_with_its_reason(decided, compose, format):
    result = decided("approved")
    result.decision.verb_calls.update(
        state="failed", error={"code": "gleif", "message": "The register is down."}
    )
    text = compose(result, format=format)
    assert "✗" in text
    assert "failed · The register is down." in text


@pytest.mark.parametrize("format", ["md", "html"])
def test_sources_keep_their_numbers_and_their_dates(make_result, compose, format):
    result = make_result()
    for number in (7, 2):
        Source.objects.create(
            run=result.run, number=number, key=str(number), title=f"Record {number}", as_of="2026-01-02"
        )
    text = compose(result, format=format)
    assert text.index("Record 2") < text.index("Record 7")
    assert "7. Record 7" in text or '<li value="7"><bdi>Record 7' in text
    assert "demo, as of 2026-01-02" in text


@pytest.mark.parametrize(
    ("as_of", "told"),
    [("2026-01-02T08:00:00Z", "· 2026-01-02\n"), ("early in the year 2026", "· early in the year 2026\n")],
)
def test_of_a_moment_a_source_tells_the_day_and_of_anything_else_all(make_result, compose, as_of, told):
    result = make_result()
    Source.objects.create(run=result.run, number=1, key="1", title="Record", as_of=as_of)
    assert told in compose(result)


@pytest.mark.parametrize("format", ["md", "html"])
def test_what_the_data_says_of_itself_is_told_where_it_belongs(make_result, compose, format):
    text = compose(make_result(limitations=["The register was slow."], ungrounded=True), format=format)
    parts = dict(zip(SECTIONS, _sections(text, format).values(), strict=True))
    assert "The group has two funds." in parts["summary"]
    assert "The register was slow." in parts["limitations"]
    assert "No supervisor was asked." in parts["limitations"]
    assert "Ungrounded" in parts["limitations"]
    assert "Ask the supervisor." in parts["next_steps"]
    for told in ("The group has two funds.", "No supervisor was asked.", "Ask the supervisor."):
        assert text.count(told) == 1
