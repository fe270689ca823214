from research.web.archive.analysis import question_terms
from research.web.archive.snippets import LENGTH, best_snippet
from tests.cases import cases


def snippet(text, question, language="en"):
    return best_snippet(text, frozenset(question_terms(question)), language)


def test_it_shows_the_part_that_answers_with_the_words_marked():
    text = "Filler words here. " * 100 + "The regulator approved the merger in 2019. " + "More filler. " * 100
    shown = snippet(text, "When did regulators approve the merger?")
    assert [shown.text[a:b] for a, b in shown.ranges] == ["regulator", "approved", "merger"]
    assert text[shown.start : shown.start + len(shown.text)] == shown.text
    assert len(shown.text) <= LENGTH


def test_it_prefers_many_different_words_to_one_word_often():
    text = "merger " * 50 + "x " * 400 + "regulator and merger"
    shown = snippet(text, "regulator merger")
    assert "regulator" in shown.text


def test_it_shows_the_beginning_when_nothing_stands_in_the_text():
    shown = snippet("The beginning. " + "x" * 1000, "elsewhere")
    assert shown.text.startswith("The beginning.")
    assert (shown.start, shown.ranges) == (0, ())


@cases("text", ["", "a", "🦊" * 500, "ß" * 700, "x" * 5_000])
def test_it_copes_with_any_text(text):
    shown = snippet(text, "fox ß x a")
    assert text[shown.start :].startswith(shown.text)


def test_it_counts_code_points():
    shown = snippet("🦊🦊 straße 🦊", "STRASSE", "de")
    assert [shown.text[a:b] for a, b in shown.ranges] == ["straße"]


def test_its_parts_are_the_text_again():
    shown = snippet("The regulator approved the merger.", "merger regulator")
    assert "".join(part for part, _ in shown.parts) == shown.text
    assert [part for part, marked in shown.parts if marked] == ["regulator", "merger"]
