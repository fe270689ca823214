"""The loss guard: what a researcher's notes say with a source must still be there."""

import time

from research.engine.deep.guard import losses
from research.engine.deep.researcher import outcome
from tests.cases import cases

NOTES = "\n".join(
    [
        "The mill employs 240 people [1] and made 1,250,000 EUR in 2023 [2].",
        "| Year | Output |",
        "|------|--------|",
        "| 2021 | 410 t |",
        "| 2022 | 455 t |",
        "| 2023 | 470 t |",
        "Much else was written about the weather and the landscape around it. " * 10,
    ]
)
GOOD = (
    "## Findings\nThe mill employs 240 people [1]; 1’250’000 EUR in 2023 [2].\n"
    "| 2021 | 410 t |\n| 2022 | 455 t |\n| 2023 | 470 t |\n## Sources\n[1] The mill, [2] The report"
)


def test_it_takes_a_summary_that_kept_everything():
    assert losses(NOTES, GOOD) == []


@cases(
    ("compressed", "sentence"),
    [
        ("240 people [1], 1250000 EUR in 2023 [2].", "It is shorter than a tenth of the notes."),
        (GOOD.replace("[1]", "").replace("[2]", ""), "It names no source."),
        (GOOD.replace("| 2022 | 455 t |\n", ""), "Of the rows of tables only 67% are left."),
        (
            GOOD.replace("240", "many").replace("1’250’000 EUR in", "much in"),
            "Of the figures behind which a source is named only 33% are left.",
        ),
        ("", "It is shorter than a tenth of the notes."),
    ],
)
def test_it_says_what_was_lost(compressed, sentence):
    assert sentence in losses(NOTES, compressed)


def test_figures_that_no_source_stands_behind_may_go():
    raw = "Copyright 1998, 77 visitors today. The mill employs 240 people [1]."
    assert losses(raw, "The mill employs 240 people [1].") == []


@cases("piece", ["[", "[]", "[1", "a ", "1,", "| ", "240 people "])
def test_long_notes_take_no_longer_than_their_length(piece):
    """A page or a model that writes no end of a sentence holds up no worker."""
    notes = f"The mill employs 240 people [1]. {piece * (200_000 // len(piece))}"
    began = time.process_time()
    losses(notes, GOOD)
    assert time.process_time() - began < 2


def test_the_raw_notes_are_kept_and_the_rejection_is_recorded():
    given = outcome("Nothing much.", NOTES, "The mill is large [1].", [1, 2], 3, complete=True)
    assert NOTES[:60] in given["findings"]
    assert given["compression"]["used"] is False
    assert "It names no source." in given["compression"]["rejected"]
    assert (given["sources"], given["searches"], given["complete"]) == ([1, 2], 3, True)


def test_a_good_summary_takes_the_place_of_the_notes():
    given = outcome(GOOD, NOTES, "The mill is large [1].", [1, 2], 3, complete=False)
    assert given["findings"] == GOOD
    assert given["compression"] == {
        "used": True,
        "rejected": [],
        "raw_characters": len(NOTES),
        "characters": len(GOOD),
    }
