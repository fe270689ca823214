import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.passages import SIMILAR, Plain, Searched
from tests.cases import cases

TEXT = (
    "Die Allianz SE wurde am 5. Februar 1890 in Berlin gegründet. Sie „versichert“ Per-\nsonen und "
    "Unter\u00adnehmen — weltweit; der Umsatz betrug 161,7 Milliarden Euro im Jahr 2023. Die \ufb01nanzielle Lage ist "
    "nicht gefährdet.\n\n   Seit 1954 ist der Sitz in\u00a0München. "
    "Der Gewinn stieg um 1'234'567 Franken auf das Doppelte."
)


def bare(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn").strip()


def found(quote, text=TEXT):
    passage = Searched(text).find(quote)
    return passage and (passage.how, text[passage.start : passage.end])


@cases(
    ("quote", "how", "passage"),
    [
        ("am 5. Februar 1890 in Berlin", "exact", "am 5. Februar 1890 in Berlin"),
        ('"am 5. Februar 1890 in Berlin"', "exact", "am 5. Februar 1890 in Berlin"),
        ("AM 5. FEBRUAR 1890 in berlin", "case", "am 5. Februar 1890 in Berlin"),
        ("Sie 'versichert' Personen", "exact", "Sie „versichert“ Per-\nsonen"),
        ("Personen und Unternehmen - weltweit", "exact", "Per-\nsonen und Unter\u00adnehmen — weltweit"),
        ("Die finanzielle Lage", "exact", "Die \ufb01nanzielle Lage"),
        ("gefährdet. Seit 1954", "exact", "gefährdet.\n\n   Seit 1954"),
        ("gefa\u0308hrdet. Seit", "exact", "gefährdet.\n\n   Seit"),
        ("der Sitz in München.", "exact", "der Sitz in\u00a0München."),
        ("Sie versichert Personen", "spacing", "Sie „versichert“ Per-\nsonen"),
        ("Unter-nehmen — weltweit", "spacing", "Unter\u00adnehmen — weltweit"),
        ("Seit 1954 liegt ihr Sitz in München", "similar", "Seit 1954 ist der Sitz in\u00a0München"),
    ],
)
def test_it_finds_a_quote_however_it_was_set(quote, how, passage):
    assert found(quote) == (how, passage)


@cases(
    "quote",
    [
        "der Umsatz betrug 161,8 Milliarden Euro im Jahr 2023",
        "der Umsatz betrug 161,7 Milliarden Euro im Jahr 2024",
        "Die finanzielle Lage ist gefährdet. Seit 1954 ist der Sitz in München",
        "Die Allianz SE wurde nicht am 5. Februar 1890 in Berlin gegründet",
        "Der Gewinn stieg um 1'234'568 Franken",
    ],
)
def test_it_sees_when_a_number_or_a_denial_was_changed(quote):
    how, _ = found(quote)
    assert how == "changed"


@pytest.mark.parametrize("quote", ["stieg um 1234567 Franken auf", "stieg um 1,234,567 Franken auf das"])
def test_it_does_not_care_how_digits_are_grouped(quote):
    how, passage = found(quote)
    assert how in ("spacing", "spelled")
    assert "1'234'567" in passage


@cases(
    "quote",
    ["", "  ", '""', "Der Mond ist aus Käse gemacht", "Allianz Versicherung in Zürich gegründet 2001 wurde"],
)
def test_it_finds_nothing_that_is_not_there(quote):
    assert found(quote) is None


def test_it_finds_what_stands_later_on():
    text = "Same words here. Other text. Same words here."
    searched = Searched(text)
    assert searched.find("Same words here.", 1).start == 29
    assert searched.find("Same words here.", 40) is None


def test_it_finds_values_of_json():
    text = '{"legalName":"Allianz \\"Global\\" Investors","town":"Zürich","lei":"529900K9B0N5BT694847"}'
    searched = Searched(text, json=True)
    assert searched.holds_value("Zürich")
    assert searched.holds_value('"529900K9B0N5BT694847"')
    assert not searched.holds_value("Züri")
    assert searched.find('Allianz "Global" Investors').how == "exact"
    assert searched.find('"town": "Zürich"').how == "spacing"


@cases("text", ["", "a", "\u00ad" * 50, " \n" * 50, "\ufb01" * 30, "İ" * 30, "🦊\u0301" * 9, "-\n" * 9])
@cases("quote", ["a", "fi fi", "🦊", "i", "a word that is not there", "-", "\u00ad"])
def test_it_copes_with_any_text(text, quote):
    passage = Searched(text).find(quote)
    assert passage is None or 0 <= passage.start <= passage.end <= len(text)


def test_a_letter_and_its_accent_end_together():
    text = "00000000A\u0300"
    assert Searched(text).find(text).end == len(text)


@given(st.text(max_size=300), st.data())
def test_what_is_copied_is_found_where_it_stands(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    quote = Plain(text[start:end]).text.strip(' "')
    passage = Searched(text).find(text[start:end])
    if (
        passage is None
    ):  # nothing but blanks and marks, or cut through a letter and its accent or a divided word
        assert not quote or quote not in Plain(text).text
    else:
        assert 0 <= passage.start <= passage.end <= len(text)
        if passage.how == "exact":
            there = Plain(text[passage.start : passage.end]).text
            # a letter is shown with all its accents, and an accent with its letter, wherever the copy was cut;
            # signs alone may be written in several ways
            if any(map(str.isalnum, quote)):
                assert bare(quote) in bare(there)
                assert len(bare(there)) <= len(bare(quote)) + 3


@given(st.text(alphabet="abc -\n„“\u00ad\ufb01ß\u0301 ", max_size=200))
def test_positions_lead_back_to_the_original(text):
    plain = Plain(text)
    places = [plain.at(index) for index in range(len(plain.text) + 1)]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)


def test_it_takes_time_in_proportion_to_the_text():
    sentence = "The committee of number {} met in “Zürich” – and de-\ncided nothing of weight, once again.\n"
    text = "".join(sentence.format(number) for number in range(22_000))
    assert len(text) > 1_900_000
    took = []
    for part in (text[: len(text) // 4], text):
        begin = time.process_time()
        searched = Searched(part)
        assert (
            searched.find('committees of number 4321 met in "Zürich" and decided nothing of wait').how
            == "similar"
        )
        assert searched.find("a sentence that stands nowhere in here, whatever one does about it") is None
        took.append(time.process_time() - begin)
    assert took[1] < 12 * took[0] + 1
    assert took[1] < 20


def test_a_passage_that_is_hardly_alike_is_none():
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
    quote = " ".join(words[:4] + ["other"] * 8)
    assert SIMILAR > 0.5
    assert found(quote, " ".join(words)) is None
