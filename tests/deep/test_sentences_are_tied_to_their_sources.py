"""A claim belongs to a sentence, and a sentence to the sources it cites."""

import pytest

from research.engine.deep.sentences import sentences

REPORT = """\
# Coral reefs 2024 [9]

Reefs cover 0.2 % of the sea floor [1]. They feed e.g. 500 million people.[2][3] Dr. Smith disagrees!

- A list item [4]
- Another one. It has two sentences [5].

| Place | Area |
|-------|------|
| Tahiti [6] | 12.5 |

```
code [7]. More.
```

> A quotation that cites nothing.
"""


def test_it_numbers_sentences_items_and_rows():
    found = sentences(REPORT)
    assert [(one.number, one.text) for one in found] == [
        (1, "Reefs cover 0.2 % of the sea floor [1]."),
        (2, "They feed e.g. 500 million people.[2][3]"),
        (3, "Dr. Smith disagrees!"),
        (4, "A list item [4]"),
        (5, "Another one."),
        (6, "It has two sentences [5]."),
        (7, "| Place | Area |"),
        (8, "| Tahiti [6] | 12.5 |"),
        (9, "A quotation that cites nothing."),
    ]


def test_a_sentence_without_a_marker_rests_on_its_paragraph():
    found = {one.number: one for one in sentences(REPORT)}
    assert (found[1].sources, found[1].own) == ((1,), True)
    assert (found[3].sources, found[3].own) == ((1, 2, 3), False)
    assert found[5].sources == (5,)
    assert found[9].sources == ()


def test_its_spans_are_places_in_the_report():
    assert all(REPORT[one.start : one.end] == one.text for one in sentences(REPORT))


@pytest.mark.parametrize(
    "text",
    ["Acme Inc. sold 3 mills.", "It rose by 1.5 % vs. 2019.", "See Art. 5 of the act.", "U.S. sales fell."],
)
def test_it_does_not_break_at_abbreviations(text):
    assert len(sentences(text)) == 1
