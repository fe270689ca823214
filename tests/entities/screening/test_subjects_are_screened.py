"""Who on the lists is like a subject, field by field, and which lists were looked at; nothing is ever "clear"."""

from datetime import timedelta

import pytest

from entities.screening.looking import screen
from entities.screening.records import Identifier
from entities.screening.subject import make_subject
from entities.services.screening import set_screening_policy
from tests.cases import cases
from tests.entities.screening import samples
from tests.entities.screening.imported import import_all, import_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def lists(tmp_path, now):
    return import_all(tmp_path, now)


def found(now, **told):
    answer = screen(make_subject(**told), now=now)
    return [(hit.source, hit.entry.key) for hit in answer.hits]


@cases(
    ("name", "kind", "hits"),
    [
        ("Sergei Karelov", "person", {("ofac-sdn", "7001"), ("ofac-consolidated", "7001")}),
        ("Viktor Testov", "person", {("uk", "TST0001")}),
        ("Тестов Виктор", "person", {("uk", "TST0001")}),
        ("Abdelkarim Yousef Hadadi", "person", {("un", "TEi.001")}),
        ("Northern Amber Trading Ltd.", "entity", {("ofac-sdn", "7002"), ("ofac-consolidated", "7002")}),
        ("Northern Ambr Trading", "entity", {("ofac-sdn", "7002"), ("ofac-consolidated", "7002")}),
        ("Harbour Test Shipping Ltd", "entity", {("eu", "9002")}),
        ("Gone Test GmbH", "entity", set()),
        ("Innocent Namesake", "person", set()),
        ("Sergei Karelov", "entity", set()),
        ("Ihor Testenko", "", {("seco", "5001")}),
        ("Somebody Else", "", set()),
    ],
)
def test_it_finds_who_is_listed(lists, now, name, kind, hits):
    assert set(found(now, names=[name], kind=kind)) == hits


def test_the_score_is_explained_field_by_field(lists, now):
    subject = make_subject(
        names=["Viktor Testov"],
        kind="person",
        births=["1965-04-01"],
        countries=["Germany"],
        identifiers=[Identifier("passport", "70-1234")],
    )
    hit = next(hit for hit in screen(subject, now=now).hits if hit.source == "uk")
    told = {one.field: (one.points, one.relation) for one in hit.likeness.fields}
    assert told["name"][1] == "only the list's: “ilyich”"
    assert told["birth"] == (5.0, "the same")
    assert told["country"] == (-8.0, "none in common")
    assert told["number"] == (5.0, "the same number, issuer not told")
    assert "country -8: none in common" in hit.likeness.explanation


def test_another_year_of_birth_takes_from_the_score(lists, now):
    same, other = (
        screen(make_subject(names=["Viktor Ilyich Testov"], kind="person", births=[year]), now=now)
        for year in ("1965", "1990")
    )
    assert [hit.likeness.score for hit in same.hits] == [100.0]
    assert [hit.likeness.score for hit in other.hits] == [80.0]


def test_the_same_number_of_the_same_issuer_is_a_hit_whatever_the_name(lists, now):
    subject = make_subject(
        names=["Nobody Known"], kind="person", identifiers=[Identifier("passport", "AB123456", "UA")]
    )
    [hit] = screen(subject, now=now).hits
    assert (hit.entry.key, hit.likeness.score) == ("EU.9001.01", 95.0)


def test_without_any_list_nothing_is_known(now):
    answer = screen(make_subject(names=["Sergei Karelov"]), now=now)
    assert answer.outcome == "unknown"
    assert answer.reasons[0] == "The OFAC SDN list is not imported."
    assert len(answer.reasons) == 6


def test_an_old_list_makes_no_hit_unknown(lists, now):
    later = now + timedelta(days=4)
    answer = screen(make_subject(names=["Somebody Else"]), now=later)
    assert answer.outcome == "unknown"
    assert "The UN Security Council list was downloaded 4 days ago; the policy takes 3." in answer.reasons
    assert screen(make_subject(names=["Sergei Karelov"]), now=later).outcome == "hits"


def test_a_partial_list_makes_no_hit_unknown(lists, tmp_path, now):
    nameless = "<sdnEntry><uid>7009</uid><sdnType>Entity</sdnType></sdnEntry>"
    text = samples.ofac(
        samples.OFAC_PERSON, samples.OFAC_COMPANY, samples.OFAC_VESSEL, nameless, date="09/25/2026"
    )
    import_text(tmp_path, now, "ofac-sdn", text)
    answer = screen(make_subject(names=["Somebody Else"]), now=now)
    assert (answer.outcome, answer.reasons) == (
        "unknown",
        ["1 entries of the OFAC SDN list could not be read."],
    )


def test_with_every_list_current_no_hit_is_none(lists, now):
    answer = screen(make_subject(names=["Somebody Else"]), now=now)
    assert (answer.outcome, answer.reasons, len(answer.looked)) == ("none", [], 6)
    assert answer.looked[2].told.startswith(
        "UN Security Council list, published 2026-09-28, downloaded 2026-10-01"
    )


def test_people_set_the_threshold_and_the_lists(tmp_path, now):
    import_text(tmp_path, now, "un", samples.un())
    set_screening_policy(values={"lists": "un", "person_threshold": "99"}, note="only the UN here")
    assert found(now, names=["Abdelkarim Yousef Hadadi"], kind="person") == []
    assert screen(make_subject(names=["Somebody Else"]), now=now).outcome == "none"
