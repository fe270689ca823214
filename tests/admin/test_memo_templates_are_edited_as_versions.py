"""Templates of memos are edited beside a preview; an edit is the next version, an earlier one can be taken up again."""

import re

import pytest
from django.urls import reverse

from research.admin.memo_template_form import initial_values
from research.memo.template import PARTS
from research.models import Memo, MemoTemplate, ResearchResult
from research.services.memo_templates import save_template
from research.services.memos import compose_memo
from tests.factories import ResultFactory, UserFactory

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def editor(client):
    person = UserFactory(
        is_staff=True,
        rights=["add_memotemplate", "view_memotemplate", "view_researchresult"],
    )
    client.force_login(person)
    return person


def url(name, *args):
    return reverse(f"admin:research_memotemplate_{name}", args=args)


def filled(**changes):
    """What a browser sends of the form as it is shown at first."""
    values = {**initial_values(None), "note": "Because.", **changes}
    return {
        name: "on" if value is True else value for name, value in values.items() if value not in (None, False)
    }


def test_the_form_begins_with_the_template_that_comes_with_dossier(client, editor):
    page = client.get(url("new")).content.decode()
    assert 'value="standard"' in page
    places = re.findall(r'name="([a-z_]+)-place" value="(\d+)"', page)
    assert [key for key, _ in places][:3] == ["summary", "report", "findings"]
    assert [place for _, place in places] == [str(number) for number in range(1, len(PARTS) + 1)]


def test_saving_makes_the_next_version_and_the_active_one(client, editor):
    for header in ("First & Co", "Second & Co"):
        answer = client.post(url("new"), filled(header=header))
        assert answer.status_code == 302, answer.content.decode()
    rows = list(MemoTemplate.objects.order_by("version"))
    assert [(row.version, row.active, row.values["header"]) for row in rows] == [
        (1, False, "First & Co"),
        (2, True, "Second & Co"),
    ]
    assert rows[1].created_by == editor


def test_sections_are_reordered_left_out_and_given_words(client, editor, compose_text):
    changes = {
        "verbs-place": "",
        "limitations-place": "1",
        "summary-place": "2",
        "report-place": "3",
        "limitations-heading": "Read this first",
        "summary-intro": "Dear client,\n\nhere it is.",
        "summary-closing": "So far.",
        "disclaimer": "Our own words.",
        "header": "Muster & Partner",
    }
    client.post(url("new"), filled(**changes))
    text = compose_text()
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings[:2] == ["Read this first", "Executive summary"]
    assert "Executed verbs" not in headings
    assert text.startswith("Muster & Partner\n\n# ")
    assert text.index("Dear client,") < text.index("here it is.") < text.index("So far.")
    assert text.rstrip().endswith("Our own words.")


@pytest.fixture
def compose_text():
    def compose(**options):
        result = ResearchResult.objects.first() or ResultFactory()
        return bytes(compose_memo(result=result, **options).body).decode()

    return compose


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"summary-place": ""}, "required"),
        ({"note": ""}, "required"),
        ({"name": "no such name!"}, "slug"),
        ({"accent": "url(http://127.0.0.1/)"}, "not one of the available choices"),
        ({"typeface": "Comic Sans"}, "not one of the available choices"),
        ({"header": "x" * 201}, "at most 200"),
        ({"findings-heading": "x" * 121}, "at most 120"),
        ({"findings-place": "0"}, "greater than or equal to 1"),
    ],
)
def test_what_is_not_allowed_is_said_and_nothing_is_saved(client, editor, changes, told):
    answer = client.post(url("new"), filled(**changes))
    assert answer.status_code == 400
    assert told in answer.content.decode()
    assert not MemoTemplate.objects.exists()


def test_the_preview_shows_the_form_as_it_stands_and_stores_nothing(client, editor):
    answer = client.post(url("preview"), filled(header="Muster & Partner", note="", shown_in="de"))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Muster &amp; Partner" in page
    assert '<html lang="de">' in page
    assert answer["X-Frame-Options"] == "SAMEORIGIN"
    assert answer["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    assert not MemoTemplate.objects.exists()
    assert not Memo.objects.exists()


def test_the_preview_shows_a_real_result(client, editor):
    result = ResultFactory(data={"name": HOSTILE, "lei": "x", "jurisdiction": "DE"})
    page = client.post(url("preview"), filled(shown=str(result.pk))).content.decode()
    assert str(result.pk) in page
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page


def test_a_result_is_shown_only_to_those_who_may_see_results(client):
    client.force_login(UserFactory(is_staff=True, rights=["add_memotemplate"]))
    result = ResultFactory()
    page = client.post(url("preview"), filled(shown=str(result.pk))).content.decode()
    assert str(result.pk) not in page
    assert "A sample, not a finding" in page


@pytest.mark.parametrize(("form", "start"), [("pdf", b"%PDF-"), ("docx", b"PK")])
def test_the_preview_can_be_saved(client, editor, form, start):
    answer = client.post(url("preview"), filled(format=form))
    assert answer.content.startswith(start)
    assert answer["Content-Disposition"] == f'attachment; filename="preview.{form}"'


@pytest.mark.parametrize("changes", [{"accent": "x"}, {"format": "exe"}, {"shown_in": "la"}])
def test_a_preview_that_cannot_be_made_says_why(client, editor, changes):
    answer = client.post(url("preview"), filled(**changes))
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()


def test_a_refused_preview_names_the_field_as_the_form_does(client, editor):
    page = client.post(url("preview"), filled(**{"summary-place": "-5"})).content.decode()
    assert "Executive summary: place: Ensure this value" in page
    assert "summary-place" not in page


def test_every_field_of_a_section_has_a_name_of_its_own(client, editor):
    page = client.get(url("new")).content.decode()
    names = re.findall(r'<(?:input|textarea)[^>]*name="[a-z_]+-(?:place|heading|intro|closing)"[^>]*>', page)
    assert len(names) == 4 * len(PARTS)
    assert all('aria-label="' in field for field in names)


@pytest.mark.parametrize(
    "field", ["header", "summary-intro", "summary-heading", "findings-closing", "disclaimer"]
)
def test_words_are_text_in_every_place(client, editor, field):
    answer = client.post(
        url("preview"), filled(**{field: f"{HOSTILE}{{{{ settings.SECRET_KEY }}}}{{% now 'Y' %}}"})
    )
    page = answer.content.decode()
    assert HOSTILE not in page
    assert "{{ settings.SECRET_KEY }}{% now &#x27;Y&#x27; %}" in page


def test_an_earlier_version_is_taken_up_again(client, editor):
    first, second = (
        save_template(name="house", values={"header": header}, note="x", actor=editor) for header in "ab"
    )
    assert client.post(url("activate", first.pk)).status_code == 302
    assert list(MemoTemplate.objects.filter(active=True)) == [first]
    second.refresh_from_db()
    assert not second.active


@pytest.mark.parametrize("name", ["new", "preview"])
def test_those_without_the_right_are_refused(client, name):
    client.force_login(UserFactory(is_staff=True, rights=["view_memotemplate"]))
    assert client.post(url(name), filled()).status_code == 403
    assert not MemoTemplate.objects.exists()


def test_the_list_says_what_to_do_when_there_is_none(client, editor):
    page = client.get(url("changelist")).content.decode()
    assert "No template of your own yet" in page
    assert url("new") in page
