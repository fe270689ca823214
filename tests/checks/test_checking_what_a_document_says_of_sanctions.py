"""What a result says of sanctions is compared with the official lists that are imported."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

import research
from entities import memory
from entities.models import ScreeningHit
from entities.screening import lists
from entities.services.screening import decide_hit, screen_entity
from research.checks.listed import asks_about_sanctions, check_listed
from research.macros.loader import load_macro
from tests.cases import cases
from tests.entities.screening import samples
from tests.entities.screening.imported import import_all, import_text
from tests.factories import ALL_RIGHTS, UserFactory

pytestmark = pytest.mark.django_db
LISTED, KEY = "Green Crescent Welfare Society", "TEe.002"
PLACE = "/sanctions_findings/0/matched_name"
ODD = [
    [],
    "x",
    {},
    *({"entity": each} for each in ([], {"name": 5}, {"name": "…"})),
    {"sanctions_findings": [1]},
]
LIBRARY = Path(research.__file__).parent / "macros" / "library"


@pytest.fixture(autouse=True)
def small_lists(monkeypatch):
    for name, kind in lists.KINDS.items():
        monkeypatch.setitem(lists.KINDS, name, replace(kind, bytes=10, entries=1))


@pytest.fixture
def imported(tmp_path):
    return import_all(tmp_path, timezone.now())


def told(data, days=0):
    found = check_listed(data, now=timezone.now() + timedelta(days=days))
    return [(each.code, each.verdict, each.pointer) for each in found]


def finding(name=LISTED, on="un_sanctions", match="possible_match"):
    return {"list_type": on, "match_type": match, "matched_name": name}


@pytest.mark.usefixtures("imported")
def test_a_hit_that_the_result_does_not_mention_fails_with_its_score_field_by_field():
    [verdict] = check_listed({"entity": {"name": LISTED}}, now=timezone.now())
    assert (verdict.code, verdict.verdict, verdict.pointer) == ("listed", "fail", "/entity/name")
    assert verdict.message.endswith("The result does not say so.")
    assert verdict.evidence["fields"][0]["field"] == "name"


@pytest.mark.usefixtures("imported")
def test_a_hit_that_the_result_states_waits_for_a_person():
    data = {"entity": {"name": LISTED}, "sanctions_findings": [finding("“GREEN CRESCENT WELFARE SOCIETY”")]}
    assert told(data) == [("listed", "warn", "/entity/name")]


@pytest.mark.usefixtures("imported")
def test_an_owner_in_the_chain_is_screened_too():
    chain = [
        {"owner_name": "Abdulkarim Haddadi", "owned_entity": "Clean Trading AG", "is_natural_person": True},
        {"owner_name": "abdulkarim haddadi", "owned_entity": "Other AG"},
    ]
    found = told({"entity": {"name": "Clean Trading AG"}, "ownership_chain": chain})
    assert ("listed", "fail", "/ownership_chain/0/owner_name") in found
    assert [each[2] for each in found if each[1] == "fail"] == ["/ownership_chain/0/owner_name"]


@pytest.mark.usefixtures("imported")
def test_a_name_on_no_list_passes_and_names_the_lists():
    [verdict] = check_listed({"entity": {"name": "Perfectly Ordinary Bakery AG"}}, now=timezone.now())
    assert verdict.verdict == "pass"
    assert "UN Security Council list" in verdict.message


@pytest.mark.usefixtures("imported")
def test_lists_that_are_old_make_the_answer_unknown():
    assert told({"entity": {"name": "Perfectly Ordinary Bakery AG"}}, days=400) == [
        ("unknown-lists", "unknown", "/entity/name")
    ]


def test_one_list_of_those_that_must_be_looked_at_is_no_clearance(tmp_path):
    import_text(tmp_path, timezone.now(), "un", samples.un())
    assert told({"entity": {"name": "Perfectly Ordinary Bakery AG"}})[0][1] == "unknown"


def test_without_any_list_nothing_is_known():
    assert told({"entity": {"name": LISTED}}) == [("no-list", "unknown", "")]


@pytest.mark.usefixtures("imported")
def test_a_stated_finding_that_its_list_does_not_have_fails():
    data = {"sanctions_findings": [finding("Perfectly Ordinary Bakery AG")]}
    assert told(data) == [("finding-missing", "fail", PLACE)]
    assert told(data, days=400) == [("finding-unknown", "unknown", PLACE)]


@pytest.mark.usefixtures("imported")
@cases(
    "row, found",
    [
        (finding(), []),
        (finding(match="false_positive", name="Perfectly Ordinary Bakery AG"), []),
        (finding(on="eu_sanctions"), [("finding-missing", "fail", PLACE)]),
        (
            finding(on="other", name="Nobody Of That Sort"),
            [("finding-unknown", "unknown", PLACE)],
        ),
        (finding(name=""), []),
        (finding(name="…"), []),
        (finding(name=None), []),
        ({"list_type": "un_sanctions"}, []),
    ],
)
def test_findings_are_looked_for_on_their_own_list(row, found):
    assert told({"sanctions_findings": [row]}) == found


@pytest.mark.usefixtures("imported")
@pytest.mark.parametrize(("verdict", "word"), [("false-positive", "pass"), ("true-match", "fail")])
def test_what_a_person_decided_of_the_entity_holds(verdict, word):
    entity = memory.ensure_entity(name=LISTED)
    person = UserFactory(rights=(*ALL_RIGHTS, "decide_screeninghit", "run_screening", "view_screeninghit"))
    screen_entity(entity=entity, by=person)
    hit = ScreeningHit.objects.get(entity=entity, key=KEY)
    decide_hit(hit=hit, revision=hit.revision, verdict=verdict, reason="Seen in its register.", by=person)
    assert told({"entity": {"name": LISTED}}) == [("listed", word, "/entity/name")]


@pytest.mark.usefixtures("imported")
@cases("data", ODD)
def test_documents_of_any_shape_have_an_outcome(data):
    assert told(data) == []


@pytest.mark.usefixtures("imported")
def test_no_more_than_two_hundred_parties_are_screened():
    chain = [{"owner_name": f"Owner Number {n} AG", "owned_entity": "T AG"} for n in range(300)]
    assert len(told({"ownership_chain": chain})) == 200


def test_the_macros_that_ask_about_sanctions_are_known_by_their_schema():
    asking = {
        path.stem
        for path in LIBRARY.glob("*.yaml")
        if asks_about_sanctions(load_macro(path.read_text()).schema)
    }
    assert asking == {"regulatory-check"}
