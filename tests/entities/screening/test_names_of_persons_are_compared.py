"""Names of persons: order, scripts, particles, patronymics, initials, weak aliases."""

import pytest

from entities.screening.persons import compare_names
from entities.screening.records import make_name
from tests.cases import cases

THRESHOLD = 80


def fit(ours, theirs, *, weak=False, family=""):
    parts = [("family", family)] if family else []
    return compare_names(ours, make_name(theirs, weak=weak, parts=parts))


@cases(
    ("ours", "theirs"),
    [
        ("Karelov Sergey", "Sergey KARELOV"),
        ("Sergei Karelov", "Sergey Pavlovich KARELOV"),
        ("Yuriy Ivanov", "Iurii Ivanoff"),
        ("Muhammad El Hadadi", "Mohammed al-Haddadi"),
        ("Abdul Rahman Hussain", "Abdirahman Hussein"),
        ("Abd al-Karim Yusuf Haddadi", "عبد الكريم يوسف الحدادي"),
        ("Omar Khaled", "عمر خالد"),
        ("Viktor Testov", "Виктор Ильич Тестов"),
        ("Tatyana Karelova", "Карелова Татьяна"),
        ("Jinping Xi", "习近平"),
        ("Kim Jong Un", "김정은"),
        ("Alyaksandr Lukashenka", "Alexander Lukashenko"),
        ("Maria Garcia", "Maria Fernanda Garcia Lopez"),
        ("Usama Ladin", "Osama bin Laden"),
        ("Dr. Peter Muller", "Peter Müller"),
    ],
)
def test_it_finds_the_same_person_written_otherwise(ours, theirs):
    assert fit(ours, theirs).score >= THRESHOLD, fit(ours, theirs)


@cases(
    ("ours", "theirs"),
    [
        ("Mohammed Ali", "Mahmoud Ali"),
        ("Ali Hassan", "Hassan Mohammed Rezaei"),
        ("Karelov", "Sergey Karelov"),
        ("S. Karelov", "Sergey Karelov"),
        ("Anna Schmidt", "Anna Schwarz"),
        ("John Miller", "Jane Miller"),
        ("Wang Wei", "Wang Min"),
    ],
)
def test_it_does_not_take_another_person_for_the_same(ours, theirs):
    assert fit(ours, theirs).score < THRESHOLD, fit(ours, theirs)


def test_a_weak_alias_fits_exactly_or_not_at_all():
    assert fit("grey FOX", "Grey Fox", weak=True).score == 100
    assert fit("Gray Fox", "Grey Fox", weak=True).score == 0


def test_a_family_name_that_the_list_tells_must_fit():
    whole = fit("Sergey Pavlovich Orlov", "Sergey Pavlovich Karelov").score
    assert fit("Sergey Pavlovich Orlov", "Sergey Pavlovich Karelov", family="Karelov").score <= min(whole, 75)


def test_a_number_is_no_misspelling():
    assert fit("Agent 17", "Agent 18").score < THRESHOLD


@pytest.mark.parametrize("name", ["", "–", "' '"])
def test_a_name_without_letters_fits_nothing(name):
    assert fit(name, "Sergey Karelov").score == 0


def test_it_says_why():
    told = fit("Sergei Karelov", "Sergey Pavlovich Karelov").relation
    assert told == "written otherwise: “sergei” for “sergey”; only the list's: “pavlovich”"
