"""Numbers from one to ninety-nine are read in the words of four languages, and money behind "de" and "di"."""

from common.entailment import compare
from common.quantities import quantities
from tests.cases import cases


@cases(
    ("words", "value"),
    [
        ("twenty-one", 21), ("ninety nine", 99), ("einundzwanzig", 21), ("fuenfundachtzig", 85),
        ("siebzehn", 17), ("vingt et un", 21), ("vingt-deux", 22), ("soixante-dix", 70), ("soixante et onze", 71),
        ("quatre-vingts", 80), ("quatre-vingt-cinq", 85), ("quatre-vingt-dix-sept", 97), ("septante-deux", 72),
        ("nonante", 90), ("ventuno", 21), ("ventotto", 28), ("trentatre", 33), ("ottantacinque", 85),
        ("diciannove", 19), ("thirteen", 13), ("quarante", 40), ("tredici", 13), ("quarante et une", 41),
    ],
)  # fmt: skip
def test_a_number_in_words_is_its_value(words, value):
    assert [one.value for one in quantities(f"in {words} cases")[1]] == [value]


@cases(
    "text", ["about the content", "achtung", "eintausendster", "sixtyish", "sei gut", "la ventura", "neufs"]
)
def test_other_words_are_no_numbers(text):
    assert quantities(text)[1] == []


@cases(
    ("claim", "passage", "says"),
    [
        ("The period is 20 days.", "The period is twenty-one days", "otherwise"),
        ("The period is 21 days.", "The period is twenty-one days", "said"),
        ("Le délai est de 85 jours.", "Le délai est de quatre-vingt-cinq jours", "said"),
        ("Il fatturato era di 3,4 milioni di franchi.", "Il fatturato era di CHF 3'400'000", "said"),
        ("Il fatturato era di 3,4 milioni di franchi.", "Il fatturato era di EUR 3'400'000", "otherwise"),
    ],
)
def test_a_claim_is_compared_by_what_they_amount_to(claim, passage, says):
    assert compare(claim, passage)[0] == says


@cases(
    ("claim", "passage", "says"),
    [
        ("Alpha owns three quarters of the shares.", "Alpha owns 75 % of the shares.", "said"),
        ("Alpha hält drei Viertel der Aktien.", "Alpha hält 75 % der Aktien.", "said"),
        ("Alpha détient trois quarts des actions.", "Alpha détient 75 % des actions.", "said"),
        ("Alpha detiene tre quarti delle azioni.", "Alpha detiene il 60 % delle azioni.", "otherwise"),
        ("Alpha owns two thirds of the shares.", "Alpha owns two thirds of the shares.", "said"),
        ("Alpha owns two thirds of the shares.", "Alpha owns 66.7 % of the shares.", "lacking"),
    ],
)
def test_parts_of_a_whole_are_per_cent(claim, passage, says):
    assert compare(claim, passage)[0] == says
