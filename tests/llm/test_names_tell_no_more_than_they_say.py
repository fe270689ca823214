"""Reading of names and legal forms."""

from research.register_researcher.classification import (
    entity_type,
    fund_structure,
    fund_type,
    manager_likelihood,
)
from tests.cases import cases


@cases(
    ("record", "expected"),
    [
        ({"name": "Allianz Premium Champions", "legal_form": "UDY2"}, "other"),
        ({"name": "Some Global UCITS ETF"}, "ucits"),
        ({"name": "Allianz Impact Private Credit S.A., SICAV-RAIF"}, "aif"),
        ({"name": "Allianz Global Infrastructure ELTIF"}, "aif"),
        ({"name": "India Growth Trust", "legal_form": "EX8U"}, "aif"),
        ({"name": "Naif Fund"}, "other"),
        ({}, "other"),
    ],
)
def test_a_fund_is_a_ucits_or_an_aif_only_when_its_name_or_form_says_so(record, expected):
    assert fund_type(record) == expected


@cases(
    ("record", "expected"),
    [
        ({"name": "Allianz Premium Champions", "legal_form": "UDY2"}, "sicav"),
        ({"name": "Allianz Advanced Fixed Income", "legal_form": "AIR5"}, "fcp"),
        ({"name": "MANTEX SICAV - Balanced"}, "sicav"),
        ({"name": "Obligations FCP"}, "fcp"),
        ({"name": "Schroder Unit Trust"}, "unit_trust"),
        ({"name": "Threadneedle Investment Funds ICVC"}, "oeic"),
        ({"name": "X", "legal_form": "8888", "legal_form_text": "Fonds commun de placement"}, "fcp"),
        ({"name": "AllianzGI-Fonds DIN", "legal_form": "8888"}, ""),
    ],
)
def test_a_structure_is_named_only_when_it_is_known(record, expected):
    assert fund_structure(record) == expected


@cases(
    ("name", "expected"),
    [
        ("Allianz Global Investors GmbH", 2),
        ("UBS Fondsleitung (Schweiz) AG", 2),
        ("Deka Kapitalverwaltungsgesellschaft mbH", 2),
        ("Amundi Société de Gestion", 2),
        ("Allianz Alapkezelő Zrt.", 2),
        ("VÚB Generali dôchodková správcovská spoločnosť, a.s.", 2),
        ("POWSZECHNE TOWARZYSTWO EMERYTALNE ALLIANZ POLSKA SPÓŁKA AKCYJNA", 2),
        ("Eurizon Capital SGR S.p.A.", 2),
        ("CommerzVentures GmbH", 0),
        ("Example Investments Ltd", 1),
        ("SHELL PLC", 0),
    ],
)
def test_managers_are_known_by_their_names_in_many_languages(name, expected):
    assert manager_likelihood({"name": name}) == expected


def test_a_fund_is_never_taken_for_a_manager():
    assert manager_likelihood({"name": "Allianz Global Investors Fund", "category": "FUND"}) == 0


@cases(
    ("name", "expected"),
    [
        ("Allianz SE", "corporation"),
        ("COMMERZBANK Aktiengesellschaft", "corporation"),
        ("Apple Inc.", "corporation"),
        ("stichd group B.V.", "corporation"),
        ("UK Logistics PropCo IV S.à r.l.", "corporation"),
        ("ALLIANZ HOLDINGS PLC", "holding_company"),
        ("Windpark Emmendorf GmbH & Co. KG", "partnership"),
        ("UK Logistics S.C.Sp.", "partnership"),
        ("극동전선(주)", ""),
    ],
)
def test_an_entity_type_is_read_from_the_words_of_the_name(name, expected):
    assert entity_type({"name": name, "category": "GENERAL"}) == expected
