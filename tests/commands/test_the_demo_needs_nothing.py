import pytest
from django.db import connection

from entities.gleif.errors import GleifUnavailable
from research.models import Check, ResearchResult, ResearchSession, Run

pytestmark = pytest.mark.django_db


def test_it_researches_a_company_and_shows_all_of_it(run):
    outcome = run("demo", "Allianz SE")
    assert outcome.code == 0, outcome.err
    result = ResearchResult.objects.get()
    for word in (
        "demo register",
        "529900K9B0N5BT694847",
        "Suggested verbs",
        "(gleif.enrich",
        str(result.pk),
        str(result.run_id),
        "make serve",
        f"/admin/research/researchresult/{result.pk}/review/",
    ):
        assert word in outcome.out
    assert not Check.objects.filter(result=result, kind="citation").exists()
    for check in Check.objects.filter(result=result):
        assert check.code in outcome.out
        assert check.verdict == "pass" or check.message in outcome.out


def test_a_database_of_another_version_is_named_and_left_alone(run):
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('research', '0017_of_yore', CURRENT_TIMESTAMP)"
        )
    outcome = run("demo", "Allianz SE")
    assert outcome.code == 1
    assert "research.0017_of_yore" in outcome.err
    assert "Begin with a new one" in outcome.err
    assert not Run.objects.exists()


def test_it_takes_the_company_from_the_environment(run, monkeypatch):
    monkeypatch.setenv("COMPANY", "Siemens AG")
    run("demo")
    assert Run.objects.get().params["client_name"] == "Siemens AG"


def test_it_has_a_company_of_its_own(run, monkeypatch):
    monkeypatch.delenv("COMPANY", raising=False)
    run("demo")
    assert Run.objects.get().params["client_name"] == "Allianz SE"


def test_it_prints_one_document(run):
    document = run("demo", "Allianz SE", "--json").document
    assert document["run"]["result"] == document["result"]["id"]


def test_it_can_be_repeated(run):
    assert [run("demo", "Allianz SE").code for _ in range(2)] == [0, 0]
    assert ResearchResult.objects.count() == 2


def test_it_says_that_a_company_is_not_found_with_the_nearest_names(run):
    outcome = run("demo", "Alianz Holding XY")
    assert outcome.code == 1
    assert "Not found" in outcome.err
    assert "ALLIANZ HOLDINGS PLC" in outcome.out
    assert not ResearchResult.objects.exists()
    assert not ResearchSession.objects.exists()
    assert Run.objects.get().error["code"] == "not_found"


def test_it_says_which_of_the_nearest_has_ended(run):
    shown = run("demo", "Nosuch Company GmbH").out
    assert "OJ2TIQSVQND4IZYYK658  Allianz Global Investors GmbH (DE)" in shown
    assert "529900FAHFDMSXCPII15  Allianz Global Investors GmbH (DE, ended)" in shown


HOSTILE = ["\x1b[2J", "{{x}}", '") (entity.ensure :name "x', "a\nb", "\u202e\u200b", "--", "x" * 10_000]


@pytest.mark.parametrize("company", ["", "   ", "qqqq zzzz xxxx", *HOSTILE], ids=lambda name: name[:20])
def test_it_ends_well_whatever_the_company_is_called(run, company):
    outcome = run("demo", "--", company)
    assert outcome.code in (1, 2)
    assert "Traceback" not in outcome.err
    assert "\x1b" not in outcome.out + outcome.err
    assert not ResearchResult.objects.exists()


def test_it_ends_with_what_to_do_next(run):
    assert "Next: make serve" in run("demo", "Allianz SE").out.splitlines()[-1]
    assert run("demo", "Alianz Holding XY").err.splitlines()[-1] == (
        "Next: make demo COMPANY='ALLIANZ HOLDINGS PLC'"
    )
    assert run("demo", "qqqq").err.splitlines()[-1] == "Next: make demo COMPANY='Allianz SE'"


def test_it_says_how_to_go_on_without_a_register_that_answers(run, monkeypatch):
    def unreachable(*_, **__):
        raise GleifUnavailable("The LEI register cannot be reached (ConnectionError).")

    monkeypatch.setattr("entities.gleif.register.Register.search", unreachable)
    outcome = run("demo", "Allianz SE")
    assert outcome.code == 1
    assert outcome.err.splitlines()[-1] == "Next: DOSSIER_REGISTER=demo make demo"


def test_where_dossier_was_installed_it_names_the_program(run, monkeypatch):
    monkeypatch.setattr("sys.argv", ["/usr/local/bin/dossier", "demo"])
    assert "Next: dossier up" in run("demo", "Allianz SE").out
    assert run("demo", "qqqq").err.splitlines()[-1] == "Next: dossier demo 'Allianz SE'"
