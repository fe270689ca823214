import pytest
from django.urls import reverse

from research.models import Macro
from research.services.macros import publish_macro
from tests.factories import MACRO_TEXT, UserFactory

pytestmark = pytest.mark.django_db
TEXT = MACRO_TEXT.format(name="who-is-it", schema_name="who-result")


@pytest.fixture
def editor(client):
    client.force_login(UserFactory(rights=["view_macro", "add_macro", "view_run"]))
    return client


@pytest.fixture
def macro():
    return publish_macro(text=TEXT)


def edit(client, macro, text):
    return client.post(reverse("admin:research_macro_edit", args=[macro.pk]), {"text": text})


def test_it_makes_the_next_version_and_keeps_the_old_one(editor, macro):
    edit(editor, macro, TEXT.replace("Who is this", "Who really is this"))
    versions = dict(Macro.objects.values_list("version", "status"))
    assert versions == {"1.0": "retired", "1.1": "active"}
    macro.refresh_from_db()
    assert macro.text == TEXT


def test_it_takes_the_line_ends_of_a_browser_for_its_own(editor, macro):
    edit(editor, macro, TEXT.replace("\n", "\r\n"))
    assert Macro.objects.count() == 1


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        ("type: string\n      required: true", "type: sting\n      required: true", "sting"),
        ("{{client_name}}", "{{client_nam}}", "client_nam"),
        ("[lei_search, lei_record]", "[lei_serch]", "lei_serch"),
        ("gleif.enrich", "gleif.enrichh", "gleif.enrichh"),
        ("macro:", "macro: [", "line"),
        ("confidence: {type: string", "confidence: {type: text", "text"),
    ],
)
def test_it_shows_each_fault_with_its_line_and_publishes_nothing(editor, macro, before, after, word):
    assert before in TEXT
    response = edit(editor, macro, TEXT.replace(before, after, 1))
    page = response.content.decode()
    assert response.status_code == 400
    assert "Nothing was published" in page
    assert word in page
    assert Macro.objects.get().status == "active"


def test_it_shows_hostile_text_as_text(editor, macro):
    page = edit(editor, macro, "<script>alert(1)</script>").content.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_it_is_closed_to_those_who_may_only_look(client, macro):
    client.force_login(UserFactory(rights=["view_macro", "view_run"]))
    edit(client, macro, TEXT.replace("Who is this", "What is this"))
    assert Macro.objects.count() == 1
    page = client.get(reverse("admin:research_macro_change", args=[macro.pk])).content.decode()
    assert "Edit as new version" not in page


def test_it_starts_a_new_macro_from_a_sound_example(editor):
    response = editor.get(reverse("admin:research_macro_new"))
    editor.post(reverse("admin:research_macro_new"), {"text": response.context["form"]["text"].value()})
    assert Macro.objects.get().name == "my-question"
