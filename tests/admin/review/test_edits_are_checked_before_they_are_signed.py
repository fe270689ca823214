import json

import pytest

from research.models import Decision
from tests.admin.review.conftest import ALLIANZ, ALLIANZ_GI, RETIRED

pytestmark = pytest.mark.django_db


def edit(op, path, *value):
    return {"op": op, "path": path, **({"value": value[0]} if value else {})}


def test_it_checks_the_edited_value_again(page):
    page.press("preview", {"/head/lei": RETIRED})

    assert "The registration of this LEI is RETIRED" in page.text
    assert page.view.edits == [edit("replace", "/head/lei", RETIRED)]
    assert not Decision.objects.exists()


def test_it_lets_the_verbs_follow_the_edits(page):
    page.press("preview", {"/head/name": "Another SE", "/head/lei": ""})

    assert [line.number for line in page.view.verb_lines if line.changed]
    assert (
        '(entity.ensure :entity-type "limited-company" :name "Another SE" :as @head)' in page.view.verbs_text
    )
    assert "with your edits" in page.text


def test_it_speaks_of_no_edits_where_there_are_none(page):
    page.press("preview")

    assert page.view.preview is None
    assert '<li class="verdicts-note">' not in page.text


def test_it_keeps_the_edits_in_the_fields_and_shows_what_they_were(page):
    page.press("preview", {"/head/name": "Another SE", "/note": "three\nnew\nlines"})

    assert page.fields["leaf:/head/name"] == "Another SE"
    assert page.fields["shown:/head/name"] == "Allianz SE"
    assert page.fields["leaf:/note"] == "three\nnew\nlines"
    assert page.view.edits[0] == edit("replace", "/head/name", "Another SE")
    assert ">Allianz SE</del>" in page.text


def test_it_takes_one_edit_back(page):
    page.press("preview", {"/head/name": "Another SE", "/head/staff": "13"})
    page.press("preview", revert="/head/name")

    assert page.fields["leaf:/head/name"] == "Allianz SE"
    assert page.view.edits == [edit("replace", "/head/staff", 13)]


def test_it_takes_all_edits_back(page):
    page.press("preview", {"/head/name": "Another SE"})
    page.press("preview", discard="1")

    assert page.view.edits == []


def test_it_says_at_the_field_what_cannot_be_read_and_checks_the_rest(page):
    page.press("preview", {"/head/staff": "a dozen", "/head/lei": RETIRED})

    assert "This must be a whole number" in page.text
    assert page.fields["leaf:/head/staff"] == "a dozen"
    assert 'aria-invalid="true"' in page.text
    assert "The registration of this LEI is RETIRED" in page.text


def test_it_names_the_field_that_breaks_the_schema(page):
    page.press("confirm", {"/head/name": ""})

    assert page.page.status_code == 422
    assert not page.view.confirming
    assert [problem.place for problem in page.view.problems] == ["Name"]


def test_it_lists_every_edit_before_the_signature(page):
    page.press(
        "confirm", {"/head/name": "Another SE", "/head/listed": "null"}, **{"remove:/findings/1": "on"}
    )

    assert page.view.confirming
    assert [
        (change.word, change.place, change.old.text, change.new.text) for change in page.view.changes
    ] == [
        ("changed", ("Head of the group", "Name"), "Allianz SE", "Another SE"),
        ("changed", ("Head of the group", "Listed"), "true", "null"),
        ("removed", ("Findings", "2"), "second", "absent"),
    ]


def test_it_offers_a_blank_item_and_adds_what_is_typed_into_it(page):
    page.press("preview", more="/funds")
    assert page.fields["leaf:/funds/2/name"] == ""

    page.press("preview", {"/funds/2/name": "New fund", "/funds/2/lei": ALLIANZ_GI})

    assert page.view.edits == [edit("add", "/funds/-", {"name": "New fund", "lei": ALLIANZ_GI})]
    assert page.view.badges["/funds/2/lei"].passes


