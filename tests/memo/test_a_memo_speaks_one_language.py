"""What a memo says itself is in its language, down to the messages of checks; what was found stays as it was found."""

import ast
import re
from pathlib import Path
from time import process_time

import pytest

import citations.sources
import citations.verify
import common.entailment
import common.outside
import common.rendering
import common.roles
import entities.gleif
import research.checks
import research.engine.claims.claim
import research.web.search
from common.opposites import MODALS, QUANTIFIERS
from common.outside.faults import RULES
from research.engine.claims.claim import NOT_THE_COURT
from research.macros.loader import LIBRARY, load_macro
from research.memo import sentences
from research.memo.labels import labels_for
from research.memo.sentences import court, say
from research.models import ResearchResult
from research.review.rows import human_label
from research.services.memos import compose_memo
from tests.cases import cases
from tests.legal.conftest import *  # noqa: F403 - courts, acts and commentaries on loopback
from tests.legal.conftest import work
from tests.memo.legal import legal_result

LANGUAGES = ("de", "fr", "it")
ENGLISH = re.compile(r"\b(?:the|has|have|this|that|which|with|were|does|says|is|not|of|and|by|from)\b")
OF_THE_TERMINOLOGY = re.compile(r"^\|.*\|$", re.MULTILINE)  # has a column in English


PARTS = {  # of which an end or a beginning is a sentence of its own
    "7 does not exist: 7.",
    "7 It is given for 7, which the document has not.",
    "The register has no code for the legal form7; the claim says “7”.",
    "The quote stands in the decision, but 7.",
    "7: neither is a code, or the legal name “7” has none.",
}


def sentences_of(*files):
    """Every sentence in the code of the checks, with a 7 for what is filled in."""
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            texts = [part.value if isinstance(part, ast.Constant) else _filled(part) for part in parts]
            told = "".join(text for text in texts if isinstance(text, str))
            if re.fullmatch(r"[A-Z7][^\n]* [^\n]*[.)]", told) and told.endswith(".") and told not in PARTS:
                yield told


def _filled(part):
    """What stands for a value: a number, but for pieces of a sentence, which have forms of their own."""
    name = getattr(getattr(part, "value", None), "id", "")
    return {
        "at": "source 7",
        "of": " of 7",
        "when": " since 7",
        "within": "",
        "since": "",
        "level": "direct",
        "differs": "",
        "perhaps": "",
    }.get(name, "7")


CHECKS = [*Path(citations.verify.__path__[0]).glob("*.py")]
CHECKS += [Path(research.checks.__path__[0]) / name for name in ("quotes.py", "citations.py", "leis.py")]
CHECKS += [
    Path(entities.gleif.__path__[0]) / name for name in ("verdicts.py", "verification.py", "claims.py")
]
CHECKS += [Path(entities.gleif.__path__[0]).parent / "lei.py"]
DOCSTRINGS = {
    ast.get_docstring(node, clean=False)
    for file in CHECKS
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
}
SAID = sorted({told for told in sentences_of(*CHECKS) if told not in DOCSTRINGS})


def test_there_are_sentences_to_translate():
    assert len(SAID) > 40


@cases("sentence", SAID)
def test_every_sentence_of_the_checks_is_known_in_every_language(sentence):
    assert [language for language in LANGUAGES if say(sentence, language) == sentence] == []


REASONS = [Path(module.__file__) for module in (common.entailment, common.roles, common.rendering)]


SAID_OF_A_PASSAGE = re.compile(
    r"(?:it|its|one of|only one|who|nothing in|too much|no name|no word|what stands|an?other|“7”) ?"
)


def reasons_of(*files):
    """What rules say of a passage, in a word or a few; what is filled in is a 7."""
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        joined = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
        pieces = {id(part) for node in joined for part in node.values}
        for node in ast.walk(tree):
            if id(node) not in pieces:
                parts = node.values if isinstance(node, ast.JoinedStr) else [node]
                told = "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in parts)
                if SAID_OF_A_PASSAGE.match(told):
                    yield told


