"""How fast memos are set as PDF: pages a second of processor time, and how much more than for their bare words.

The floor is the same compiler with the same fonts and words, one paragraph after the other: no tables, tags, footnotes,
contents, attachment or archive. Rounds are interleaved, so that a busy machine hits both alike; the best counts.
Run: ``python -m bench.pdf``.
"""

import json
import os
import time
from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING, cast

import django
import typst
from pypdf import PdfReader

if TYPE_CHECKING:
    from research.memo.blocks import Document

SIZES = (1, 16, 100)  # sections
ROUNDS = 3
WORDS = "The company is entered in the commercial register and reports its parent under the rules of the register. "
FLOOR = b"""#set document(title: "Words")
#for words in json(bytes(sys.inputs.words)) [#par(words)]"""


def cpu_seconds(work: Callable[[], bytes]) -> tuple[float, bytes]:
    begin = time.process_time()
    written = work()
    return time.process_time() - begin, written


def race(*contenders: Callable[[], bytes]) -> list[tuple[float, int]]:
    """The best seconds of each and its pages, after one round that only warms up."""
    rounds = [[cpu_seconds(work) for work in contenders] for _ in range(ROUNDS + 1)][1:]
    best = [min(rounds_of_one, key=lambda timed: timed[0]) for rounds_of_one in zip(*rounds, strict=True)]
    return [(seconds, len(PdfReader(BytesIO(written)).pages)) for seconds, written in best]


def made_up(size: int) -> "tuple[Document, str]":
    """A memo of so many sections, and its words as JSON."""
    from research.memo.blocks import (
        Block,
        Document,
        Line,
        Look,
        Section,
        Span,
        lines_of,
        plain_text,
        text_line,
    )
    from research.memo.labels import labels_for

    table = tuple((text_line(f"Name {n}"), text_line("529900K9B0N5BT694847")) for n in range(8))
    blocks = (
        Block("paragraph", (text_line(WORDS * 4),)),
        Block("list", tuple(text_line(WORDS) for _ in range(3))),
        Block("table", rows=table),
        Block("quote", (Line((Span(WORDS * 2), Span("source", "note"))),)),
    )
    document = Document(
        language="en",
        kind="Memo",
        title="Example AG",
        state="approved",
        status="Approved",
        header="",
        facts=Block("pairs", rows=((text_line("Question"), text_line("Who is this company?")),)),
        sections=tuple(Section(f"part{n}", f"Part {n}", blocks) for n in range(size)),
        notes={"source": text_line("The register, 2 January 2026")},
        words=labels_for("en"),
        look=Look(),
        date="2026-01-02",
    )
    return document, json.dumps([plain_text(tuple(lines_of(block))) for block in blocks] * size)


def row(size: int) -> str:
    from research.memo.pdf import as_pdf, own_fonts

    document, words = made_up(size)

    def bare() -> bytes:
        compiler = typst.Compiler(font_paths=own_fonts())
        return cast(bytes, compiler.compile(FLOOR, format="pdf", sys_inputs={"words": words}))

    (ours, pages), (floor, _) = race(lambda: as_pdf(document, b"{}"), bare)
    return (
        f"  {size:>3} sections{pages:>6} pages{ours:>9.2f} s{pages / ours:>8.0f} pages/s"
        f"{ours / floor:>7.1f} x  the bare words ({floor:.3f} s)"
    )


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    print(f"Memos as PDF, CPU seconds, best of {ROUNDS} rounds")
    for size in SIZES:
        print(row(size), flush=True)


if __name__ == "__main__":
    main()