def test_it_keeps_checks_beside_their_rows_when_an_item_before_them_is_removed(browse, make_result, reviewer):
    funds = [{"name": "gone"}, {"name": "Allianz Global Investors GmbH", "lei": RETIRED}]
    page = browse(make_result({"head": {"name": "x"}, "funds": funds}), reviewer)

    page.press("preview", **{"remove:/funds/0": "on"})

    assert page.view.badges["/funds/1/lei"].worst == "fail"
    assert "/funds/0/lei" not in page.view.badges


def test_it_edits_the_whole_document_as_raw_json_and_comes_back_to_the_fields(page):
    page.press("to-raw", {"/head/name": "Another SE"})
    document = json.loads(page.fields["raw"])
    assert document["head"]["name"] == "Another SE"

    del document["funds"][0]
    document["head"]["extra"] = {"deep": [9007199254740993]}
    page.press("to-fields", raw=json.dumps(document))

    assert page.fields["leaf:/head/extra/deep/0"] == "9007199254740993"
    page.press("preview", {"/head/staff": "13"})
    assert page.view.edits == [
        edit("replace", "/head/name", "Another SE"),
        edit("replace", "/head/staff", 13),
        edit("add", "/head/extra", {"deep": [9007199254740993]}),
        edit("remove", "/funds/0"),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{\n  "head": }', "line 2, column 11"),
        ("[" * 100_000, "nested deeper"),
        ('{"head": NaN}', "NaN"),
        ("[]", "JSON object"),
    ],
)
def test_it_says_what_is_wrong_with_raw_json_and_keeps_the_text(page, text, words):
    page.press("to-raw")
    page.press("confirm", raw=text)

    assert page.page.status_code == 422
    assert words in page.text
    assert page.fields["raw"] == text


def test_it_refuses_a_base_that_does_not_apply(page):
    page.press("preview", base='[{"op": "remove", "path": "/nowhere"}]')

    assert "do not apply" in page.text
    assert page.view.edits == []


def test_it_ignores_fields_that_it_did_not_show(page):
    page.press(
        "preview", {"/head/admin": "true", "/nowhere": "x"}, **{"remove:/head": "on", "add:/head": "3"}
    )

    assert page.view.edits == []


def test_it_says_that_checks_could_not_be_asked_when_the_register_is_down(page, monkeypatch):
    monkeypatch.setattr("research.services.reviews.open_register", lambda name: Down())

    page.press("preview", {"/head/name": "Another SE"})

    assert page.page.status_code == 200
    assert {check.verdict for check in page.view.checks if check.kind == "lei"} <= {"unknown", "pass"}


class Down:
    """A register that cannot be reached."""

    name, as_of, label = "gleif", "", "GLEIF"

    def __getattr__(self, name):
        from entities.gleif.errors import GleifUnavailable

        def down(*args, **options):
            raise GleifUnavailable("down")

        return down


def test_it_leaves_the_stored_result_as_it_was(page, result):
    before = dict(result.data)
    page.press("preview", {"/head/lei": ""})
    result.refresh_from_db()

    assert result.data == before
    assert result.data["head"]["lei"] == ALLIANZ


def test_it_offers_the_successor_of_a_retired_lei_with_one_click(page):
    page.press("preview", {"/head/lei": RETIRED})
    assert ("use", f"/head/lei {ALLIANZ_GI}") in page.buttons

    page.press("preview", use=f"/head/lei {ALLIANZ_GI}")

    assert page.view.edits == [edit("replace", "/head/lei", ALLIANZ_GI)]


def test_it_offers_no_replacement_for_a_text_that_only_mentions_an_lei(page):
    page.press("preview", {"/findings/0": f"see {RETIRED}"})

    assert page.view.badges["/findings/0"].suggestions
    assert not [value for name, value in page.buttons if name == "use"]