PHRASES = sorted({*reasons_of(*REASONS), *NOT_THE_COURT.values(), *QUANTIFIERS, *MODALS})


@cases("reason", PHRASES)
def test_every_reason_of_a_verdict_on_a_claim_is_known_in_every_language(reason):
    assert [language for language in LANGUAGES if sentences.phrase(reason, language) == reason] == []


ROOMS = (citations.sources, common.outside, research.web.search)
SOURCES = [file for room in ROOMS for file in Path(room.__path__[0]).glob("*.py")]


def faults_of(*files):
    """What a fault says of its source, which stands before it: its sentence, or what is told instead of that."""
    for code, rule in RULES.items():
        yield f"7 {rule.sentence}."
        if code not in ("not_set_up", "left_alone"):  # nobody answered
            yield f"7 {rule.sentence} (HTTP 7)."
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") == "SourceFault"
                and len(node.args) > 2
            ):
                said = node.args[2]
                parts = said.values if isinstance(said, ast.JoinedStr) else [said]
                told = [str(part.value) if isinstance(part, ast.Constant) else "7" for part in parts]
                if not isinstance(said, ast.Name):  # ``said`` itself, whose text stands where it is made
                    yield f"7 {''.join(told)}."


CLAIMS = sentences_of(Path(research.engine.claims.claim.__file__))
TOLD = {*faults_of(*SOURCES), *(told for told in CLAIMS if "7" in told or "verified" in told)}


@cases("sentence", sorted(TOLD))
def test_every_sentence_of_a_source_in_trouble_and_of_a_claim_is_known_in_every_language(sentence):
    assert [language for language in LANGUAGES if say(sentence, language) == sentence] == []


CLAIM = "“Alle zahlten.” It was called supported, but its source may not bear it out: {}. It says [3]: “Einige zahlten”"


@pytest.mark.parametrize(
    ("why", "told"),
    [
        ("it says some, not all", "elle dit certains, et non tous"),
        ("it says 18,6 Mio., not 81,6 Mio.", "elle dit 18,6 Mio., et non 81,6 Mio."),
        (
            "“mietet” does not render “besitzt”: it is something else",
            "« mietet » ne rend pas « besitzt » : c'est autre chose",
        ),
    ],
)
def test_the_check_of_a_claim_is_wholly_in_the_language_of_the_memo(why, told):
    said = say(CLAIM.format(why), "fr")
    assert said == (
        "« Alle zahlten. » Il a été qualifié de confirmé, mais la source ne le confirme peut-être pas : "
        f"{told}. Elle dit [3] : « Einige zahlten »"
    )


def test_words_of_a_text_in_a_gap_stay_as_they_are():
    assert sentences.phrase("whatever it was", "de") == "whatever it was"
    assert sentences.phrase("it says " * 4_000, "de").startswith("it says it says")


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (
            "“X1” is no LEI: An LEI has 20 characters, this has 2.",
            "“X1” ist kein LEI: Ein LEI hat 20 Zeichen, dieser hat 2.",
        ),
        (
            "The registration of this LEI is LAPSED: it was not renewed in time.",
            "Die Registrierung dieses LEI ist LAPSED: Sie wurde nicht rechtzeitig erneuert.",
        ),
        (
            "The entity has ended since 2020-01-02: its status is INACTIVE, reason LIQUIDATION.",
            "Der Rechtsträger ist seit 2020-01-02 beendet: Sein Status ist INACTIVE, Grund LIQUIDATION.",
        ),
        (
            "The jurisdiction is CH-ZH, within CH as claimed.",
            "Die Rechtsordnung ist CH-ZH, innerhalb von CH, wie angegeben.",
        ),
        ("The legal name is “Muster AG”, as claimed.", "Der rechtliche Name ist «Muster AG», wie angegeben."),
        (
            "BGE 130 III 362: entscheidsuche has this decision of 2004 (CH_BGE).",
            "BGE 130 III 362: entscheidsuche hat diesen Entscheid (2004, amtliche Sammlung).",
        ),
        (
            "BGE 147 VII 1 does not exist: volume 147 has no division VII. Perhaps BGE 147 VI 1, BGE 147 V 1.",
            "BGE 147 VII 1 gibt es nicht: Band 147 hat keine Abteilung VII. Vielleicht BGE 147 VI 1, BGE 147 V 1.",
        ),
        (
            "fedlex has it. Something that nobody has translated. fedlex has it.",
            "fedlex hat es. Something that nobody has translated. fedlex has it.",
        ),
        (
            "529900K9B0N5BT694847: The register states no renewal date.",
            "529900K9B0N5BT694847: Das Register nennt kein Datum der Erneuerung.",
        ),
        ("", ""),
    ],
)
def test_a_message_is_told_as_far_as_it_is_known(message, told):
    assert say(message, "de") == told


