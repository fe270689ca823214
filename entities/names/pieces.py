"""What to look for when a name is searched: the keys under which it may stand, and pieces of it that survive slips.

A name with two wrong letters still has one of three pieces of it whole, wherever the letters are: so where nothing is
two slips away, names that contain a piece are looked at. Legal forms are left out of the pieces: everybody has them.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, product

from common.likeness import OSA, fuzz, process
from entities.names.keys import search_key
from entities.names.legal_forms import LEADING, LEADING_IN_FULL, TABLE, WINDING_UP, WINDING_UP_BEHIND_FORM

PIECES = 3
SHORT = 9  # a name so short is one piece: thirds of it are in every name
LEAST = 3  # letters of a piece; what is shorter has no trigram
SLIPS = 2  # letters lost, added or changed, or neighbours swapped, that a name may have and still be meant
MAX_WINDOWS = 8
MAX_SPELLINGS = 600
MAX_UMLAUTS = 3  # words of a name that are tried in both spellings
_WRITTEN_OUT = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "ø": "oe",
        "å": "aa",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "Ø": "Oe",
        "Å": "Aa",
    }
)
_FORM_SLIP = 80.0  # a last word so much like a legal form is one


def spellings(name: str, *, any_form: bool = False) -> list[str]:
    """Keys under which the same name may stand: its own, without its legal form, and with other spellings of it.

    ``any_form``: a name without a legal form may stand with any.
    """
    key = search_key(name)
    if not key:
        return []
    core = without_forms(key)
    words = key.split()
    length = _form_length(words, forgiving=False)
    before, form = words[: len(words) - length], " ".join(words[len(words) - length :])
    keys = [key, core, *(" ".join([*before, other]) for other in _FORMS.get(_FORM_OF.get(form, ""), ()))]
    if any_form and core == key:
        keys += (f"{core} {other}" for other in _SPELLINGS)
    keys += [folded for each in keys[:3] for folded in _umlauts(each)]
    written_out = unicodedata.normalize("NFC", name).translate(_WRITTEN_OUT)
    if written_out != name:
        keys.append(search_key(written_out))
    return list(dict.fromkeys(keys))[:MAX_SPELLINGS]


def pieces(key: str) -> list[str]:
    """One of these is whole in every name that differs from the key's in two letters."""
    core = without_forms(key, forgiving=True)
    if len(core) < SHORT:
        return [core] if len(core) >= LEAST else [key] if len(key) >= LEAST else []
    return parts(core, PIECES)


def parts(text: str, count: int) -> list[str]:
    """A text cut into so many parts of about the same length."""
    cuts = [round(at * len(text) / count) for at in range(count + 1)]
    return [text[start:end] for start, end in pairwise(cuts)]


def slips(key: str, other: str) -> int:
    """How many slips part two keys, or what they are without their legal forms.

    One more than ``SLIPS`` stands for any number that is no slip any more.
    """
    whole = OSA.distance(key, other, score_cutoff=SLIPS)
    return min(whole, OSA.distance(without_forms(key), without_forms(other), score_cutoff=SLIPS))


def trigrams(key: str) -> set[str]:
    """As PostgreSQL has them: of each word, with two blanks before it and one behind."""
    padded = [f"  {word} " for word in key.split()]
    return {word[at : at + 3] for word in padded for at in range(len(word) - 2)}


def windows(key: str) -> list[str]:
    """Smaller pieces, for names in which more is wrong, or which are short."""
    core = without_forms(key, forgiving=True)
    width = 4 if len(core) >= 12 else LEAST
    step = max(1, -(-(len(core) - width) // (MAX_WINDOWS - 1)))
    starts = range(0, max(1, len(core) - width + 1), step)
    return [core[at : at + width] for at in starts if len(core[at : at + width]) >= LEAST]


@lru_cache(maxsize=10_000)
def without_forms(key: str, *, forgiving: bool = False) -> str:
    """The key without its legal forms; ``forgiving`` knows misspelled ones."""
    words = _without_winding_up(key).split()
    while length := _form_length(words, forgiving):
        words = words[:-length]
    while length := _length_before(words):
        words = words[length:]
    return " ".join(words)


def _without_winding_up(key: str) -> str:
    for note in (*_NOTES, *_NOTES_BEHIND_FORM):
        before = key.removesuffix(note)
        if before != key and (note in _NOTES or _form_length(before.split(), forgiving=False)):
            return before
    return key


def _length_before(words: list[str]) -> int:
    """How many of the first words are a legal form; at least one word stays."""
    lengths = range(min(_LONGEST, len(words) - 1), 0, -1)
    return next((length for length in lengths if " ".join(words[:length]) in _BEFORE), 0)


def _form_length(words: list[str], forgiving: bool) -> int:
    """How many of the last words are a legal form; at least one word stays."""
    endings = {length: " ".join(words[-length:]) for length in range(min(_LONGEST, len(words) - 1), 0, -1)}
    for length, ending in endings.items():
        if ending in _FORM_OF:
            return length
    if not forgiving:
        return 0
    likeness = {length: _form_likeness(ending) for length, ending in endings.items() if len(ending) >= 4}
    best = max(likeness, key=likeness.__getitem__, default=0)
    return best if likeness.get(best, 0.0) >= _FORM_SLIP else 0


def _form_likeness(ending: str) -> float:
    likely = process.extractOne(ending, _LONG_FORMS, scorer=fuzz.ratio, score_cutoff=_FORM_SLIP)
    return float(likely[1]) if likely else 0.0


def _umlauts(key: str) -> Iterator[str]:
    """ "juerg aeschlimann" may stand as "jurg aeschlimann": each word with "ae", "oe" or "ue" in both spellings."""
    words = key.split()
    folded = [word.replace("ae", "a").replace("oe", "o").replace("ue", "u") for word in words]
    pairs = [place for place, word in enumerate(words) if word != folded[place]][:MAX_UMLAUTS]
    for chosen in product((True, False), repeat=len(pairs)):
        places = {place for place, is_folded in zip(pairs, chosen, strict=True) if is_folded}
        if places:
            yield " ".join(folded[place] if place in places else word for place, word in enumerate(words))


def _spelled(form: str) -> Iterator[str]:
    for spelling in TABLE[form]:
        key = search_key(spelling)
        yield key
        if " " not in key and len(key) <= 4:
            yield " ".join(key)  # "S.A.R.L."


_FORMS = {form: tuple(dict.fromkeys(_spelled(form))) for form in TABLE}
_FORM_OF = {key: form for form, keys in _FORMS.items() for key in keys if key}
_SPELLINGS = tuple(_FORM_OF)
_LONG_FORMS = [key for key in _SPELLINGS if len(key) >= 4]
_LONGEST = max(len(key.split()) for key in _SPELLINGS)
_BEFORE = frozenset(key for form in (*LEADING, *LEADING_IN_FULL) if (key := search_key(form)) in _FORM_OF)
_NOTES, _NOTES_BEHIND_FORM = (
    tuple(f" {search_key(note)}" for note in notes) for notes in (WINDING_UP, WINDING_UP_BEHIND_FORM)
)
