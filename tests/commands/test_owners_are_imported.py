"""``manage.py entities import-owners``: a file of BODS 0.4 becomes memory."""

import json

import pytest

from entities.memory.interests import read_structure
from entities.models import Entity, Statement
from entities.ownership.assessment import assess
from entities.ownership.bods import write_bods
from entities.ownership.thresholds import threshold
from tests.entities.ownership.structures import DAY, structure

pytestmark = pytest.mark.django_db
STRUCTURE = "P 60 H; Q (25,40] H; H 100 T; ? H; R appointmentOfBoard T"


@pytest.fixture
def file(tmp_path):
    """A file with such a structure, and what is added to it."""

    def make(text=STRUCTURE, *more):
        given = structure(text)
        statements = write_bods(given, assess(given, "T", threshold("uk-psc")), today=DAY)
        path = tmp_path / "owners.json"
        path.write_text(json.dumps([*statements, *more]))
        return path

    return make


def take(run, path, *options):
    return run("entities", "import-owners", str(path), "--source", "a register", "--json", *options)


def test_what_was_exported_is_imported_as_it_was(run, file):
    told = take(run, file())
    assert (told.code, told.document["faulty"], told.document["parties"]) == (0, 0, 5)
    target = Entity.objects.get(name="T")
    found = read_structure(target, DAY)
    names = {id: party.name for id, party in found.parties.items()}
    direct = {
        (names[each.holder], names[each.held], each.type.value, str(each.amount))
        for each in found.interests
        if each.way == "direct"
    }
    assert direct == {
        ("P", "H", "shareholding", "60 %"),
        ("Q", "H", "shareholding", "more than 25 to 40 %"),
        ("H", "T", "shareholding", "100 %"),
        ("an owner who is not named", "H", "shareholding", "unknown %"),
        ("R", "T", "appointmentOfBoard", "unknown %"),
    }
    assert {each.type for each in Entity.objects.filter(name__in="PQR")} == {"person"}


def test_a_file_that_is_imported_again_adds_nothing(run, file):
    path = file()
    take(run, path)
    before = (Entity.objects.count(), Statement.objects.count())
    assert take(run, path).code == 0
    assert (Entity.objects.count(), Statement.objects.count()) == before


def test_a_faulty_statement_is_named_and_the_others_are_taken(run, file):
    told = take(run, file(STRUCTURE, {"recordType": "entity"}))
    assert told.code == 1
    assert told.document["faults"] == [[12, "The field recordId is missing."]]
    assert Entity.objects.filter(name="T").exists()


def test_a_dry_run_writes_nothing(run, file):
    assert take(run, file(), "--dry-run").document["parties"] == 5
    assert not Entity.objects.exists()


def test_a_file_that_is_cut_off_is_refused(run, file):
    path = file()
    path.write_text(path.read_text()[:-40])
    told = take(run, path)
    assert told.code == 1
    assert "ends within statement" in told.document["error"]["message"]


def test_one_record_is_one_person_and_another_of_the_same_name_is_apart(run, file):
    take(run, file())
    take(run, file("P 100 T"))
    assert Entity.objects.filter(name="P").count() == 1
    other = {
        "statementId": "y" * 32,
        "statementDate": "2026-01-01",
        "declarationSubject": "u",
        "recordId": "another record",
        "recordType": "person",
        "recordDetails": {"isComponent": False, "personType": "knownPerson", "names": [{"fullName": "P"}]},
    }
    take(run, file("P 100 T", other))
    people = Entity.objects.filter(name="P")
    assert sorted(people.values_list("pending_verification", flat=True)) == [False, True]
