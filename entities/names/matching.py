"""How well a name fits a record. Every name of the record is tried; the score says which one fits, and why.

A likeness of letters alone is no match: "Proton Group" is contained in a bank's name, "Fund II" is one letter from
"Fund I", "X GmbH" and "X AG" are two companies. So words that only one side has put a ceiling on the score:

    100  the same name, but for case, accents and punctuation
     98  the same but for a legal form that one side leaves out
     96  the same words in another order, or divided otherwise
     94  at most: spelled otherwise, or only one side says that the company is being wound up
     90  the same but for words that one side abbreviates ("Intl", "Vers."), beside a word that both have
     84  at most: one side has further words, or another legal form
     70  at most: each side has a word or number that the other lacks

Names of one script are compared in that script. Where only one of the two is in Latin letters the other is read in
Latin letters too, and 95 is the most that can come of it; where neither is, sounding alike counts for 84 at most.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any

from anyascii import anyascii

from common.likeness import OSA, fuzz
from entities.names.legal_forms import (
    ABROAD,
    GENERIC,
    GLUED,
    GLUED_BEFORE,
    LEADING,
    LEADING_IN_FULL,
    NATIVE,
    NO_SLIPS,
    TABLE,
    WINDING_UP,
    WINDING_UP_BEHIND_FORM,
)

LEGAL_NAME = "LEGAL_NAME"
SAME, SPELLING, ABBREVIATED, RELATED, OTHER = 95.0, 94.0, 90.0, 84.0, 70.0
GENERIC_SCORE = 80.0
TYPO = 75.0  # words at least so alike are taken for one word spelled otherwise
LIKELY = 50.0  # below it nothing is looked at twice
SLIP = 90.0  # where two names have no word in common, they must be so alike
ADDED = 2  # letters more at one end make another word: "Rückversicherung", "Cofibeau"
SHORTEST = 3  # letters of an abbreviation
CONTRACTED = 0.7  # of a word's length: "Austria" does not abbreviate "Australia"
JOINED = 0.85  # the same where several words are written as one
MAX_NAME = 500
_LETTERS = str.maketrans(
    {"ß": "ss", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"}
    | dict(zip("αβγδεζηικλμνξοπρσςτυφω", "avgdeziiklmnxoprsstyfo", strict=True))
    | {"θ": "th", "χ": "ch", "ψ": "ps"}
    | dict(zip("абвгдезийклмнопрстуфхыэіїє", "abvgdeziiklmnoprstufhyeiie", strict=True))
    | {"ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "ъ": "", "ь": ""}
)
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_APOSTROPHES = re.compile(r"['’‘ʼ`´]")
_WORDS = re.compile(r"[^\W_]+")
_DOTTED = frozenset(("sarl", "srl", "spa", "sas", "sca", "sro", "gmbh", "doo"))  # written with dots, and long
_JOINING = frozenset(("and", "und", "et", "og", "och"))
_ROMAN = (
    "i",
    "ii",
    "iii",
    "iv",
    "v",
    "vi",
    "vii",
    "viii",
    "ix",
    "x",
    "xi",
    "xii",
    "xiii",
    "xiv",
    "xv",
    "xvi",
)
_ROMAN_VALUES = {numeral: str(value) for value, numeral in enumerate(_ROMAN, start=1)}


@dataclass(frozen=True, slots=True)
class NameVariant:
    """One name of an entity; ``type`` is LEGAL_NAME or the register's own word for the other names."""

    name: str
    type: str = LEGAL_NAME
    language: str = ""


@dataclass(frozen=True, slots=True)
class NormalName:
    """A name as it is compared: ``words`` in order without the legal forms, which ``forms`` names in full.

    ``winding_up``: the name ended in words such as "in Liquidation", which are not among the others. ``written`` are
    all the others with the legal forms where they stand.
    """

    words: tuple[str, ...]
    forms: tuple[str, ...] = ()
    winding_up: bool = False
    written: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join(self.words)


@dataclass(frozen=True, slots=True)
class NameMatch:
    """One name of a record against a claimed one; ``relation`` puts the reason for the score in words."""

    score: float
    variant: NameVariant
    relation: str
    stripped: tuple[str, ...]

    @property
    def explanation(self) -> str:
        """One line: the score, the name it was compared with, its type and language, what was left out, and why."""
        kind = variant_kind(self.variant)
        language = f" ({self.variant.language})" if self.variant.language else ""
        without = f", compared without {', '.join(self.stripped)}" if self.stripped else ""
        return f"{self.score:.0f} of 100 against the {kind}{language} “{self.variant.name}”{without}: {self.relation}"

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"explanation": self.explanation}


