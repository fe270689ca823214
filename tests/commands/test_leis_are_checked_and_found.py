import pytest

from entities.gleif.errors import GleifUnavailable
from entities.gleif.register import Register

ALLIANZ, RETIRED = "529900K9B0N5BT694847", "529900FAHFDMSXCPII15"
pytestmark = pytest.mark.django_db


def test_it_prints_a_report_a_line(run):
    outcome = run("lei", "check", ALLIANZ, RETIRED, "--json")
    good, retired = outcome.documents
    keys = {"lei", "verdict", "checks", "record", "successor", "suggestions", "as_of"}
    assert set(good) == set(retired) == keys
    assert all(set(check) == {"code", "verdict", "message", "evidence"} for check in good["checks"])
    assert good["lei"] == ALLIANZ
    assert (retired["verdict"], retired["successor"]) == ("fail", "OJ2TIQSVQND4IZYYK658")


@pytest.mark.parametrize(("lei", "code"), [(ALLIANZ, 0), (RETIRED, 1), ("529900K9B0N5BT694848", 1), ("x", 1)])
def test_it_tells_by_its_exit_code_whether_an_lei_holds(run, lei, code):
    assert run("lei", "check", lei).code == code


def test_it_compares_name_and_jurisdiction(run):
    outcome = run("lei", "check", ALLIANZ, "--name", "Siemens AG", "--jurisdiction", "FR", "--json")
    verdicts = {check["code"]: check["verdict"] for check in outcome.document["checks"]}
    assert (verdicts["name"], verdicts["jurisdiction"]) == ("fail", "fail")


def test_it_says_unknown_when_the_register_cannot_be_asked(run, monkeypatch):
    def fail(*_):
        raise GleifUnavailable("The register is down.")

    monkeypatch.setattr(Register, "records", fail)
    outcome = run("lei", "check", ALLIANZ, "--json")
    assert (outcome.code, outcome.document["verdict"]) == (0, "unknown")


def test_it_shows_every_check_to_a_person(run):
    outcome = run("lei", "check", RETIRED)
    assert "demo register" in outcome.out
    for code in ("format", "check_digits", "existence", "registration_status", "successor", "renewal"):
        assert code in outcome.out


def test_it_finds_records_by_name(run):
    answer = run("lei", "search", "Allianz", "SE", "--json").document
    found = answer["candidates"]
    assert found[0]["lei"] == ALLIANZ
    assert found[0]["matched_name"]["name"] == "Allianz SE"
    assert [record["score"] for record in found] == sorted((r["score"] for r in found), reverse=True)
    assert (answer["outcome"], answer["leis"]) == ("one", [ALLIANZ])


def test_it_finds_no_more_than_asked_for_and_still_sees_who_else_may_be_meant(run):
    name = "Allianz Pensionskasse Aktiengesellschaft"
    answer = run("lei", "search", name, "--limit", "1", "--json").document
    assert len(answer["candidates"]) == 1
    assert (answer["outcome"], len(answer["leis"])) == ("several", 2)


def test_it_says_in_a_sentence_what_came_out(run):
    outcome = run("lei", "search", "Allianz", "Pensionskasse", "Aktiengesellschaft")
    assert outcome.code == 0
    assert outcome.out.startswith("several: 2 records score 100 of 100, in AT, DE")


def test_it_says_when_there_is_nothing_alike(run):
    outcome = run("lei", "search", "qqqqzzzzxxxx")
    assert (outcome.code, outcome.out.strip()) == (1, "none: The register has no name that is like it.")


def test_it_fails_to_search_a_register_that_is_down(run, monkeypatch):
    def fail(*_, **__):
        raise GleifUnavailable("The register is down.")

    monkeypatch.setattr(Register, "search", fail)
    outcome = run("lei", "search", "Allianz")
    assert (outcome.code, outcome.out) == (1, "")
    assert "The register is down." in outcome.err
