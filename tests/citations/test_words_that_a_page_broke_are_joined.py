"""Soft hyphens, signs of no width and hyphens at the end of a line do not change what is cited, and the offsets
are those of the text as it was given."""

import pytest

from citations.extract import extract

TEXT = (
    "Im Urteil des Bundesgerichts 4A_12/2020 vom 3. Februar 2021 E. 2.1 (vgl. BGE 138 III 276 Erwägung 3) wird"
    " Art. 30 Abs. 1 der Bundesverfassung und Art. 17 SchKG angewandt;"
    " VGer ZH VB.2020.00123, BSK ZGB I-Muster, Art. 28 N 5."
)
PLAIN = [(mention.normalized, mention.pinpoints, mention.raw) for mention in extract(TEXT)]
LETTERS = [at for at in range(1, len(TEXT)) if TEXT[at - 1].isalnum() and TEXT[at].isalnum()]
SMALL = [at for at in LETTERS if TEXT[at - 1].islower() and TEXT[at].islower()]


def found(text: str, broken: str) -> list[tuple[str | None, list[str], str]]:
    mentions = extract(text)
    assert all(text[one.start : one.end] == one.raw for one in mentions)
    return [(one.normalized, one.pinpoints, one.raw.replace(broken, "")) for one in mentions]


@pytest.mark.parametrize("sign", ["\u00ad", "\u200b", "\u2060", "\ufeff"], ids="U+{0!a}".format)
def test_a_sign_of_no_width_within_a_word_changes_nothing(sign: str):
    for at in LETTERS:
        assert found(TEXT[:at] + sign + TEXT[at:], sign) == PLAIN


@pytest.mark.parametrize("end", ["-\n", "-\r\n"], ids=["LF", "CRLF"])
def test_a_hyphen_at_the_end_of_a_line_changes_nothing(end: str):
    for at in SMALL:
        assert found(TEXT[:at] + end + TEXT[at:], end) == PLAIN


def test_every_word_may_be_broken_at_once():
    broken = "".join("\u00ad" + sign if at in LETTERS else sign for at, sign in enumerate(TEXT))
    assert found(broken, "\u00ad") == PLAIN


def test_a_hyphen_behind_a_number_belongs_to_it():
    assert [one.normalized for one in extract("Art. 5-\nff. OR")] == []
    assert [one.normalized for one in extract("BVGer A-\n12/2020 E. 3")] == ["BVGer A-12/2020"]
