"""Reads ``paraphrases/*.txt``: a claim at the margin, and indented below it the sentence of its quote, what is right to
say, and which words of the sentence render which of the claim.

``meant``: the sentence says it in other words, so that "supported" is right when a model affirms it; ``otherwise`` and
``not said`` as in ``triples``. The renderings are what a model answers when it is asked: true ones of a paraphrase, the
most plausible lies of the others. ``tuned`` was read while the rules were written; the others were written before the
rules saw them, each after the faults of the one before it were mended.
"""

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "paraphrases"


@dataclass
class Paraphrase:
    claim: str
    sentence: str
    right: str
    words: dict[str, str]

    def __str__(self) -> str:
        return self.claim


def read(name: str) -> list[Paraphrase]:
    blocks = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").strip().split("\n\n")
    return [_paraphrase(*map(str.strip, block.split("\n"))) for block in blocks]


def _paraphrase(claim: str, sentence: str, right: str, words: str) -> Paraphrase:
    return Paraphrase(claim, sentence, right, dict(one.split("=") for one in words.split("; ")))
