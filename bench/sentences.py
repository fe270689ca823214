"""How well the sentences of a file are read: ``python -m bench.sentences practice``; every file without a name.

A citation is right when its kind and its canonical form are; a pinpoint counts where the citation is right.
"""

import sys
from collections import Counter

from citations.extract import extract
from tests.citations.table import FOLDER, Sentence, read


def main(names: list[str]) -> None:
    paths = sorted(path for path in FOLDER.glob("*.txt") if not names or path.stem in names)
    sentences = [sentence for path in paths for sentence in read(path)]
    counts = Counter[str]()
    for sentence in sentences:
        counts += _count(sentence)
    right, pins = counts["right"], counts["pins"]
    print(
        f"{len(sentences)} sentences: P {right / counts['found']:.3f}, R {right / counts['cited']:.3f},"
        f" pinpoints {pins / right:.3f} ({counts['cited']} cited, {counts['found']} found, {right} right)"
    )


def _count(sentence: Sentence) -> Counter[str]:
    found = [(one.kind, one.normalized, tuple(one.pinpoints)) for one in extract(sentence.text)]
    right = (Counter(one[:2] for one in found) & Counter(one[:2] for one in sentence.cited)).total()
    pins = (Counter(found) & Counter(sentence.cited)).total()
    if found != sentence.cited:
        print(f"{sentence.name}: {sentence.text!r}\n    cited {sentence.cited}\n    found {found}")
    return Counter(found=len(found), cited=len(sentence.cited), right=right, pins=pins)


if __name__ == "__main__":
    main(sys.argv[1:])
