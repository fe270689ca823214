"""Candidates for a name: exact keys first, then names alike, with and without an index of pieces."""

import pytest
from django.db import DatabaseError, connection
from django.urls import reverse

from bench.company_names import generate
from entities.gleif.name_search import find_leis, name_search_state, namesakes
from entities.models import LeiName, LeiRecord
from entities.names import index_sqlite
from entities.names.index import name_index, rebuild_name_index, refresh_name_index
from tests.cases import cases
from tests.commands.conftest import run  # noqa: F401 - a fixture
from tests.factories import LeiRecordFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def allianz():
    return LeiRecordFactory(legal_name="Allianz SE")


@pytest.fixture
def crowd():
    """Others, so that finding one of them means something."""
    return [LeiRecordFactory(legal_name=name, jurisdiction=country) for name, country in generate(60)]


@cases(
    "asked",
    ["Allianz SE", "allianz se", "ALLIANZ", "Allianz Aktiengesellschaft", "Alianz SE", "Allianzz", "llianz"],
)
def test_a_name_is_found_whole_or_with_slips(allianz, crowd, asked):
    assert find_leis(asked, 5)[0] == allianz.lei


@cases(
    ("name", "asked"),
    [
        ("Münchener Rück AG", "Muenchener Rueck"),
        ("Газпром ПАО", "Gazprom"),
        ("Gazprom PAO", "Газпром"),
        ("株式会社日立製作所", "日立製作所"),
        ("Müller & Söhne Anlagenbau GmbH & Co. KG", "Mueller und Soehne Anlagenbau"),
        ("Dąbrowski Logistyka Spółka z Ograniczoną Odpowiedzialnością", "Dabrowski Logistika sp. z o.o."),
        ("Granthorn Emerging Markets Debt Trust", "Granthorn Emergng Markets Det Trust"),
    ],
)
def test_a_name_is_found_however_it_is_written(crowd, name, asked):
    wanted = LeiRecordFactory(legal_name=name)
    assert wanted.lei in find_leis(asked, 5)


@pytest.mark.parametrize("kind", ["PREVIOUS_LEGAL_NAME", "TRADING_OR_OPERATING_NAME"])
def test_a_record_is_found_by_any_of_its_names(crowd, kind):
    wanted = LeiRecordFactory(named=[("Alte Firma AG", kind)])
    assert find_leis("Alte Frma", 5)[0] == wanted.lei


@cases("asked", ["", "  ", "***", "x", "ab", "'", '"', "%%%", "a\x00b", "OR AND NOT (", "é" * 5_000])
def test_odd_questions_have_an_answer(allianz, asked):
    assert allianz.lei not in find_leis(asked, 5)


def test_the_same_name_stands_before_names_alike():
    near = LeiRecordFactory(legal_name="Muster Bank SE")
    same = [LeiRecordFactory(legal_name="Muster SE", jurisdiction=place) for place in ("DE", "AT")]
    found = find_leis("Muster SE", 10)
    assert set(found[:2]) == {record.lei for record in same}
    assert near.lei in found


def test_only_what_is_wanted_is_found():
    german, austrian = (LeiRecordFactory(jurisdiction=place) for place in ("DE", "AT"))
    assert find_leis("Muster", 5, lambda records: records.filter(jurisdiction="AT")) == [austrian.lei]
    assert set(find_leis("Muster", 5)) == {german.lei, austrian.lei}


def test_a_limit_is_kept(crowd):
    for _ in range(8):
        LeiRecordFactory()
    assert len(find_leis("Muster SE", 3)) == 3


def test_a_record_that_is_gone_is_not_found(allianz):
    LeiName.objects.filter(lei=allianz.lei).delete()
    assert find_leis("Allianz", 5) == []


def test_namesakes_differ_by_spelling_only(django_assert_num_queries):
    spelled = ("Muster Pensionskasse AG", "MUSTER PENSIONSKASSE Aktiengesellschaft")
    first, second = (LeiRecordFactory(legal_name=name) for name in spelled)
    LeiRecordFactory(legal_name="Muster Pensionskasse GmbH")
    with django_assert_num_queries(1):
        found = namesakes(["Muster Pensionskasse AG", "Nobody Ltd", ""])
    assert found == {"Muster Pensionskasse AG": [first.lei, second.lei], "Nobody Ltd": [], "": []}


@pytest.fixture
def no_index():
    """The table of names as it is where the database has no trigrams, or before the index is built anew."""
    name_index().remove(connection)
    yield
    assert refresh_name_index() == ""


def test_without_an_index_names_are_found_whole_or_by_their_beginning(no_index, allianz, crowd):
    assert name_search_state()
    assert find_leis("Allianz", 5) == [allianz.lei]
    assert find_leis("Alli", 5) == [allianz.lei]
    assert find_leis("Alianz SE", 5) == []


def test_an_index_is_built_over_what_is_there_and_follows_what_comes(no_index, allianz):
    assert refresh_name_index() == ""
    assert name_search_state() == ""
    later = LeiRecordFactory(legal_name="Allianz Leben AG")
    assert set(find_leis("Alianz", 5)) == {allianz.lei, later.lei}


def test_an_index_that_is_there_is_left_alone(allianz):
    assert name_search_state() == ""
    assert refresh_name_index() == ""
    assert LeiRecord.objects.count() == 1


def test_readiness_tells_of_a_missing_index_and_stays_ready(client, no_index):
    client.force_login(UserFactory(rights=["view_auditevent"]))
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert "only whole names" in answer.json()["register_names"]
    refresh_name_index()
    assert client.get("/readyz").json()["register_names"] == "names alike are found"


REFUSED = "CREATE EXTENSION" if connection.vendor == "postgresql" else "CREATE VIRTUAL TABLE"


@pytest.fixture
def refusing():
    """A database that will not have what the index stands on."""

    def refuse(execute, sql, *rest):
        if REFUSED in sql:
            raise DatabaseError("permission denied")
        return execute(sql, *rest)

    return connection.execute_wrapper(refuse)


def test_a_database_that_refuses_the_index_is_told_of_everywhere_and_names_are_still_found(
    no_index,
    refusing,
    allianz,
    client,
    run,  # noqa: F811
):
    with refusing:
        reason = refresh_name_index()
        assert reason
        assert find_leis("Allianz", 5) == [allianz.lei]
        assert find_leis("Alianz SE", 5) == []
        client.force_login(UserFactory(rights=["view_goldencopyimport", "view_auditevent"]))
        assert "only whole names" in client.get("/readyz").json()["register_names"]
        page = client.get(reverse("admin:entities_goldencopyimport_changelist")).content.decode()
        assert "whole names only" in page
        assert "./manage.py lei index" in page
        refused = run("lei", "index")
        assert (refused.code, reason in refused.err) == (1, True)


def test_the_index_is_made_anew_by_a_command(no_index, allianz, run):  # noqa: F811
    assert run("lei", "index", "--json").document == {"names": 1}
    assert find_leis("Alianz SE", 5) == [allianz.lei]
    assert "1 names are in the index" in run("lei", "index").out
    assert find_leis("Alianz SE", 5) == [allianz.lei]


def test_making_it_anew_tells_how_far_it_is_and_forgets_what_is_gone(allianz, monkeypatch):
    monkeypatch.setattr(index_sqlite, "CHUNK", 2)
    for _ in range(4):
        LeiRecordFactory()
    told = []
    assert rebuild_name_index(lambda done, total: told.append((done, total))) == ""
    if connection.vendor == "sqlite":
        assert len(told) > 1
        assert told[-1][0] == told[-1][1]
    assert find_leis("Alianz SE", 5)[0] == allianz.lei
