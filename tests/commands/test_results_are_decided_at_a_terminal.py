import json

import pytest

from entities.models import Entity
from research.models import Decision, MemoTemplate, VerbCall
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def result():
    return ResultFactory(
        suggested_verbs=';; Allianz SE\n(gleif.enrich :lei "529900K9B0N5BT694847" :as @subject)\n'
    )


@pytest.fixture
def retired():
    """A result with a check that fails."""
    lei = "529900FAHFDMSXCPII15"
    return ResultFactory(data={"name": "Allianz Global Investors GmbH", "lei": lei, "jurisdiction": "DE"})


@pytest.fixture
def patch_file(tmp_path):
    def patch_file(patch):
        path = tmp_path / "patch.json"
        path.write_text(patch if isinstance(patch, str) else json.dumps(patch))
        return str(path)

    return patch_file


def test_it_says_when_a_result_is_partial_or_rests_on_nothing(run):
    shown = run("research", "result", str(ResultFactory(partial=True, ungrounded=True).pk))
    assert "the research ended before it was done" in shown.out
    assert "no text of a source was read for it" in shown.out
    whole = run("research", "result", str(ResultFactory(partial=False, ungrounded=False).pk))
    assert "partial" not in whole.out
    assert "ungrounded" not in whole.out


def test_it_shows_data_checks_and_verbs(run, result):
    result.checks.create(
        ordinal=1,
        kind="lei",
        code="existence",
        pointer="/lei",
        verdict="warn",
        message="Hm.\x07",
        checked_at=result.created_at,
    )
    shown = run("research", "result", str(result.pk))
    assert shown.code == 0
    for word in (
        "Allianz SE",
        "jurisdiction: DE",
        "1 warn",
        "/lei",
        "Hm.\\x07",
        "(gleif.enrich",
        str(result.pk),
    ):
        assert word in shown.out
    assert run("research", "result", str(result.pk), "--json").document["data"] == result.data


def test_it_approves_for_the_only_superuser(run, result, admin):
    outcome = run("research", "approve", str(result.pk), "--note", "Looks right.", "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.document["decision"]["reviewer"] == admin.username
    assert Decision.objects.get().reason == "Looks right."


def test_it_approves_with_edits_and_executes(run, result, admin, patch_file):
    patch = patch_file([{"op": "replace", "path": "/confidence", "value": "medium"}])
    outcome = run("research", "approve", str(result.pk), "--edits", patch, "--note", "x", "--execute")
    assert outcome.code == 0, outcome.err
    assert Decision.objects.get().data["confidence"] == "medium"
    assert VerbCall.objects.get().state == "succeeded"
    assert Entity.objects.filter(lei="529900K9B0N5BT694847").exists()
    assert "succeeded" in outcome.out


def test_it_decides_for_the_person_who_is_named(run, result, admin):
    reviewer = UserFactory(rights=ALL_RIGHTS)
    run("research", "approve", str(result.pk), "--as", reviewer.username, "--note", "x")
    assert Decision.objects.get().reviewer == reviewer


def test_it_decides_for_the_person_named_in_the_environment(run, result, admin, monkeypatch):
    reviewer = UserFactory(rights=ALL_RIGHTS)
    monkeypatch.setenv("DOSSIER_USER", reviewer.username)
    run("research", "approve", str(result.pk), "--note", "x")
    assert Decision.objects.get().reviewer == reviewer


@pytest.mark.parametrize("superusers", [0, 2])
def test_it_asks_who_is_deciding_when_that_is_not_clear(run, result, superusers):
    UserFactory.create_batch(superusers, is_superuser=True)
    outcome = run("research", "approve", str(result.pk))
    assert outcome.code == 2
    assert "--as" in outcome.err
    assert not Decision.objects.exists()


def test_it_refuses_a_person_without_the_right(run, result):
    outcome = run("research", "approve", str(result.pk), "--as", UserFactory().username)
    assert outcome.code == 1
    assert "decide_researchresult" in outcome.err


def test_it_takes_a_template_by_name(run, result):
    MemoTemplate.objects.create(name="house", version=1, values={"header": "Our house"}, digest="x", note="x")
    assert run("research", "memo", str(result.pk), "--template", "house").out.startswith("Our house")
    assert run("research", "memo", str(result.pk), "--template", "nobody").code == 2
