"""How much of an answer is shown says nothing about who is meant."""

import pytest
from django.utils import timezone

from entities.gleif.finding import find_by_name
from entities.gleif.golden.rows import lines_of
from entities.gleif.records import parse_record
from entities.gleif.register import open_register
from entities.models import GoldenCopyImport
from entities.names.abbreviations import stated_names
from entities.names.matching import score
from tests.cases import cases
from tests.factories import LeiRecordFactory

pytestmark = pytest.mark.django_db
LEI = "529900K9B0N5BT694847"
FULL = "ALLIANZ SPÓŁKA Z OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ"


@pytest.fixture
def register():
    GoldenCopyImport.objects.create(
        kind="lei2", scope="full", source="lei2", publish_date=timezone.now(), state="live"
    )
    for form in (
        "SE",
        "GmbH",
        "AG",
        "S.A.",
        "Ltd",
        "NV",
        "S.p.A.",
        "Oy",
        "AB",
        "AS",
        "LLC",
        "PLC",
        "SAS",
        "SL",
        "Inc",
    ):
        for place in ("DE", "FR", "GB", "US"):
            LeiRecordFactory(legal_name=f"Allianz {form}", jurisdiction=place)
    return open_register("gleif")


@cases("limit", [1, 5, 10, 20, 50, 100])
def test_the_outcome_is_the_same_however_many_candidates_are_shown(register, limit):
    polish = LeiRecordFactory(legal_name=FULL, jurisdiction="PL")
    found = find_by_name("Allianz Sp. z o.o.", register=register, limit=limit)
    assert (found.outcome.kind, found.outcome.leis) == ("one", (polish.lei,))
    assert len(found.matches) == min(limit, 61)
    assert found.matches[0].record.lei == polish.lei


def test_a_shorter_list_is_the_beginning_of_a_longer_one(register):
    lists = [[match.record.lei for match in register.search("Alianz", limit=limit)] for limit in (3, 10, 60)]
    assert lists[0] == lists[2][:3]
    assert lists[1] == lists[2][:10]


@cases(
    ("name", "full", "short"),
    [
        (
            'ALLIA SOCIETA\' PER AZIONI IN FORMA ABBREVIATA "ALLIA S.P.A."',
            "ALLIA SOCIETA' PER AZIONI",
            "ALLIA S.P.A.",
        ),
        (
            "Lega Società Cooperativa, o anche in forma abbreviata, Lega S.C.",
            "Lega Società Cooperativa",
            "Lega S.C.",
        ),
        ("STUDIO ROSSI BIANCHI SRL IN BREVE STUDIO RB SRL", "STUDIO ROSSI BIANCHI SRL", "STUDIO RB SRL"),
        ('SOCIETE D\'AIDE A DOMICILE EN ABREGE "SAD"', "SOCIETE D'AIDE A DOMICILE", "SAD"),
        ("Norddeutsche Werke AG, abgekürzt: NW AG", "Norddeutsche Werke AG", "NW AG"),
        ("Northern Works Limited (in short: NWL)", "Northern Works Limited", "NWL"),
        ("Noordelijke Werken N.V., afgekort NW", "Noordelijke Werken N.V.", "NW"),
        ("Compañía del Norte S.A., abreviadamente CN", "Compañía del Norte S.A.", "CN"),
        ("Zakłady Północne S.A. w skrócie ZP S.A.", "Zakłady Północne S.A.", "ZP S.A."),
        ("АО «Северные заводы», сокращенно «СЗ»", "АО «Северные заводы", "СЗ"),
        ("Αιγαίο Α.Ε. με διακριτικό τίτλο «AEG»", "Αιγαίο Α.Ε.", "AEG"),
    ],
)
def test_a_name_may_state_its_abbreviation(name, full, short):
    assert stated_names(name) == (full, short)


@cases(
    "name",
    ["Allianz SE", "In Short Limited", "Skrót Sp. z o.o.", "Provident Fund", "Acme en abrégé", "x" * 5_000],
)
def test_most_names_state_none(name):
    assert stated_names(name) is None


def test_who_asks_by_the_abbreviation_finds_the_company():
    name = 'LEGA ADRIATICA SOCIETA\' PER AZIONI IN FORMA ABBREVIATA "LEGADRIA S.P.A."'
    attributes = {"lei": LEI, "entity": {"legalName": {"name": name}}}
    record = parse_record({"attributes": attributes})
    points, variant, _ = score("Legadria SpA", record.names)
    assert (points, variant.name, variant.type) == (100, "LEGADRIA S.P.A.", "ABBREVIATED_NAME")
    _, names = lines_of("lei2", attributes, ("local", "", ""))
    kept = [line.split("\t")[2:] for line in names.splitlines()]
    assert [(kind, key) for kind, _, key in kept[1:]] == [
        ("LEGAL_NAME", "lega adriatica societa per azioni"),
        ("ABBREVIATED_NAME", "legadria s p a"),
    ]


def test_one_word_that_other_names_have_too_decides_nothing(register):
    plain, longer = (
        LeiRecordFactory(legal_name=name, jurisdiction="DE") for name in ("Fuchs SE", "Roter Fuchs AG")
    )
    found = find_by_name("Fuchs", register=register)
    assert (found.outcome.kind, found.outcome.code) == ("several", "bare_name")
    assert found.outcome.leis == (plain.lei, longer.lei)
    assert "say the legal form" in found.outcome.message
    assert find_by_name("Fuchs SE", register=register).outcome.leis == (plain.lei,)
