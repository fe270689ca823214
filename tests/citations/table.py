"""Reads the sentences of ``sentences/*.txt``: a text at the margin, what it cites indented below, an empty
line between.

    Vgl. BGE 142 III 239 E. 3.2.
        bge BGE 142 III 239 | E. 3.2

A line of ``#`` is a comment, ``\\n`` in a text is a line break. ``?`` behind the kind says that the mention
is ambiguous, and then its name is what the text says. A text without an indented line cites nothing.
"""

from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "sentences"


@dataclass
class Sentence:
    """A text and what it cites: (kind, canonical form, pinpoints), in text order."""

    name: str
    text: str
    cited: list[tuple[str, str | None, tuple[str, ...]]] = field(default_factory=list)


def sentences() -> list[Sentence]:
    return [sentence for path in sorted(FOLDER.glob("*.txt")) for sentence in read(path)]


def read(path: Path) -> list[Sentence]:
    found: list[Sentence] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("    "):
            found[-1].cited.append(expectation(line))
        else:
            found.append(Sentence(f"{path.stem}:{number}", line.replace("\\n", "\n")))
    return found


def expectation(line: str) -> tuple[str, str | None, tuple[str, ...]]:
    head, _, pins = line.strip().partition(" | ")
    kind, _, name = head.partition(" ")
    return kind, name if name != "-" else None, tuple(pin.strip() for pin in pins.split(";") if pin.strip())
