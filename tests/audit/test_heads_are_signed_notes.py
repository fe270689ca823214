import base64
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from research.audit.checkpoint import (
    Head,
    NoteRefused,
    PublicKey,
    read_key,
    read_note,
    read_notes,
    sign_head,
    signer,
)

HEAD = Head(1204, bytes(range(32)), datetime(2026, 11, 22, 16, 0, tzinfo=UTC))
SIGN, KEY = signer(b"k" * 32)
NOTE = sign_head(HEAD, SIGN, KEY)


def test_a_head_is_plain_text_that_says_what_was_signed():
    body, signature = NOTE.split("\n\n")
    root = base64.b64encode(HEAD.root).decode()
    assert body.splitlines() == ["dossier/trail", "1204", root, "2026-11-22T16:00:00Z"]
    assert signature.startswith("— dossier/trail ")
    assert read_note(NOTE, [KEY]) == HEAD


def test_the_same_head_gives_the_same_note():
    assert sign_head(HEAD, SIGN, KEY) == NOTE


def test_a_key_is_handed_around_as_text():
    assert KEY.text.startswith("dossier/trail+")
    assert read_key(f" {KEY.text}\n") == KEY
    other = PublicKey(b"z" * 32)
    swapped = f"dossier/trail+{KEY.id.hex()}+{other.text.split('+', 2)[2]}"
    for wrong in ("", "x", KEY.text[:-4], KEY.text.replace("trail", "other"), swapped):
        with pytest.raises(NoteRefused, match="not a public key"):
            read_key(wrong)


def test_what_was_not_signed_is_refused():
    other = signer(b"o" * 32)
    wrong = {
        "a larger log": NOTE.replace("1204", "1205"),
        "another day": NOTE.replace("2026", "2025"),
        "another origin": NOTE.replace("dossier/trail\n1204", "dossier/other\n1204"),
        "no signature": NOTE.split("\n\n")[0] + "\n\n",
        "no blank line": NOTE.replace("\n\n", "\n"),
        "another key": sign_head(HEAD, *other),
        "a signature cut": NOTE[:-8] + "\n",
        "nothing": "",
    }
    passed = []
    for name, note in wrong.items():
        try:
            read_note(note, [KEY])
            passed.append(name)
        except NoteRefused:
            pass
    assert passed == []


def test_signed_words_that_are_no_head_are_refused():
    bodies = {
        "no number": HEAD.body().replace("1204", "many"),
        "leading zero": HEAD.body().replace("1204", "01204"),
        "short root": replace(HEAD, root=b"short").body(),
        "another line": HEAD.body() + "more\n",
    }
    for body in bodies.values():
        signature = base64.b64encode(KEY.id + SIGN(body.encode())).decode()
        with pytest.raises(NoteRefused, match=r"head|signature"):
            read_note(f"{body}\n— dossier/trail {signature}\n", [KEY])


def test_others_may_sign_it_too():
    witness = NOTE + "— a.witness/of-ours " + base64.b64encode(b"1234" + b"s" * 72).decode() + "\n"
    assert read_note(witness, [KEY]) == HEAD
    both = sign_head(HEAD, *signer(b"n" * 32)) + NOTE.split("\n\n")[1]
    assert read_note(both, [KEY]) == HEAD


def test_what_signs_elsewhere_must_fit_the_key():
    with pytest.raises(NoteRefused, match="does not fit"):
        sign_head(HEAD, lambda body: b"x" * 64, KEY)


def test_a_file_holds_many_notes():
    later = sign_head(replace(HEAD, size=1300), SIGN, KEY)
    assert read_notes(NOTE + "\n" + later + "\n") == [NOTE, later]
    assert read_notes("") == []
    assert [read_note(each, [KEY]).size for each in read_notes(f"\n\n{NOTE}\n\n{later}")] == [1204, 1300]
