import pytest

from research.models import Macro
from tests.factories import MACRO_TEXT

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "good.yaml").write_text(MACRO_TEXT.format(name="good-one", schema_name="good-result"))
    return tmp_path


@pytest.fixture
def broken(folder):
    text = MACRO_TEXT.format(name="broken-one", schema_name="broken-result")
    (folder / "broken.yaml").write_text(text.replace("gleif.enrich", "gleif.enchant"))
    return folder / "broken.yaml"


def test_it_publishes_the_macros_of_dossier(run):
    outcome = run("macros", "sync", "--json")
    assert outcome.code == 0, outcome.out
    assert {"client-discovery", "ubo-investigation", "regulatory-check"} <= set(
        Macro.objects.values_list("name", flat=True)
    )
    assert run("macros", "sync", "--json").document["published"] == []


def test_it_publishes_a_folder(run, folder):
    outcome = run("macros", "sync", str(folder))
    assert outcome.code == 0
    assert "good-one" in outcome.out


def test_it_keeps_a_faulty_file_out_and_the_rest_goes_in(run, folder, broken):
    outcome = run("macros", "sync", str(folder), "--json")
    assert outcome.code == 1
    assert list(Macro.objects.values_list("name", flat=True)) == ["good-one"]
    [fault] = outcome.document["faults"]
    assert fault["file"].endswith("broken.yaml")
    assert fault["line"] > 1


def test_it_refuses_a_folder_that_is_not_there(run, tmp_path):
    outcome = run("macros", "sync", str(tmp_path / "nowhere"))
    assert outcome.code == 1
    assert "nowhere" in outcome.err


def test_it_lints_without_storing(run, folder):
    outcome = run("macros", "lint", str(folder))
    assert (outcome.code, outcome.out.strip()) == (0, "no faults")
    assert not Macro.objects.exists()


def test_it_names_file_line_and_reason_of_a_fault(run, broken):
    outcome = run("macros", "lint", str(broken))
    assert outcome.code == 1
    line = broken.read_text().splitlines().index('    (gleif.enchant :lei "{{lei}}" :as @subject)') + 1
    assert f"{broken}:{line}: error:" in outcome.out
    [fault] = run("macros", "lint", str(broken), "--json").documents
    assert (fault["line"], fault["level"]) == (line, "error")


def test_it_cannot_lint_what_is_not_there(run, tmp_path):
    assert run("macros", "lint", str(tmp_path / "nowhere.yaml")).code == 2


def test_it_lists_what_is_active(run, folder):
    assert "manage.py macros sync" in run("macros", "list").out
    run("macros", "sync", str(folder))
    assert run("macros", "list").out.split()[:2] == ["good-one", "1.0"]
    [macro] = run("macros", "list", "--json").documents
    assert macro["parameters"][0]["name"] == "client_name"


def test_it_shows_one(run, folder):
    run("macros", "sync", str(folder))
    shown = run("macros", "show", "good-one")
    assert "client_name" in shown.out
    assert "suggested_verbs" in shown.out
    assert run("macros", "show", "good-one", "--json").document["schema"]["required"] == ["name"]


def test_it_names_the_macros_there_are_when_one_is_not(run, folder):
    run("macros", "sync", str(folder))
    outcome = run("macros", "show", "bad-one")
    assert outcome.code == 2
    assert "good-one" in outcome.err


def test_it_writes_defaults_as_they_are_typed(run):
    run("macros", "sync")
    shown = run("macros", "show", "regulatory-check").out
    assert "default false" in shown
    assert 'default ["regulatory_registration",' in shown
    assert "default None" not in run("macros", "show", "client-discovery").out


def test_it_shows_the_fields_of_an_object_below_it(run):
    run("macros", "sync")
    shown = run("macros", "show", "legal-research").out
    assert "timeRange.from" in shown
    assert "date-or-year" in shown
