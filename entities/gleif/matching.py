"""How well a name fits a record: every name variant is tried, and the score says which one and why.

A token set alone is no match ("Proton Group" would equal a bank whose name merely contains PROTON), so the score
compares whole normalised names; what was stripped before comparing is part of the explanation.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from entities.gleif.records import NameVariant, Record

MAX_NAME = 500
_STROKES = str.maketrans(
    {"ß": "ss", "ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i", "ð": "d"}
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_WORDS = re.compile(r"[^\W_]+")
_DOTTED = re.compile(r"\b(?:\w\.){2,}\w?\b")
_SYNONYMS = {"and": "&", "und": "&", "et": "&", "e": "&", "y": "&"}

# Legal forms as they end (seldom begin) a name, longest first where one contains another.
_FORMS = """
aktiengesellschaft ag se gmbh mbh kg kgaa ohg gbr ug ev eg gesellschaft beschrankter haftung
limited ltd plc llp llc lp inc incorporated corp corporation company co pty public
sa sas sarl sca scs scsp snc sasu societe anonyme responsabilite limitee sicav sicaf raif fcp
spa srl sapa societa azioni per bv nv vof cv cooperatie sl slu sau sociedad
ab aktiebolag as asa aps oy oyj hf ehf sp zoo spolka akcyjna sro sr kft zrt nyrt doo dd ad ead ood eood
kk kabushiki kaisha lda ltda eireli
"""
LEGAL_FORMS = frozenset(_FORMS.split())


@dataclass(frozen=True, slots=True)
class NormalName:
    """A name as it is compared: its words in order, without the legal form, which is kept apart."""

    words: tuple[str, ...]
    stripped: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.words)


@lru_cache(maxsize=20_000)
def normalise_name(name: str, *, umlauts: bool = False) -> NormalName:
    """Case, accents, punctuation and legal form taken away; with ``umlauts`` ä reads as ae instead of a."""
    folded = name[:MAX_NAME].casefold()
    if umlauts:
        folded = unicodedata.normalize("NFC", folded).translate(_UMLAUTS)
    plain = unicodedata.normalize("NFKD", folded.translate(_STROKES))
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    joined = _DOTTED.sub(lambda match: match.group().replace(".", ""), bare).replace("a/s", "as")
    words = [_SYNONYMS.get(word, word) for word in _WORDS.findall(joined)]
    return _without_form([word for word in words if word != "&"])


def score(query: str, record: Record) -> tuple[float, NameVariant, str]:
    """The best of the record's names for ``query``: 0 to 100, the variant, and a sentence that explains it."""
    best, chosen = -1.0, NameVariant(record.legal_name)
    for variant in record.names:
        value = similarity(query, variant.name)
        if value > best:
            best, chosen = value, variant
    return max(best, 0.0), chosen, explain(query, chosen, max(best, 0.0))


def similarity(one: str, other: str) -> float:
    """0 to 100; 100 only when the names are the same but for case, accents, punctuation and legal form."""
    if not one.strip() or not other.strip():
        return 0.0
    return max(
        _compare(normalise_name(one, umlauts=umlauts), normalise_name(other, umlauts=umlauts))
        for umlauts in (False, True)
    )


def explain(query: str, variant: NameVariant, value: float) -> str:
    """Which name of which type was compared, and what was left out of the comparison."""
    kind = variant.type.replace("_", " ").lower()
    language = f" ({variant.language})" if variant.language else ""
    stripped = sorted({*normalise_name(query).stripped, *normalise_name(variant.name).stripped})
    without = f", compared without {', '.join(stripped)}" if stripped else ""
    return f"{value:.0f} of 100 against the {kind}{language} {variant.name!r}{without}"


def _without_form(words: list[str]) -> NormalName:
    """Legal forms go from the end, and one from the front, as long as something remains."""
    kept, stripped = list(words), []
    while len(kept) > 1 and kept[-1] in LEGAL_FORMS:
        stripped.append(kept.pop())
    if len(kept) > 1 and kept[0] in LEGAL_FORMS and kept[0] not in {"as", "se", "per", "sol"}:
        stripped.append(kept.pop(0))
    return NormalName(tuple(kept), tuple(stripped))


def _compare(one: NormalName, other: NormalName) -> float:
    if one.words == other.words:
        return 100.0 if one.stripped == other.stripped or not (one.stripped and other.stripped) else 99.0
    ordered = fuzz.ratio(one.text, other.text)
    sorted_ = fuzz.token_sort_ratio(one.text, other.text)
    joined = fuzz.ratio("".join(one.words), "".join(other.words))
    return min(98.0, max(ordered, sorted_, joined))