def score(query: str, names: Sequence[NameVariant]) -> tuple[float, NameVariant, str]:
    """The best of the names for ``query``: 0 to 100, the name, and one line that explains it."""
    best = best_name(query, names)
    return best.score, best.variant, best.explanation


def best_name(query: str, names: Sequence[NameVariant]) -> NameMatch:
    """The name that fits best; the legal name where it is the same or fits as well as another."""
    matches = [compare(query, variant) for variant in names or (NameVariant(""),)]
    return max(matches, key=lambda match: (_level(match), match.score, match.variant.type == LEGAL_NAME))


def compare(query: str, variant: NameVariant) -> NameMatch:
    """One claimed name against one name of the register, in the better of two ways to read umlauts."""
    one, other = normalise_name(query), normalise_name(variant.name)
    found = [_compare(one, other)]
    if not (query + variant.name).isascii():
        found.append(_compare(normalise_name(query, german=True), normalise_name(variant.name, german=True)))
    if not (one.text.isascii() and other.text.isascii()):
        found.append(_compare_in_latin(query, variant.name, one.text.isascii() or other.text.isascii()))
    best, relation = max(found)
    return NameMatch(best, variant, relation, tuple(dict.fromkeys((*one.forms, *other.forms))))


def variant_kind(variant: NameVariant) -> str:
    """The type of a name in words: "previous legal name"."""
    return variant.type.replace("_", " ").lower() or "name"


@lru_cache(maxsize=20_000)
def normalise_name(name: str, *, german: bool = False, latin: bool = False) -> NormalName:
    """Case, accents, punctuation, "and" and legal forms taken away, Greek and Cyrillic in Latin letters.

    With ``german`` ä reads as ae, else as a; with ``latin`` every other script is in Latin letters as well, Chinese
    and Japanese characters by their Mandarin sound. A name that is nothing but a legal form keeps it.
    """
    words = _split(name[:MAX_NAME], german, latin)
    standing = _without_winding_up(words)
    return _without_forms(_join_initials(standing), len(standing) < len(words))


def _level(match: NameMatch) -> float:
    """Names that are the same are equally good, so that the legal name wins among them."""
    legal = match.variant.type == LEGAL_NAME
    return (2.0 if legal else 1.0) if match.score >= SAME else 0.0


def _words(name: str, german: bool = False, latin: bool = False) -> list[str]:
    return _join_initials(_split(name, german, latin))


def _split(name: str, german: bool, latin: bool) -> list[str]:
    bare = name.lower() if name.isascii() else _native_forms(_bare(name, german))
    if latin and not bare.isascii():
        bare = anyascii(bare).lower()
    text = _APOSTROPHES.sub("", bare)
    words = _WORDS.findall(text) if text.isascii() else _spaced(text).split()
    return [word for word in words if word not in _JOINING] or words


def _native_forms(bare: str) -> str:
    """Short forms of other scripts, which stand on either side and in brackets, as Latin ones at the end."""
    for native, form in NATIVE.items():
        if native in bare:
            bare = f"{bare.replace(native, ' ')} {form}"
    return bare


def _bare(name: str, german: bool) -> str:
    text = unicodedata.normalize("NFKC", name).casefold()
    if german:
        text = text.translate(_GERMAN)
    bare = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", bare.translate(_LETTERS))


def _spaced(text: str) -> str:
    """Letters, digits and the vowel signs that many scripts write beside their letters; blanks for all else."""
    return "".join(char if unicodedata.category(char)[0] in "LNM" else " " for char in text)


def _join_initials(words: list[str]) -> list[str]:
    """ "S. A.", "S.A." and "SA" are one word; so are "J. P." and "JP". "I S.à.r.l." is a number before a legal form."""
    joined: list[str] = []
    for single, run in groupby(words, key=lambda word: len(word) == 1 and word.isalpha()):
        some = list(run)
        form = "".join(some[1:]) if single else ""
        if form in _DOTTED and some[0] in _ROMAN:
            joined += some[0], form
        else:
            joined += ["".join(some)] if single else some
    return joined


def _without_forms(words: list[str], winding_up: bool) -> NormalName:
    """Legal forms go from the end, then from the front, as long as a word remains."""
    kept, forms = _unglued_before(_unglued(words)), []
    written = tuple(kept)
    while found := _form_at_end(kept):
        forms.append(found[0])
        kept = _unglued(kept[: -found[1]])
    while length := _length_in_front(kept):
        forms.append(_FORMS[tuple(kept[:length])])
        kept = kept[length:]
    return NormalName(tuple(kept), tuple(forms), winding_up, written)


def _length_in_front(words: list[str]) -> int:
    """How many of the first words are a legal form; at least one word stays."""
    if len(words) > 1 and words[0] in _LEADING:
        return 1
    lengths = range(min(_LONGEST, len(words) - 1), 1, -1)
    return next((length for length in lengths if tuple(words[:length]) in _LEADING_IN_FULL), 0)


