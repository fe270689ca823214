"""What the engine and the sources say of their own limits is told in the language of the memo, whole."""

import pytest

from research.engine.conversation import REPEATED
from research.engine.results import early
from research.engine.workflows import deep
from research.engine.workflows.legal import NOT_SET_UP
from research.memo.sentences import say
from research.web.search.setup import HOW_TO
from tests.cases import cases

LANGUAGES = ("de", "fr", "it")
ENGINE = [
    *(sentence for budget in ("turns", "tool_calls", "time") for sentence in early(budget)),
    *deep.EARLY.values(),
    *(f"{words}." for words in deep.UNWILLING.values()),
    deep.NOTHING_FOUND,
    deep.NOTHING_NEW.format(2),
    *early(REPEATED),
    "The research ended before it was done.",
    "This address stands in no source of the run: it was never read, and may not exist.",
    "Sources were found for “the owner”, and the report cites none of them.",
    "The report has no words of this part of the question; look whether it answers it: “who owns it?”",
    "onlinekommentar lists it; its text was not opened.",
    deep.FINISHED_BY_HAND,
    NOT_SET_UP,
    HOW_TO,
]
SOURCES = [
    "fedlex did not answer in time.",
    "fedlex cannot be reached (ConnectionError).",
    "The LEI register did not answer in time.",
    "Zefix asks for fewer questions (HTTP 429).",
    "searxng does not accept the key or our address (HTTP 401).",
    "example.org answers 404 (Not Found).",
    "The budget of 3 tool calls is spent. Report what you have found.",
]


@cases("sentence", [*ENGINE, *SOURCES])
@cases("language", LANGUAGES)
def test_no_word_of_it_stays_english(sentence, language):
    told = say(sentence, language)
    for english in sentence.split(". "):
        assert english.removesuffix(".") not in told


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", "get_article gab keine Antwort: fedlex hat eine Störung (HTTP 503)."),
        ("fr", "get_article n'a pas donné de réponse : fedlex est en panne (HTTP 503)."),
        ("it", "get_article non ha dato risposta: fedlex è in difficoltà (HTTP 503)."),
        ("en", "get_article gave no answer: fedlex is in trouble (HTTP 503)."),
    ],
)
def test_whose_answer_is_missing_and_why_are_told_in_one_language(language, told):
    assert say("get_article gave no answer: fedlex is in trouble (HTTP 503).", language) == told


def test_the_words_of_a_model_stay_its_own():
    told = say(f"{deep.UNWILLING['refusal']}: I will not.", "de")
    assert told == "Das Modell weigerte sich weiterzumachen: I will not."


def test_a_memo_tells_them_so(make_result, compose):
    result = make_result(limitations=["get_article gave no answer: fedlex did not answer in time."])
    text = compose(result, language="fr")
    assert "get_article n'a pas donné de réponse : fedlex n'a pas répondu à temps." in text
    assert "gave no answer" not in text
