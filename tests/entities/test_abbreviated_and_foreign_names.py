"""Names with abbreviated words, with legal forms of other countries, and words that only look like a slip."""

import pytest

from entities.names.matching import ABBREVIATED, OTHER, RELATED, SAME, SPELLING, NameVariant, compare
from tests.cases import cases


def _score(one: str, other: str) -> float:
    return compare(one, NameVariant(other)).score


@cases(
    ("short", "full"),
    [
        ("Norderwald Vers.-AG", "Norderwald Versicherungs-Aktiengesellschaft"),
        ("Thornbury Int'l Trading Grp Ltd", "The Thornbury International Trading Group Limited"),
        ("Pemberton Bros. Mfg. Co.", "Pemberton Brothers Manufacturing Company"),
        ("Cie Financière Beaurivage", "Compagnie Financière Beaurivage SA"),
        ("Rheintaler Masch.fabrik Köhler", "Rheintaler Maschinenfabrik Köhler GmbH"),
        ("Zakł. Chem. Wierzbica S.A.", "Zakłady Chemiczne Wierzbica Spółka Akcyjna"),
    ],
)
def test_words_may_be_abbreviated_beside_one_that_both_have(short, full):
    for one, other in ((short, full), (full, short)):
        assert _score(one, other) == ABBREVIATED
    assert "abbreviated" in compare(short, NameVariant(full)).relation


@cases(
    ("one", "other"),
    [
        ("Vers. AG", "Versicherungs-AG"),  # nothing else is said
        ("Norderwald Le AG", "Norderwald Lebensversicherungs-AG"),  # two letters say nothing
        ("Thornbury Fund 2", "Thornbury Fund 20"),
        ("Halvergate Ins Ltd", "Halvergate Holdings Ltd"),
    ],
)
def test_not_every_beginning_is_an_abbreviation(one, other):
    assert _score(one, other) <= RELATED


@cases(
    ("one", "other"),
    [
        ("Norderwald Rückversicherungs-AG", "Norderwald Versicherungs-AG"),
        ("Norderwald Rückversicherungs-AG", "Norderwald Feuerversicherungs-AG"),
        ("Southern Oil Company", "Northern Oil Company"),
        ("Bank of Austria", "Bank of Australia"),
        ("International Bank of Elbing", "National Bank of Elbing"),
        ("Cofibe", "Cofibeau"),
        ("Nordwald SE", "Norderwald SE"),
    ],
)
def test_another_word_is_no_slip_of_the_pen(one, other):
    assert _score(one, other) < 85


@cases(
    ("one", "other"),
    [
        ("Alianz SE", "Allianz SE"),
        ("Beaurivage Gestoin Privée", "Beaurivage Gestion Privée SAS"),
        ("Madhu Silica Privaet Limiged", "Madhu Silica Private Limited"),
        ("Curious Ventuers Ld", "Curious Ventures Ltd"),
    ],
)
def test_a_slip_still_is_one(one, other):
    assert 85 <= _score(one, other) <= SPELLING


@cases(
    ("one", "other"),
    [
        ("Jihlavské strojírny akciová společnost", "Jihlavské strojírny a.s."),
        ("Zakłady Wierzbica S.A.", "Zakłady Wierzbica Spółka Akcyjna"),
        ("Norderwald Polska Spółka z o.o.", "Norderwald Polska Sp. z o.o."),
        ("OOO Uralhimservis", "Общество с ограниченной ответственностью «Уралхимсервис»"),
        ("Uralhimservis LLC", "ООО Уралхимсервис"),
        ("ТОВ Київзернопродукт", "Товариство з обмеженою відповідальністю Київзернопродукт"),
        ("(株)青森精機", "株式会社青森精機"),
        ("㈱青森精機", "株式会社青森精機"),
        ("대동해운(주)", "대동해운 주식회사"),
        ("Ararat Gini LLC", "Արարատ Գինի ՍՊԸ"),
        ("Kavkasia Treidi", "შპს კავკასია ტრეიდი"),
        ("Žemaitijos pienas, UAB", "Uždaroji akcinė bendrovė Žemaitijos pienas"),
    ],
)
def test_a_legal_form_is_known_in_its_script_and_in_translation(one, other):
    assert _score(one, other) >= SAME


@pytest.mark.parametrize(("one", "other"), [("Helvor S.A.", "Helvor AG"), ("Helvor s.r.o.", "Helvor a.s.")])
def test_another_legal_form_is_another_company(one, other):
    assert OTHER < _score(one, other) <= RELATED
