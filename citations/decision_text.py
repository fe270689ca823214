"""What rules can read out of the text of a decision: what it cites, where it speaks of an article, how it ended.

They see words, not meanings: which party the outcome favours, or whether a passage interprets an article, they do not
know.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal, TypeAlias

from citations.extract import extract
from citations.statutes.acts import ActTable

Outcome: TypeAlias = Literal[
    "allowed", "partly_allowed", "dismissed", "inadmissible", "struck_off", "unknown"
]
OUTCOMES: tuple[Outcome, ...] = (
    *("allowed", "partly_allowed", "dismissed", "inadmissible", "struck_off", "unknown"),
)
DECISIONS = ("bge", "bger", "bvge", "bvger", "evg", "bstger")
MAX_PASSAGE, RULING = 600, 4_000
_RULED = re.compile(
    r"Demnach (?:erkennt|beschliesst|verfügt|wird)|Demgemäss erkennt|wird erkannt|erkennt das Gericht"
    r"|[Pp]ar ces motifs|[Pp]er questi motivi|[Ee] pertanto"
    r"|\b(?:erkennt|beschliesst|verfügt|prononce|décide|decide|pronuncia)\s*:"
)
_ENDED = re.compile(
    r"(?P<partly_allowed>teilweise\s+gutgeheissen|partiellement\s+admis|admise?s?\s+partiellement|admet\s+partiellement"
    r"|parzialmente\s+accolt|accolt[oaie]\s+parzialmente|in\s+teilweiser\s+Gutheissung|in\s+parziale\s+accoglimento)"
    r"|(?P<inadmissible>nicht\s+eingetreten|nicht\s+einzutreten|irrecevable|inammissibil|n'entre\s+pas\s+en\s+matière)"
    r"|(?P<allowed>gutgeheissen|in\s+Gutheissung|(?:est|sont)\s+admis|admet\s|accolt[oaie]|in\s+accoglimento)"
    r"|(?P<dismissed>abgewiesen|rejet[ée]|respint[oaie])"
    r"|(?P<struck_off>abgeschrieben|rayée?\s+du\s+rôle|radiée?\s+du\s+rôle|stralciat)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(
    r"(?<!\b[A-Z])\.\s+(?=[A-ZÀ-Ü]|\d{1,2}\.(?:\d{1,2}\.?)?\s)|\n\s*\d"
)  # no Abs. 1, no M. Dupont
_OTHERWISE = (
    r"(?:unentgeltliche|aufschiebende|assistance\s+judiciaire|effet\s+suspensif|assistenza\s+giudiziaria"
    r"|gratuito\s+patrocinio|effetto\s+sospensivo)"
)
_BESIDES = re.compile(_OTHERWISE, re.IGNORECASE)
"""What a ruling also decides: who pays, and what holds in the meantime."""
_GRANTED_BESIDES = re.compile(
    r"\s+(?:des|der|della|dell')\s*(?:Gesuch\w*|Begehren\w*|domanda|richiesta|istanza)\W+(?:\w+\W+){0,3}?"
    + _OTHERWISE,
    re.IGNORECASE,
)
_OF_EVERY_CASE = (  # how words begin that stand in every decision, whatever it is about
    *(
        "beschwerde",
        "bundesgericht",
        "vorinstanz",
        "urteil",
        "entscheid",
        "erwägung",
        "kanton",
        "verfahren",
        "gericht",
    ),
    *(
        "verwaltungsgericht",
        "obergericht",
        "rechtsprechung",
        "sachverhalt",
        "präsident",
        "parteientschädigung",
    ),
    *(
        "recour",
        "tribunal",
        "décision",
        "considér",
        "jurisprudence",
        "instance",
        "présent",
        "procédure",
        "président",
    ),
    *("ricor", "decision", "sentenza", "consider", "giurisprudenza", "autorità", "procedura", "procedimento"),
)
_LETTERS = re.compile(r"[^\W\d_]{7,40}")


def cited_in(text: str, *, most: int = 10) -> list[str]:
    """The decisions that a text cites, those cited most first."""
    named = (one.normalized for one in extract(text) if one.kind in DECISIONS and one.normalized)
    return [name for name, _ in Counter(named).most_common(most)]


def outcome_of(text: str) -> Outcome:
    """How the court ended the matter, by the first words of its ruling that say so; unknown where it cannot be read.

    A text that the source cut has no ruling.
    """
    begins = [found.end() for found in _RULED.finditer(text)]
    ruling = text[begins[-1] : begins[-1] + RULING] if begins else ""
    for found in _ENDED.finditer(ruling):
        sentence = _SENTENCE_END.split(ruling[: found.start()])[-1]
        if not (_BESIDES.search(sentence) or _GRANTED_BESIDES.match(ruling, found.end())):
            return next((one for one in OUTCOMES if one == found.lastgroup), "unknown")
    return "unknown"


def passages_on(text: str, article: str, act: str, acts: ActTable, *, most: int = 3) -> list[str]:
    """Paragraphs that name an article of an act, word for word, as far as they are short enough to be read."""
    found: list[str] = []
    for one in extract(text, acts=acts):
        if one.kind == "statute" and (one.data.get("article"), one.data.get("act")) == (article, act):
            passage = _paragraph(text, one.start, one.end)
            if not any(passage in other or other in passage for other in found):
                found.append(passage)
        if len(found) == most:
            break
    return found


def words_of(text: str, *, most: int) -> list[str]:
    """The long words that a text uses most, each as it is written first, without those that every court uses."""
    spelt: dict[str, str] = {}
    counted: Counter[str] = Counter()
    for word in _LETTERS.findall(text):
        if word.casefold().startswith(_OF_EVERY_CASE):
            continue
        spelt.setdefault(word.casefold(), word)
        counted[word.casefold()] += 1
    ranked = sorted(counted, key=lambda word: (-counted[word], -len(word), word))
    return [spelt[word] for word in ranked[:most]]


def shared(text: str, names: Sequence[str], words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Which citations and words of another text stand in this one."""
    there = {one.normalized for one in extract(text)}
    folded = text.casefold()
    return [name for name in names if name in there], [word for word in words if word.casefold() in folded]


def _paragraph(text: str, start: int, end: int) -> str:
    """From one line break to the next; of a long one what stands around the place, cut between words."""
    before, after = text[text.rfind("\n", 0, start) + 1 : start], text[end:].partition("\n")[0]
    spare = max(0, (MAX_PASSAGE - (end - start)) // 2)
    if len(before) > spare:
        before = before[-spare:].partition(" ")[2]
    if len(after) > spare:
        after = after[:spare].rpartition(" ")[0]
    return (before + text[start:end] + after).strip()
