"""Which parts of a question an answer leaves out: compared by words, without a model.

A part counts as answered when enough of the words that are its own stand in the answer, in any of their forms. Where an
answer is in another language than the question, no word of any part stands in it, and nothing can be said.
"""

import re
from collections import Counter

MIN_WORDS = 2  # distinct words; a part with fewer cannot be recognised
STEM = 5  # letters that all forms of a word share
MAX_PARTS = 12
_ASKING = (
    "wer|was|wann|wo|wie|ob|warum|weshalb|wieso|wieviel|welche[rsnm]?|wessen|wem|wen|inwiefern|inwieweit|"
    "who|what|when|where|how|whether|why|which|whose|"
    "qui|que|quoi|quand|où|comment|si|pourquoi|combien|quel(?:le)?s?|"
    "chi|che|cosa|quando|dove|come|se|perché|quanto|quant[aie]|qual[ei]?"
)
_ENDS = re.compile(
    r"(?<=[?;])\s+"
    r"|\n+\s*(?:[-*•–]\s+)?"
    r"|(?:^|(?<=\s))\(?(?:[1-9]|[a-h])[.)]\s+"
    rf"|,?\s+(?:und|sowie|and|as well as|et|ainsi que|ed?|nonché)\s+(?=(?:{_ASKING})\b)"
    rf"|,\s+(?=(?:{_ASKING})\b)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]{4,}|\d{2,}")
_OF_NO_PART = """
dass diese dieser dieses sind wird werden kann können muss müssen soll sollen haben hatte eine einen einem einer eines
nach oder auch dort damit dabei their there them they this that these those does have with from into many much must
shall should would could about dans pour avec sont leur leurs cette elle elles doit peut être avoir nella delle degli
della dello sono deve viene essere avere quello questa questo anche
"""
_SMALL = frozenset(_OF_NO_PART.split())


def parts_of(question: str) -> list[str]:
    """The single questions in a question."""
    plain = "\n".join(" ".join(line.split()) for line in question.splitlines())
    parts = [part.strip(" ,;\n") for part in _ENDS.split(plain) if part]
    return [part for part in parts if part][:MAX_PARTS]


def unanswered(question: str, told: str) -> list[str]:
    """The parts that ``told`` does not mention, if it mentions any other part."""
    parts = [(part, _stems(part)) for part in parts_of(question)]
    shared = Counter(stem for _, stems in parts for stem in stems)
    own = [(part, {stem for stem in stems if shared[stem] == 1}) for part, stems in parts]
    own = [(part, stems) for part, stems in own if len(stems) >= MIN_WORDS]
    said = _stems(told)
    silent = [part for part, stems in own if len(stems & said) * 3 < len(stems)]
    return silent if len(silent) < len(own) else []


def _stems(text: str) -> set[str]:
    words = (word.casefold() for word in _WORD.findall(text))
    return {word[:STEM] for word in words if word not in _SMALL and not re.fullmatch(_ASKING, word)}