def _without_winding_up(words: list[str]) -> list[str]:
    """Without "in Liquidation" at the end, and without "i.L." behind a legal form."""
    for length in range(min(_LONGEST_NOTE, len(words) - 1), 0, -1):
        before, note = words[:-length], tuple(words[-length:])
        if note in _WINDING_UP or (note in _WINDING_UP_BEHIND_FORM and _ends_in_form(before)):
            return before
    return words


def _ends_in_form(words: list[str]) -> bool:
    return _form_at_end(_unglued(_join_initials(words))) is not None


def _unglued(words: list[str]) -> list[str]:
    last = words[-1] if words else ""
    for ending in _GLUED:
        if last.endswith(ending) and last != ending:
            return [*words[:-1], last.removesuffix(ending), ending]
    return words


def _unglued_before(words: list[str]) -> list[str]:
    for beginning in _GLUED_BEFORE:
        if words and words[0].startswith(beginning) and words[0] != beginning:
            return [beginning, words[0].removeprefix(beginning), *words[1:]]
    return words


def _form_at_end(words: list[str]) -> tuple[str, int] | None:
    """The longest legal form that the words end in and how many words it has."""
    for length in range(min(_LONGEST, len(words) - 1), 0, -1):
        form = _FORMS.get(tuple(words[-length:]))
        if form:
            return form, length
    return None


def _compare_in_latin(query: str, name: str, one_is_latin: bool) -> tuple[float, str]:
    """Both read in Latin letters; what sounds alike need not be written alike, so this alone is never certain."""
    likeness, relation = _compare(normalise_name(query, latin=True), normalise_name(name, latin=True))
    return min(likeness, SAME if one_is_latin else RELATED), f"{relation}, read in Latin letters"


def _compare(one: NormalName, other: NormalName) -> tuple[float, str]:
    if not one.words or not other.words:
        return 0.0, "there is nothing to compare"
    likeness, relation = _compare_forms(one, other)
    if one.winding_up != other.winding_up and likeness > SPELLING:
        return SPELLING, f"{relation}, but only one side says that it is being wound up"
    return likeness, relation


def _compare_forms(one: NormalName, other: NormalName) -> tuple[float, str]:
    likeness, relation = _compare_words(one.words, other.words)
    if LIKELY <= likeness <= RELATED and bool(one.forms) != bool(other.forms):
        whole, why = _compare_words(
            one.written, other.written
        )  # a misspelled form is known by the other side's
        if RELATED < whole <= SPELLING and fuzz.ratio(one.words[0], other.words[0]) >= TYPO:
            return whole, why
    if one.forms and other.forms and not _meant(one.forms) & _meant(other.forms) and likeness > RELATED:
        return RELATED, f"{relation}, but another legal form"
    if likeness == 100.0 and one.forms != other.forms:
        return 98.0, "the same but for the legal form"
    return likeness, relation


def _meant(forms: tuple[str, ...]) -> set[str]:
    """The forms, and those of other countries that are written or translated so."""
    return {*forms}.union(*(group for group in ABROAD if not group.isdisjoint(forms)))


