"""Words of a claim that a passage says otherwise: which a model is asked about, and what of its answer is believed.

The answer may only fill gaps: whatever speaks against a claim in ``entailment`` does so still. A rendering is believed
when its words stand in the passage and a table has both words in one kind, or they are one word in two languages. A
name is never rendered, and no word of a model is enough by itself: it could say anything.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from common.entailment import Says, about, held_against
from common.likeness import Indel
from common.opposites import Matter, against, matters_of, role_of
from common.statements import MIN_STEM, Statement, folded_text, prefixed, same_stem
from common.synonyms import kinds_of

_WORD = re.compile(r"[^\W\d_]+")
_PREPOSITIONS = frozenset(
    "within innert innerhalb binnen entro dans nel in im for fuer pour per aus von de di".split()  # noqa: SIM905 - a table
)
_OTHERS = frozenset("auf per au al on wegen weil because waehrend pendant durante over lang".split())  # noqa: SIM905 - a table
_FOR = frozenset(("for", "fuer", "pour", "per"))
_VOTE = re.compile(r"\b(?:stimm|vot|gestimmt|against|gegen|contre|contro)")
"""Where a “for” says which side somebody is on, it is a word like any other."""
_UNDOING = re.compile(
    r"ablehn|abgelehn|verweiger|refus|reject|rejet|respin|abgewies|abweis|abwies|debout|revok|revoqu|revoc|entzog|entzieh"
    r"|widerruf|annul|aufgehob|aufheb|aufhob|cancel|stornier|bestreit|bestrit|leugn|contest|den(?:y|ie)|nie[rtz]?$|nega|oppos"
    r"|widerspr|verbiet|verbot|untersag|interdi|vieta|prohib|forbid|forbad|verlor|verlier|perd|lost|lose|scheiter|echou"
    r"|kuendig|gekuendig|resili|disd|rescind|beend|dissol|aufgeloest|fehl|manqu|manc|withdr|zurueckz|zurueckgez|retir|ritir"
    r"|exclu|ausschl|ausgeschl|esclu|unterl|versaeum|omi|omess|postpon|versch|reduc|vermeid|avoid|evit"
)
_COPULA = frozenset("is are was were ist sind war est sont etait e sono era".split())  # noqa: SIM905 - a table
_AMOUNTS = re.compile(r"betraeg|betrug|amount|ammont|eleve|laut|lieg|stand|stood|totals?$")
SOMETHING_ELSE = "something else"
MIN_COMPOUND, MIN_HALF = 9, 3
"""Letters of a word that may be two in another language, and of each of the two."""
SAME, OPPOSITE, UNKNOWN = "the same", "the opposite", "known to a model alone"
MIN_COGNATE, COGNATE = 6, 0.75
"""Letters of words that are one in two languages, and how alike they are: ``certificat``, ``certificato``."""


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
    rendered: dict[str, frozenset[str]] = {}
    for word in missing:
        words = [_as_read(one, theirs) for one in told.get(word, [])]
        if not words and word in _FOR and not _VOTE.search(ours.text):
            rendered[word] = frozenset(theirs.words.all)
            continue
        if not words or not set(words) <= set(theirs.words.all):
            return "open", f"nothing in it renders “{word}”"
        fault = _weighed(word, words, ours, theirs, used)
        if fault in (UNKNOWN, SOMETHING_ELSE) and _is_half(word, words, told, ours.words.content):
            fault = ""
        if fault:
            return "open", f"“{' '.join(words)}” does not render “{word}”: it is {fault}"
        if set(words) & _taken(word, rendered, ours.words.content):
            return "open", f"“{' '.join(words)}” renders another word than “{word}”"
        rendered[word] = frozenset(words)
    whole = Statement.read(claim, rendered)
    part, matches = about(whole, theirs)
    if turning := _turning(
        part, {other for other, _ in matches.values()} | set[str]().union(*rendered.values())
    ):
        return "open", f"it also says “{turning}”"
    says, why, _ = held_against(whole, theirs)
    return says, why


def _turning(part: Statement, used: set[str]) -> str:
    """A word that undoes what stands beside it, and that renders nothing: who rejects a warranty gives none."""
    return next((word for word in part.words.content if word not in used and _UNDOING.match(word)), "")


def _is_half(
    word: str, words: Sequence[str], told: Mapping[str, Sequence[str]], content: Sequence[str]
) -> bool:
    """Whether a long word is two in the other language: “Baubewilligung” renders a building permit, half by half."""
    if len(words) > 1:
        return any(
            all(any(_related(half, one) == SAME for one in words) for half in halves)
            for halves in _halves(word)
        )
    place = content.index(word)
    near = [one for one in content[max(0, place - 2) : place + 3] if list(told.get(one, ())) == list(words)]
    return any(
        _related(word, halves[side]) == SAME and any(_related(one, halves[1 - side]) == SAME for one in near)
        for halves in _halves(words[0])
        for side in (0, 1)
    )


@lru_cache(maxsize=2_000)
def _halves(word: str) -> tuple[tuple[str, str], ...]:
    """The two words that a German word is made of, as far as a table knows both."""
    cuts = range(MIN_HALF, len(word) - MIN_HALF + 1) if len(word) >= MIN_COMPOUND else ()
    pairs = ((word[:cut].removesuffix("s"), word[cut:]) for cut in cuts)
    return tuple(pair for pair in pairs if all(kinds_of(half) or matters_of(half) for half in pair))


def _as_read(word: str, theirs: Statement) -> str:
    """“stehen”, where a sentence takes “zustehen” apart."""
    whole = (one for one in theirs.words.all if one.endswith(word))
    return word if len(word) < MIN_STEM or word in theirs.words.all else next(whole, word)


def _taken(word: str, rendered: Mapping[str, frozenset[str]], content: Sequence[str]) -> set[str]:
    """The words of the passage that render another word of the claim; neighbours may be one word, as compounds are."""
    place = content.index(word)
    near = content[max(0, place - 2) : place + 3]
    return set[str]().union(*(words for other, words in rendered.items() if other not in near))


def _weighed(word: str, words: Sequence[str], ours: Statement, theirs: Statement, used: set[str]) -> str:
    """What speaks against the rendering; empty where a table or their letters bear it out."""
    if (word in _PREPOSITIONS and set(words) <= _PREPOSITIONS | _OTHERS) or (
        _AMOUNTS.match(word) and set(words) <= _COPULA and ours.quantities
    ):
        return ""
    content = [one for one in words if one in theirs.words.content]
    found = {_related(word, one) for one in content}
    if SAME in found and OPPOSITE not in found:
        return ""
    fault = next(iter(sorted(found - {UNKNOWN})), "" if content else "no word that carries meaning")
    if not fault and word in ours.names:
        fault = "no name"
    if not fault and used & set(content):
        fault = "what stands for another word"
    return fault or UNKNOWN


def _related(word: str, other: str) -> str:
    """How a table relates two words, or their letters where no table knows them both."""
    tables: tuple[tuple[frozenset[Matter], frozenset[Matter]], ...] = (
        (matters_of(word), matters_of(other)),
        (kinds_of(word), kinds_of(other)),
    )
    if any(against(mine, its) for mine, its in tables):
        return OPPOSITE
    if same_stem(word, other) or any(mine & its for mine, its in tables):
        return SAME
    if any(role_of(one) for one in tables[0]):
        return "another party"
    if any(mine and its for mine, its in tables):
        return SOMETHING_ELSE
    alike = min(len(word), len(other)) >= MIN_COGNATE and Indel.normalized_similarity(word, other) >= COGNATE
    return SAME if alike and not prefixed(word, other) else UNKNOWN
