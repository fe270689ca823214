import json

import pytest
from django.utils import timezone

from research.models import Check


@pytest.fixture
def checked(make_result):
    """A pending result with checks given as (pointer, code, verdict, message)."""

    def make(*checks):
        result = make_result()
        Check.objects.bulk_create(
            Check(
                result=result,
                ordinal=ordinal,
                kind="lei",
                pointer=pointer,
                code=code,
                verdict=verdict,
                message=message,
                checked_at=timezone.now(),
            )
            for ordinal, (pointer, code, verdict, message) in enumerate(checks)
        )
        return result

    return make


def _line(text, start):
    (line,) = [line for line in text.splitlines() if line.strip().startswith(start)]
    return line


def test_checks_that_pass_are_one_number(checked, compose):
    passes = [("/apex/lei", f"c{n}", "pass", f"Sentence {n}.") for n in range(9)]
    text = compose(checked(*passes))
    assert _line(text, "- **LEI:**") == "- **LEI:** 529900K9B0N5BT694847 (✓ 9 checks pass)"
    assert "Sentence" not in text


def test_one_check_is_told_in_the_singular(checked, compose):
    assert "(✓ 1 check passes)" in compose(checked(("/apex/lei", "format", "pass", "Fine.")))


def test_a_check_without_an_answer_is_named(checked, compose):
    result = checked(("/apex/lei", "registration_status", "unknown", "The register is silent."))
    text = compose(result)
    assert _line(text, "- **LEI:**").endswith("(? unknown: registration status)")
    assert "- ? unknown: The register is silent. (Allianz SE)" in text
    assert "1 check has no answer" in text


@pytest.mark.parametrize(("verdict", "mark"), [("warn", "! warning"), ("fail", "✗ failed")])
def test_a_warning_or_a_failure_is_told_in_full_right_below(checked, compose, verdict, mark):
    lines = compose(checked(("/apex/lei", "successor", verdict, "It was merged."))).splitlines()
    assert lines[lines.index("- **LEI:** 529900K9B0N5BT694847") + 1] == f"  - {mark}: It was merged."


def test_html_tells_the_same(checked, compose):
    result = checked(
        ("/apex/lei", "format", "pass", "Fine."),
        ("/apex/lei", "renewal", "unknown", "Silence."),
        ("/funds/1", "name", "warn", "Hm."),
    )
    text = compose(result, format="html")
    assert '529900K9B0N5BT694847</bdi><span class="pass"><bdi> (✓ 1 check passes)</bdi></span>' in text
    assert '<span class="unknown"><bdi> (? unknown: renewal)</bdi></span>' in text
    assert '<span class="warn"><bdi>! warning:</bdi></span><bdi> Hm.</bdi>' in text


def test_a_failure_is_a_next_step(checked, compose):
    text = compose(checked(("/apex/lei", "successor", "fail", "It was merged.")))
    assert "Clear up: It was merged. (Allianz SE)" in text.partition("## Next steps")[2]


def test_open_points_come_gravest_first_each_sentence_once(checked, compose):
    result = checked(
        ("/funds/0/name", "a", "warn", "Twice."),
        ("/apex/lei", "b", "fail", "Once."),
        ("/funds/1/name", "a", "warn", "Twice."),
        ("/apex/name", "c", "unknown", "Open."),
    )
    points = json.loads(compose(result, format="json"))["points"]
    assert [(point["verdict"], point["places"]) for point in points] == [
        ("fail", "Allianz SE"),
        ("unknown", "Allianz SE"),
        ("warn", "First Fund, Second Fund"),
    ]


@pytest.mark.parametrize("pointer", ["", "/nowhere", "/apex/missing", "/funds/99/lei"])
def test_a_check_of_what_is_not_there_is_not_lost(checked, compose, pointer):
    for format in ("md", "html"):
        assert "Something is missing." in compose(
            checked((pointer, "required", "fail", "Something is missing.")), format=format
        )


def test_a_check_of_a_whole_group_stands_at_the_group(checked, compose):
    lines = compose(checked(("/apex", "required", "fail", "A field is missing."))).splitlines()
    assert lines[lines.index("### Head of the group") + 2] == "- ✗ failed: A field is missing."


def test_what_another_section_tells_is_a_finding_only_when_it_needs_attention(checked, compose):
    pointer = "/summary/data_gaps/0"
    quiet = compose(checked((pointer, "lei", "pass", "Fine.")))
    loud = compose(checked((pointer, "lei", "warn", "That LEI has lapsed.")))
    assert quiet.count("No supervisor was asked.") == 1
    assert loud.count("No supervisor was asked.") == 2


def test_a_decision_shows_the_checks_it_was_made_on(decided, compose):
    edit = {"op": "add", "path": "/funds/0/lei", "value": "529900K9B0N5BT694848"}
    text = compose(decided("approved", edits=[edit]))
    assert "✗ failed: 529900K9B0N5BT694848 is no LEI" in text


def test_without_checks_it_says_so(make_result, compose):
    assert compose(make_result()).count("No checks were run.") == 2