def _compare_words(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[float, str]:
    if one == other:
        return 100.0, "the same"
    if "".join(one) == "".join(other) or sorted(one) == sorted(other):
        return 96.0, "the same words, ordered or divided otherwise"
    ratio = max(
        fuzz.token_sort_ratio(" ".join(one), " ".join(other)), fuzz.ratio("".join(one), "".join(other))
    )
    mine, theirs = _only_in_one(one, other)
    if not mine or not theirs:
        return _contained(ratio, one, other, mine + theirs)
    return _differing(ratio, mine, theirs, shared=len(mine) < len(one))


def _only_in_one(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The words that each side has and the other lacks; "II" and "2" are one word."""
    mine, theirs = (Counter(_ROMAN_VALUES.get(word, word) for word in words) for words in (one, other))
    return [*(mine - theirs).elements()], [*(theirs - mine).elements()]


def _contained(
    ratio: float, one: tuple[str, ...], other: tuple[str, ...], surplus: list[str]
) -> tuple[float, str]:
    """One name is the other and more. Its share lifts it above chance likeness in a search, never to a match."""
    if not surplus:
        return 96.0, "the same, numbers written otherwise"
    why = f"one side only: “{_shown(surplus)}”"
    if GENERIC.issuperset(surplus):
        return GENERIC_SCORE, why
    shorter, longer = sorted((len("".join(one)), len("".join(other))))
    return min(max(ratio, 50.0 + 30.0 * shorter / longer), RELATED), why


def _differing(ratio: float, mine: list[str], theirs: list[str], *, shared: bool) -> tuple[float, str]:
    """Each side has words that the other lacks: the same ones spelled otherwise, or really others."""
    why = f"“{_shown(mine)}” and “{_shown(theirs)}”"
    alone, rest = _without_typos(mine, theirs)
    divided = _is_typo("".join(mine), "".join(theirs), SLIP)
    if divided or not (alone or rest):
        most = SPELLING if divided or shared or ratio >= SLIP else RELATED
        return min(ratio, most), f"spelled otherwise: {why}"
    if shared and _abbreviated(alone, rest):
        return ABBREVIATED, f"abbreviated: {why}"
    if alone and rest:
        return min(ratio, OTHER), f"other words: {why}"
    return min(ratio, RELATED), f"spelled otherwise, and one side only: “{_shown(alone + rest)}”"


def _without_typos(mine: list[str], theirs: list[str]) -> tuple[list[str], list[str]]:
    """What remains of both sides when words spelled a little otherwise are paired off."""
    alone, rest = [], list(theirs)
    for word in mine:
        partner = max(rest, key=lambda other: fuzz.ratio(word, other), default="")
        if _is_typo(word, partner, TYPO):
            rest.remove(partner)
        else:
            alone.append(word)
    return alone, rest


def _shown(words: list[str], limit: int = 60) -> str:
    text = " ".join(words)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _is_typo(one: str, other: str, least: float) -> bool:
    """Numbers are never misspelled: another number is another fund. Nor is a word with another one added to it."""
    if fuzz.ratio(one, other) < least or any(map(str.isdigit, one + other)):
        return False
    slips = max(2, max(len(one), len(other)) // 5)
    if OSA.distance(one, other, score_cutoff=slips) > slips:  # "Rückversicherung" is no "Feuerversicherung"
        return False
    shorter, longer = sorted((one, other), key=len)
    added = len(longer) - len(shorter) >= ADDED and (longer.startswith(shorter) or longer.endswith(shorter))
    return not added and frozenset((one, other)) not in _NO_SLIPS


def _abbreviated(mine: list[str], theirs: list[str]) -> bool:
    """Whether what is left of two names is the same when words of either side abbreviate those of the other."""
    if not mine or not theirs:
        return False
    rest = list(theirs)
    for word in mine:
        pairs = ((each, sorted((word, each), key=len)) for each in rest)
        partner = next((each for each, (short, long) in pairs if _abbreviates(short, long)), None)
        if partner is not None:
            rest.remove(partner)
        elif word not in _LITTLE:
            break
    else:
        if _LITTLE.issuperset(rest):
            return True
    short, long = sorted(("".join(mine), "".join(theirs)), key=len)  # "Masch.fabrik", "Grundst.-Verw."
    several = len(mine) + len(theirs) > 2
    return several and len(short) >= 2 * SHORTEST and _abbreviates(short, long, JOINED)


def _abbreviates(short: str, long: str, most: float = CONTRACTED) -> bool:
    """The beginning of a word ("vers"), or some of its letters up to the last ("intl", "mfg"); numbers are neither."""
    if len(short) < SHORTEST or len(long) - len(short) < ADDED or not (short + long).isalpha():
        return False
    letters = iter(long)
    contracted = long[0] == short[0] and long[-1] == short[-1] and len(short) <= most * len(long)
    return long.startswith(short) or (contracted and all(letter in letters for letter in short))


def _read_all(spelling: str, read: Callable[[str, bool, bool], list[str]] = _words) -> list[tuple[str, ...]]:
    """A legal form in each of the ways in which names are read."""
    return [tuple(read(spelling, german, latin)) for german in (False, True) for latin in (False, True)]


def _single(spellings: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys("".join(words) for spelling in spellings for words in _read_all(spelling)))


_NO_SLIPS = frozenset(frozenset(pair) for pair in NO_SLIPS)
_LITTLE = frozenset(
    ("the", "of", "de", "der", "die", "das", "la", "le", "les", "du", "des", "di", "da", "do", "del")
)
_FORMS: dict[tuple[str, ...], str] = {
    words: form
    for form, spellings in TABLE.items()
    for spelling in spellings
    for words in _read_all(spelling)
}
_LONGEST = max(map(len, _FORMS))
_GLUED, _GLUED_BEFORE, _LEADING = _single(GLUED), _single(GLUED_BEFORE), frozenset(_single(LEADING))
_LEADING_IN_FULL = {words for spelling in LEADING_IN_FULL for words in _read_all(spelling)}
_WINDING_UP = {words for note in WINDING_UP for words in _read_all(note, _split)}
_WINDING_UP_BEHIND_FORM = {words for note in WINDING_UP_BEHIND_FORM for words in _read_all(note, _split)}
_LONGEST_NOTE = max(map(len, _WINDING_UP | _WINDING_UP_BEHIND_FORM))
