"""Words of a claim that a passage says otherwise: which a model is asked about, and what of its answer is believed.

The answer may only fill gaps: whatever speaks against a claim in ``saying`` does so still. A rendering is not believed
when its words do not stand in the passage or stand for something else already, when a table knows the two as opposites,
as another party or as another kind of thing, and never for a name.
"""

import re
from collections.abc import Mapping, Sequence

from common.opposites import Matter, against, matters_of, role_of
from common.saying import MIN_STEM, Says, Statement, about, folded_text, held_against, same_stem
from common.synonyms import kinds_of

_WORD = re.compile(r"[^\W\d_]+")
_PREPOSITIONS = frozenset(
    "within innert innerhalb binnen entro dans nel in im for fuer pour per aus von de di".split()  # noqa: SIM905 - a table
)
_FOR = frozenset(("for", "fuer", "pour", "per"))
_VOTE = re.compile(r"\b(?:stimm|vot|gestimmt|against|gegen|contre|contro)")
"""Where a “for” says which side somebody is on, it is a word like any other."""
MOST_FREE = 0.5
"""Of the words of a claim: as many may rest on nothing but the word of a model."""


def unrendered(claim: str, passage: str) -> tuple[str, ...]:
    """The words of a claim that a passage lacks, as they are written, where nothing else keeps it from saying it."""
    missing = held_against(Statement.read(claim), Statement.read(passage))[2]
    written = {folded_text(word): word for word in reversed(_WORD.findall(claim))}
    return tuple(written.get(word, word) for word in missing)


def compare_rendered(claim: str, passage: str, given: Mapping[str, str]) -> tuple[Says, str]:
    """What a passage says to a claim whose words stand for each other as a model said, where that is believed."""
    ours, theirs = Statement.read(claim), Statement.read(passage)
    missing = held_against(ours, theirs)[2]
    told = {folded_text(word): _WORD.findall(folded_text(words)) for word, words in given.items()}
    used = {word for word, _ in about(ours, theirs)[1].values()}
    free, rendered = 0, dict[str, frozenset[str]]()
    for word in missing:
        words = [_as_read(one, theirs) for one in told.get(word, [])]
        if not words and word in _FOR and not _VOTE.search(ours.text):
            rendered[word] = frozenset(theirs.words.all)
            continue
        if not words or not set(words) <= set(theirs.words.all):
            return "open", f"nothing in it renders “{word}”"
        fault, sure = _weighed(word, words, ours, theirs, used)
        if fault:
            return "open", f"“{' '.join(words)}” does not render “{word}”: it is {fault}"
        if set(words) & _taken(word, rendered, ours.words.content):
            return "open", f"“{' '.join(words)}” renders another word than “{word}”"
        free += not sure
        rendered[word] = frozenset(words)
    if free > max(1, MOST_FREE * len(ours.words.content)):
        return "open", "too much of it rests on the word of a model alone"
    says, why, _ = held_against(Statement.read(claim, rendered), theirs)
    return says, why


def _as_read(word: str, theirs: Statement) -> str:
    """“stehen”, where a sentence takes “zustehen” apart."""
    whole = (one for one in theirs.words.all if one.endswith(word))
    return word if len(word) < MIN_STEM or word in theirs.words.all else next(whole, word)


def _taken(word: str, rendered: Mapping[str, frozenset[str]], content: Sequence[str]) -> set[str]:
    """The words of the passage that render another word of the claim; neighbours may be one word, as compounds are."""
    place = content.index(word)
    near = content[max(0, place - 2) : place + 3]
    return set[str]().union(*(words for other, words in rendered.items() if other not in near))


def _weighed(
    word: str, words: Sequence[str], ours: Statement, theirs: Statement, used: set[str]
) -> tuple[str, bool]:
    """(what speaks against the rendering, whether a table knows it)."""
    if word in _PREPOSITIONS and set(words) <= _PREPOSITIONS:
        return "", True
    content = [one for one in words if one in theirs.words.content]
    found = {_related(word, one) for one in content}
    if "the same" in found and "the opposite" not in found:
        return "", True
    fault = next(iter(sorted(found - {""})), "" if content else "no word that carries meaning")
    if not fault and word in ours.names:
        fault = "no name"
    if not fault and used & set(content):
        fault = "what stands for another word"
    return fault, False


def _related(word: str, other: str) -> str:
    """How a table relates two words; empty when it does not know them both."""
    tables: tuple[tuple[frozenset[Matter], frozenset[Matter]], ...] = (
        (matters_of(word), matters_of(other)),
        (kinds_of(word), kinds_of(other)),
    )
    if any(against(mine, its) for mine, its in tables):
        return "the opposite"
    if same_stem(word, other) or any(mine & its for mine, its in tables):
        return "the same"
    if any(role_of(one) for one in tables[0]):
        return "another party"
    return "something else" if any(mine and its for mine, its in tables) else ""
