"""How well two names of persons fit: 0 to 100, and in words why.

Words are paired off whatever their order. What only the list has costs little, because lists have more names of a
person than forms do (patronymics, grandfathers, second surnames); what only our side has costs more, and names that
each side has and the other lacks cost most. An initial is weak evidence, two count as a word. One common word is no
match: where several words stand on both sides, two must fit.

    100  the same words in the same order       up to 97  words that sound alike, a slip, a missing middle name
     98  the same words in another order        at most 75  only one word fits, or the family name does not
"""

from collections.abc import Sequence
from dataclasses import dataclass

from entities.screening.records import ListedName
from entities.screening.tokens import INITIAL, is_patronymic, likeness, skeletons, tokens_of

REORDERED, WRITTEN_OTHERWISE, LITTLE = 98.0, 97.0, 75.0
FAMILY = 1.3
MIDDLE = 0.4  # the weight of a patronymic, or of a middle name that only one side has
OURS_ONLY, THEIRS_ONLY = 0.7, 0.2
LEAST = 0.68  # likeness of two words that are taken for one
JOINED = 0.95


@dataclass(frozen=True, slots=True)
class NameFit:
    """The score of two names and the reason for it."""

    score: float
    relation: str


@dataclass(frozen=True, slots=True)
class _Pair:
    ours: str
    theirs: str
    likeness: float
    places: tuple[int, int]


def compare_names(ours: str, theirs: ListedName) -> NameFit:
    """A name of ours against one of a list. A weak alias fits only when its words are the same."""
    return compare_tokens(tokens_of(ours), tokens_of(theirs.text), family_of(theirs), weak=theirs.weak)


def compare_tokens(
    mine: tuple[str, ...], other: tuple[str, ...], family: frozenset[str], *, weak: bool
) -> NameFit:
    """The same of names that are words already; ``family`` are the words of the list's family name, if it tells."""
    if not mine or not other:
        return NameFit(0.0, "there is nothing to compare")
    if mine == other:
        return NameFit(100.0, "the same as a weak alias" if weak else "the same")
    if sorted(mine) == sorted(other):
        return NameFit(REORDERED, "the same, in another order")
    if weak:
        return NameFit(0.0, "a weak alias is compared only as a whole")
    return _fit(mine, other, family)


def family_of(name: ListedName) -> frozenset[str]:
    """The words of the family name, where the list tells the parts of a name."""
    return frozenset(word for kind, text in name.parts if kind == "family" for word in tokens_of(text))


def _fit(mine: tuple[str, ...], other: tuple[str, ...], family: frozenset[str]) -> NameFit:
    pairs = _paired(mine, other)
    if not pairs:
        return NameFit(0.0, "no word fits")
    taken = {word for pair in pairs for word in pair.ours.split()}
    met = {word for pair in pairs for word in pair.theirs.split()}
    ours_only = [word for word in mine if word not in taken]
    theirs_only = [word for word in other if word not in met]
    fitting = sum(_weight(pair.theirs, family) * pair.likeness for pair in pairs)
    whole = sum(_weight(pair.theirs, family) for pair in pairs)
    one_sided = not (_names(ours_only) and _names(theirs_only))
    whole += OURS_ONLY * sum(_alone(word, mine, one_sided) for word in ours_only)
    whole += THEIRS_ONLY * sum(_alone(word, other, one_sided) for word in theirs_only)
    score = 100 * fitting / whole
    full = [pair for pair in pairs if pair.likeness > INITIAL]
    several = len(mine) > 1 and len(other) > 1
    fits = (
        len(full)
        + (len(pairs) - len(full)) // 2
        + sum(pair.ours.count(" ") + pair.theirs.count(" ") for pair in full)
    )
    if (several and fits < 2) or (not several and len(mine) != len(other)):
        score = min(score, LITTLE)
    if family and several and not family & met:
        score = min(score, LITTLE)
    return NameFit(round(min(score, WRITTEN_OTHERWISE), 1), _in_words(pairs, ours_only, theirs_only))


def _weight(words: str, family: frozenset[str]) -> float:
    """Of a pair, by the list's word."""
    some = words.split()
    if family.intersection(some):
        return FAMILY
    return MIDDLE if all(map(is_patronymic, some)) else 1.0


def _names(words: Sequence[str]) -> bool:
    """Whether one of the words is a name of its own, and neither a patronymic nor an initial."""
    return any(len(word) > 1 and not is_patronymic(word) for word in words)


def _alone(word: str, words: Sequence[str], one_sided: bool) -> float:
    """Of a word that only one side has: little where it may be a middle name that the other side left out."""
    inner = one_sided and len(words) > 2 and word not in (words[0], words[-1])
    return MIDDLE if is_patronymic(word) or len(word) == 1 or inner else 1.0


def _paired(mine: tuple[str, ...], other: tuple[str, ...]) -> list[_Pair]:
    """Words paired off, the most alike first; two words of one side may be one of the other."""
    found = [
        _Pair(one, word, alike, (at, place))
        for at, one in enumerate(mine)
        for place, word in enumerate(other)
        if (alike := likeness(one, word)) >= LEAST
    ]
    found.sort(key=lambda pair: (-pair.likeness, abs(pair.places[0] - pair.places[1])))
    pairs: list[_Pair] = []
    left, right = set(range(len(mine))), set(range(len(other)))
    for pair in found:
        if pair.places[0] in left and pair.places[1] in right:
            left.remove(pair.places[0])
            right.remove(pair.places[1])
            pairs.append(pair)
    pairs += _divided(mine, other, left, right)
    pairs += [
        _Pair(pair.theirs, pair.ours, pair.likeness, pair.places)
        for pair in _divided(other, mine, right, left)
    ]
    return pairs


def _divided(one: tuple[str, ...], other: tuple[str, ...], left: set[int], right: set[int]) -> list[_Pair]:
    """ "jin ping" and "jinping": two words in a row that are one word of the other side, in either order."""
    pairs = []
    for at in sorted(left):
        if at + 1 not in left or at not in left:
            continue
        first, second = one[at], one[at + 1]
        for place in sorted(right):
            word = other[place]
            alike = any(
                word == whole or (len(word) > 5 and {*skeletons(word)} & {*skeletons(whole)})
                for whole in (first + second, second + first)
            )
            if alike:
                left -= {at, at + 1}
                right.discard(place)
                pairs.append(_Pair(f"{first} {second}", word, JOINED, (at, place)))
                break
    return pairs


def _in_words(pairs: list[_Pair], ours_only: list[str], theirs_only: list[str]) -> str:
    otherwise = [f"“{pair.ours}” for “{pair.theirs}”" for pair in pairs if pair.ours != pair.theirs]
    told = [f"written otherwise: {', '.join(otherwise)}"] if otherwise else []
    if ours_only:
        told.append(f"only ours: “{' '.join(ours_only)}”")
    if theirs_only:
        told.append(f"only the list's: “{' '.join(theirs_only)}”")
    return "; ".join(told)[:300] or "the same words"
