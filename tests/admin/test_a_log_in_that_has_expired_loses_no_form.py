"""A form of the admin is sent when its log-in has expired: what was typed stands in it again, for its person alone."""

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html

from research.admin.kept import FORGET, seal
from research.models import Draft, Macro, Run
from tests.cases import cases
from tests.factories import ALL_RIGHTS, EntityFactory, MacroFactory, ResultFactory, UserFactory

pytestmark = pytest.mark.django_db
HOSTILE = '</textarea><script>alert("1")</script>'


@pytest.fixture
def petra():
    return UserFactory(username="petra", rights=[*ALL_RIGHTS, "add_macro", "view_macro", "change_macro"])


@pytest.fixture
def macro():
    return MacroFactory()


@pytest.fixture
def ask(macro):
    return reverse("admin:research_macro_ask", args=[macro.pk])


def as_(person):
    client = Client()
    client.force_login(person)
    return client


def form_of(client, url, sent_to=""):
    """The form of a page that carries a seal, by where it is sent to."""
    page = html.document_fromstring(client.get(url).content.decode())
    sealed = [form for form in page.forms if "seal" in form.fields]
    return next(form for form in sealed if not sent_to or form.action == sent_to)


def fields(form, **typed):
    own = {name: value for name, value in form.form_values() if name != "csrfmiddlewaretoken"}
    return {**own, **typed}


def test_a_question_is_asked_again_as_it_was_typed(petra, ask):
    shown = form_of(as_(petra), ask)
    post = fields(shown, **{"param:client_name": HOSTILE, "depth": "deep", "budget_usd": "7"})
    stranger = Client()
    answer = stranger.post(ask, post)
    assert answer.url.startswith(reverse("admin:login"))
    assert not Run.objects.exists()
    assert "What you typed is kept" in stranger.get(answer.url).content.decode()

    again = as_(petra)
    text = again.get(ask).content.decode()
    assert "What you typed before your log-in expired is in the form again." in text
    assert "<script>alert" not in text
    form = form_of(again, ask)
    values = fields(form)
    assert (values["param:client_name"], values["depth"], values["budget_usd"]) == (HOSTILE, "deep", "7")
    assert again.post(ask, values).status_code == 302
    assert Run.objects.get().params["client_name"] == HOSTILE
    assert not Draft.objects.exists()
    assert "is in the form again" not in again.get(ask).content.decode()


def test_a_comment_is_typed_once():
    petra = UserFactory(username="petra", is_superuser=True)
    entity = EntityFactory()
    page = reverse("admin:entities_entity_change", args=[entity.pk])
    sent_to = reverse("admin:entities_entity_verify", args=[entity.pk])
    other = reverse("admin:entities_entity_unverify", args=[entity.pk])
    post = fields(form_of(as_(petra), page, sent_to), reason="By its\r\nextract of the register")
    answer = Client().post(sent_to, post)
    assert f"next={page}" in answer.url, "they come back to the page with the form, not to where it was sent"

    again = as_(petra)
    form = form_of(again, page, sent_to)
    assert form.fields["reason"].strip() == "By its\nextract of the register"
    assert next(form.iterancestors("details")).get("open") is not None
    assert not (form_of(again, page, other).fields["reason"] or "").strip()


def test_what_was_typed_can_be_thrown_away(petra, ask):
    Client().post(ask, fields(form_of(as_(petra), ask), **{"param:client_name": "Mine"}))
    again = as_(petra)
    answer = again.post(ask, {**fields(form_of(again, ask)), FORGET: ""})
    assert (answer.url, Run.objects.count()) == (ask, 0)
    assert "Mine" not in again.get(ask).content.decode()


def test_somebody_else_who_logs_in_sees_nothing_and_does_nothing(petra, ask):
    post = fields(form_of(as_(petra), ask), **{"param:client_name": "Mine"})
    Client().post(ask, post)
    carl = as_(UserFactory(username="carl", rights=ALL_RIGHTS))
    assert "Mine" not in carl.get(ask).content.decode()

    answer = carl.post(
        ask, post, follow=True
    )  # from petra's page, in the browser in which carl has logged in
    assert "Somebody else opened that page; you are carl" in answer.content.decode()
    assert "Mine" not in answer.content.decode()
    assert not Run.objects.exists()
    assert [draft.person for draft in Draft.objects.all()] == [petra]


@cases("bad", ["", "x", "other page", "gone", "changed"])
def test_nothing_is_kept_for_a_seal_that_is_not_good(petra, ask, bad):
    post = fields(form_of(as_(petra), ask), **{"param:client_name": "Mine"})
    if bad == "other page":
        result = ResultFactory()
        post["seal"] = seal(petra, result)
    elif bad == "gone":
        petra.is_active = False
        petra.save()
    elif bad == "changed":
        petra.set_password("a new one")
        petra.save()
    else:
        post["seal"] = bad
    assert Client().post(ask, post).status_code == 302
    assert not Draft.objects.exists()


def test_a_strange_site_cannot_post_it(petra, ask):
    client = Client(enforce_csrf_checks=True)
    post = fields(form_of(as_(petra), ask), **{"param:client_name": "Mine", "csrfmiddlewaretoken": "x" * 64})
    assert client.post(ask, post).status_code == 403
    assert not Draft.objects.exists()


def test_hidden_fields_stay_those_of_the_page(petra, ask):
    Client().post(ask, fields(form_of(as_(petra), ask), **{"param:client_name": "Mine"}))
    draft = Draft.objects.get()
    draft.typed = {**draft.typed, "seal": ["planted"], "csrfmiddlewaretoken": ["planted"]}
    draft.save()
    assert "planted" not in as_(petra).get(ask).content.decode()


def test_a_long_text_and_many_fields_are_kept(petra, macro):
    page = reverse("admin:research_macro_edit", args=[macro.pk])
    post = fields(form_of(as_(petra), page), text="# mine\r\n" + "x: y\r\n" * 5_000)
    Client().post(page, {**post, **{f"field-{number}": "v" for number in range(500)}})
    assert form_of(as_(petra), page).fields["text"].count("x: y") == 5_000
    Client().post(page, {**post, "text": "x" * 12_000_000})
    assert Macro.objects.count() == 1


def test_every_long_field_of_the_admin_is_kept(settings):
    """A form in which people type at length carries the seal."""
    templates = list((settings.BASE_DIR / "config/templates/admin").rglob("*.html"))
    forms = {one: one.read_text() for one in templates}
    long = {
        one.name
        for one, text in forms.items()
        if "<textarea" in text.replace("<textarea readonly", "")
        and "csrf_token" in text
        and "admin/seal.html" not in text
    }
    assert long == set()
