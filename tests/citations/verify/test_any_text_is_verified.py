"""Whatever a text says, each of its citations has a verdict, a sentence and a check; nothing takes long."""

import json
import time
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from citations.authority.bge import read_index
from citations.extract import extract
from citations.verify import support
from citations.verify.judge import Lists
from citations.verify.judgement import CHECKS, gravest
from tests.citations.locally import judge_locally

FAMILIES = {"145|III": {"starts": [1, 225, 241], "window": 30}, "152|I": {"starts": [1, 40], "window": 30}}
LISTS = Lists(date(2026, 11, 21), read_index({"max_volume": 152, "families": FAMILIES}))
PIECES = st.sampled_from(
    [
        *(
            "BGE 145 III 229",
            "ATF 152 I 39",
            "BGE 999 X 0",
            "BGE XX 289",
            " E. 3.2",
            " S. 1",
            " consid. 4c p. 99",
        ),
        *(
            "4A_1/2020",
            "4A_1/2099",
            " vom 3. Mai 2020",
            "Art. 97 aOR",
            "art. 30 LEI",
            "Art. 5-7 ORG",
            "BVGE 1999/1",
        ),
        *(
            "a.a.O.",
            "ebenda",
            "arXiv:9913.00001",
            "10.1000/xyz",
            "VGer ZH VB.2031.00456",
            "ECLI:CH:x:1:y",
            "C-1/99",
        ),
        *(
            "«",
            "»",
            "„",
            "“",
            '"',
            "; ",
            ", ",
            "\n",
            " und ",
            "(",
            ")",
            "x" * 40,
            "ü",
            "\u202e",
            "TPF 2099 1",
        ),
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_each_citation_has_a_verdict_a_sentence_and_a_check(text):
    mentions = extract(text)
    judged = judge_locally(mentions, LISTS, text)
    assert [one.mention for one in judged] == mentions
    for one in judged:
        document = json.loads(json.dumps(one.as_json()))
        assert document["verdict"] in CHECKS
        assert document["message"]
        assert document["check"] == gravest([one.standing.check, *(f.check for f in one.findings)])
        assert (document["check"] == "fail") == (document["verdict"] == "nonexistent")


@given(st.text(alphabet="1.2 \n\tEcA)-ü", max_size=300))
def test_considerations_are_read_from_anything(text):
    found = support.contents(text, text)
    assert all(part.isdigit() for number in found["considerations"] for part in number.split("."))


def test_reading_considerations_takes_time_in_proportion():
    for hostile in ("abc. ", " ", "1.1.1.1.1.1", "1 ", "\n", "1.\n", "abc. 1.1 ", "Änderung der "):
        text = hostile * (200_000 // len(hostile))
        begun = time.perf_counter()
        support.contents(text, "")
        assert time.perf_counter() - begun < 5, hostile