@cases("sentence", (*sentences._sentences(), *sentences._phrases()), ids=lambda one: one.words["en"])
def test_what_is_filled_in_has_its_place_in_every_language(sentence):
    assert {words.count("{}") for words in sentence.words.values()} == {len(sentence.gaps)}
    assert all(sentence.words.values())


@pytest.mark.parametrize("message", ["x has it. " * 400, "There is no end to it: " * 4_000])
def test_a_text_that_is_longer_than_any_message_is_left_as_it_is(message):
    assert say(message, "de") == message


@pytest.mark.parametrize(
    "text",
    [
        "a stands on pages " + "a to a at most, not on b " * 79 + "c",
        "The number is cited as one of a" + "; a has it of a" * 130,
        "The quote says a" + ", but source a says a" * 94,
    ],
)
def test_what_begins_like_a_message_again_and_again_is_read_at_once(text):
    began = process_time()  # others on this machine do not count
    assert say(text, "de") == text
    assert process_time() - began < 0.15


def test_after_ten_sentences_the_rest_is_left_as_it_is():
    assert say("x has it. " * 12, "de") == " ".join(["x hat es."] * 10 + ["x has it."] * 2)


def test_in_english_only_the_courts_get_their_names():
    assert say("x has this decision (CH_BGer).", "en") == "x has this decision (Federal Supreme Court)."
    assert court("ZH_OG", "it") == "ZH_OG"


def names_of_fields():
    """Of the macros that come with Dossier: what their schemas and parameters are called."""
    for file in LIBRARY.glob("*.yaml"):
        macro = load_macro(file.read_text(encoding="utf-8"))
        yield from (human_label(parameter.name) for parameter in macro.parameters)
        stack = [macro.schema]
        while stack:
            part = stack.pop()
            stack += [each for each in part.values() if isinstance(each, dict)]
            members = part.get("properties")
            for key, inner in members.items() if isinstance(members, dict) else ():
                yield (isinstance(inner, dict) and inner.get("title")) or human_label(key)


@cases("field", sorted(set(names_of_fields())))
def test_every_field_of_the_library_has_a_name(field):
    assert field in labels_for("de").fields


@pytest.fixture
def result(courts, acts, commentaries, ask):
    return ResearchResult.objects.get(run=work(ask(autonomy="autonomous")))


def text_of(result, language, style):
    return bytes(compose_memo(result=result, language=language, style=style).body).decode()


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("style", ["memo", "bullets"])
def test_the_memo_of_a_legal_run_has_no_english_in_it(result, language, style):
    text = OF_THE_TERMINOLOGY.sub("", text_of(result, language, style))
    assert [line for line in text.splitlines() if ENGLISH.search(line)] == []


@pytest.mark.django_db
def test_no_raw_key_stands_in_it(result):
    text = text_of(result, "fr", "memo")
    assert [
        word for word in ("(CH_BG", "maxSources", "outputFormat", "autonomous", "rules") if word in text
    ] == []
    assert "Sources au plus: 50" in text


@pytest.mark.django_db
def test_what_was_found_stays_as_it_was_found():
    text = text_of(legal_result(), "fr", "memo")
    assert "Mängelhaftung im Werkvertrag" in text
    assert "Die Haftung setzt einen Mangel voraus" in text
