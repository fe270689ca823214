import re

import pytest

from research.errors import InvalidParameters
from research.memo.labels import LANGUAGES, labels_for
from research.models.states import DecisionVerdict, ResultState, Trigger, VerbState, Verdict
from research.services.memos import compose_memo
from tests.cases import cases

WORDS = [
    *(f"state_{state}" for state in ResultState.values),
    *(f"verdict_{verdict}" for verdict in DecisionVerdict.values),
    *(f"verb_{state}" for state in VerbState.values),
    *(f"trigger_{trigger}" for trigger in Trigger.values),
    *(f"tally_{verdict}" for verdict in Verdict.values),
]


@cases("key", WORDS)
def test_every_state_has_a_word(labels, key):
    assert labels(key).strip()


def test_every_language_has_every_word():
    tables = [labels_for(language) for language in LANGUAGES]
    assert all(table.keys() == tables[0].keys() for table in tables)
    assert all(isinstance(word, str) and word.strip() for table in tables for word in table.values())


def test_every_counted_word_has_a_singular_and_room_for_its_number(labels):
    counted = [key for key, word in labels.items() if "{}" in word]
    assert {key for key in counted if not key.startswith("one_")} == {
        key.removeprefix("one_") for key in counted if key.startswith("one_")
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("format", ["md", "html"])
def test_no_word_is_missing_in_a_memo(decided, compose, language, format):
    text = compose(decided("executed"), language=language, format=format)
    empty = re.findall(r"<(?:h\d|dt)></|\*\*:\*\*|^## $", text, re.MULTILINE)
    assert empty == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_names_its_language(make_result, compose, language):
    assert f'<html lang="{language}">' in compose(make_result(), language=language, format="html")


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ({"style": "novel"}, ["memo", "bullets", "json"]),
        ({"format": "docm"}, ["md", "html", "pdf", "docx", "json"]),
        ({"language": "la"}, ["en", "de", "fr", "it"]),
    ],
)
def test_what_memos_do_not_have_is_refused_by_name(make_result, options, allowed):
    with pytest.raises(InvalidParameters) as refused:
        compose_memo(result=make_result(), **options)
    (error,) = refused.value.errors
    assert error.name in options
    assert list(error.allowed) == allowed
    assert all(word in error.message for word in allowed)
