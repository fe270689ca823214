"""Where works are cited is written down, once for each place."""

from datetime import timedelta

import pytest
from django.utils import timezone

from citations.extract import extract
from citations.models import Citation, CitationUse
from citations.services.uses import Cited, record_uses
from citations.services.verification import keep, verify
from citations.verify.judgement import Standing

pytestmark = pytest.mark.django_db
TEXT = "BGE 147 VII 1 E. 3; Art. 97 OR; BGE 147 VII 1"


def record(text=TEXT, pointer="/a"):
    judged = verify(extract(text), text=text)
    return record_uses(label="result", reference="r1", cited=[Cited(pointer, one) for one in judged])


def test_each_place_is_a_use_of_one_citation():
    assert record() == 3
    assert list(Citation.objects.values_list("key", "verdict")) == [
        ("Art. 97 OR", "unknown"),
        ("BGE 147 VII 1", "nonexistent"),
    ]
    use = CitationUse.objects.order_by("start").first()
    assert (use.raw, use.pinpoints, use.pointer, TEXT[use.start : use.end]) == (
        "BGE 147 VII 1 E. 3", ["E. 3"], "/a", "BGE 147 VII 1 E. 3",
    )  # fmt: skip


def test_the_same_again_changes_nothing():
    record()
    assert record() == 0
    assert CitationUse.objects.count() == 3


def test_a_guess_does_not_take_the_place_of_an_answer():
    now = timezone.now()
    keep(
        {("bger", "BGer 4A_1/2020"): Standing("exists", "found", "It is there.", "entscheidsuche")},
        now=now,
        expires_at=now - timedelta(days=3),
    )
    record("Urteil 4A_1/2020")
    assert Citation.objects.get().verdict == "exists"


def test_any_text_can_be_stored():
    assert record("BGE 145 III 2\x0029 und Art. 1 OR \ud800") >= 1
