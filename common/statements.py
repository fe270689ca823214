"""A text as rules see it that know words, not meanings: folded, in clauses, with marks for its numbers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from common.opposites import CONDITIONS, DENIALS, MODALS, QUANTIFIERS, against, matters_of, role_of
from common.passages import Plain
from common.quantities import FIRST_MARK, Quantity, quantities
from common.verbs import whole_verbs
from common.wording import folded

Renders: TypeAlias = Mapping[str, frozenset[str]]
"""Words of the claim, and words of the passage that a model said to render them, as far as that is believed."""

MAX_TEXT = 3_000
HALF, MOSTLY = 0.5, 0.65  # of the claim's words: below that a passage is about something else
MIN_STEM = 4
TOKEN = re.compile(r"[\ue000-\uf8ff]|[^\W_]+(?:\.(?=\w))?")
_ANONYMOUS = re.compile(r"(?<![\w.])([A-Z])(?:\.?_{2,}|\.(?=[\s,;:]))")  # A.________, X.
_FIRMS = frozenset(
    ("AG", "SA", "Societas", "GmbH", "Sàrl", "Sagl", "Ltd", "Inc", "plc", "SpA", "SARL", "KG", "NV", "BV")
)
_CLAUSE = re.compile(
    r"[,;:()\[\]–—]|\s-\s|\b(?:and|but|while|whereas|und|aber|sondern|waehrend|et|mais|tandis|ma|mentre|ed|e)\b"
)
_NAME = re.compile(r"(?<![\w.])(?:[A-ZÄÖÜÀÉÈ][\w&'’.-]*)(?:\s+(?:[A-ZÄÖÜÀÉÈ][\w&'’.-]*|&|of|de|di|von))*")
_DETERMINERS_WORDS = """der die das den dem des ein eine einen einem einer eines kein keine diese dieser dieses
    diesem diesen
    ihre ihr sein seine im am vom zum zur beim ins"""
DETERMINERS = frozenset(_DETERMINERS_WORDS.split())
_LITTLE_WORDS = """the a an of to in on at by from with as that this these those it its is are was were be been being
    has have had do does did and or but so then there which who whom whose he she they his her their
    him them we you i than into onto upon per der die das den dem des ein eine einen einem einer
    eines zu zum zur in im an am auf aus bei mit von vom durch um als wie dass daher deshalb so da
    es er sie ihr ihre ihrer ihren sein seine ist sind war waren wird werden wurde wurden worden hat
    haben hatte hatten und oder aber auch noch schon dann dort hier sich nur dies diese dieser
    dieses diesem diesen welche welcher welches ob bzw wobei dabei damit davon dafuer somit sowie le
    la les l un une des du de d a au aux en dans sur sous par avec que qu qui dont ou et il elle ils
    elles on ce cet cette ces son sa ses leur leurs est sont etait etaient ete etre avoir ait eu
    avait ont se s y ainsi donc aussi ne n si comme dit c il lo gli i uno una di del dello della dei
    degli delle al allo alla ai agli alle da dal dalla nel nella nei nelle su sul sulla con per tra
    fra che chi cui ed e o ma egli ella essa essi e sono era erano stato stata stati state essere
    avere ha hanno aveva questo questa questi queste suo sua suoi sue loro ci vi cosi dunque anche
    come ne s t j m too according accordingly therefore thus hence also however moreover furthermore indeed
    partant"""
LITTLE = frozenset(_LITTLE_WORDS.split())
_ENDINGS_WORDS = """e s es en em er ern n t te ten tet et st d ed ing ung ungen ion ions x nt ent ont a i o ie
    he hi ez ee
    ees ant ants ante anti ato ata ati ate uto uta iti ito ita are ere ire ono ano no eur m r rs y ies
    ly ment mente ne ni zione zioni al ale ali aux se"""
_ENDINGS = frozenset(_ENDINGS_WORDS.split()) | {""}
_IN_MAY = re.compile(r"\b(?i:in|since|until|of|by|last|early|late|during|from|this|next) May\b(?! \d)")
_IN_YEAR = re.compile(r"(?i)\b(?:im jahre?|in the year|en l.an(?:née)?|nell.anno)(?= [12]\d{3}\b)")
_BOUND = re.compile(
    r"\b(?:hat|haben|ist|sind)\b.*?(?:\bzu\b \w+|\b(?:an|auf|aus|ab|ein|vor|mit|nach|bei|um|fest)zu\w+)en\b"
    r"|\b(?:has|have|is|are) to\b|\b(?:est|sont|etait|etaient|e|sono|era) tenu(?:e|s|es|to|ta|ti|te)?\b"
)
_ENTITLED = re.compile(
    r"\b(?:entitled|right to|berechtigt|anspruch auf|zustehen|zusteht|droit (?:a|au|aux|de)|diritto (?:a|al|alla|di))\b"
)
_NOT_ONLY = re.compile(r"\b(?:not only|nicht nur|non seulement|non solo)\b", re.IGNORECASE)
_WITHOUT = frozenset(("without", "ohne", "sans", "senza"))


@dataclass
class Statement:
    """A text as the rules see it: folded, with marks for its numbers."""

    original: str
    text: str
    numbers: Sequence[Quantity]
    rendered: Renders = field(default_factory=dict)

    @classmethod
    def read(cls, original: str, rendered: Renders | None = None) -> "Statement":
        plain = re.sub(r"\bSE\b", "Societas", Plain(original[:MAX_TEXT]).text)  # no Italian "if"
        plain = _ANONYMOUS.sub(r"Anon\1", plain)
        plain = _NOT_ONLY.sub(" ", _IN_YEAR.sub("in", _IN_MAY.sub(" ", plain)))
        return cls(plain, *quantities(whole_verbs(folded_text(plain))), rendered or {})

    @classmethod
    def of(cls, whole: "Statement", text: str) -> "Statement":
        """A part of another."""
        return cls(whole.original, text, whole.numbers, whole.rendered)

    @cached_property
    def quantities(self) -> list[Quantity]:
        places = [ord(sign) - FIRST_MARK for sign in self.text]
        return [self.numbers[place] for place in places if 0 <= place < len(self.numbers)]

    @cached_property
    def clauses(self) -> list["Statement"]:
        return [Statement.of(self, part) for part in _CLAUSE.split(self.text) if part.strip()]

    @cached_property
    def words(self) -> "Words":
        return Words(self.text, self.rendered)

    @cached_property
    def names(self) -> list[str]:
        """Who and what is named, in the order of the text."""
        found = []
        for one in _NAME.finditer(self.original):
            words = one[0].split()
            before = self.original[: one.start()].split()[-1:]
            noun = (words[0].lower() if len(words) > 1 else "".join(before).lower()) in DETERMINERS
            if not noun or _FIRMS.intersection(words):  # German writes every noun with a capital
                found += [folded(word) for word in TOKEN.findall(one[0].lower()) if word not in LITTLE]
        return found


@dataclass
class Words:
    """The words of a clause: those that carry it, and what turns, binds or limits it."""

    text: str
    rendered: Renders = field(default_factory=dict)

    @cached_property
    def all(self) -> list[str]:
        return TOKEN.findall(self.text)

    @cached_property
    def quantifiers(self) -> set[str]:
        return {name for name, pattern in QUANTIFIERS.items() if pattern.search(self.text)}

    @cached_property
    def bare(self) -> list[str]:
        """Without quantifiers: "no more than" denies nothing."""
        text = self.text
        for pattern in QUANTIFIERS.values():
            text = pattern.sub(" ", text)
        return TOKEN.findall(text)

    @cached_property
    def content(self) -> list[str]:
        modal = frozenset().union(*MODALS.values())
        return [
            word
            for word in self.bare
            if word not in LITTLE | DENIALS | CONDITIONS and word not in modal and not is_mark(word)
        ]

    def denials(self, beside: "Words") -> int:
        """How often it says no to what the other speaks of: "without fault" denies nothing but the fault."""
        found = [
            word
            for place, word in enumerate(self.bare)
            if word in DENIALS
            and (word not in _WITHOUT or self._next(place) is None or beside.has(self._next(place)))
        ]
        return len(found) - (("neither" in found) + ("weder" in found) > 0 and len(found) > 1)

    def _next(self, place: int) -> str | None:
        return next((word for word in self.bare[place + 1 :] if word in self.content), None)

    def has(self, word: str | None) -> bool:
        """Whether it speaks of what a word names."""
        return word is not None and (
            word in self.content or any(same_stem(word, one) for one in self.content)
        )

    @cached_property
    def modals(self) -> set[str]:
        found = {name for name, words in MODALS.items() if any(word in words for word in self.bare)}
        if not found and _BOUND.search(self.text):
            found.add("must")
        return found | ({"may"} if _ENTITLED.search(self.text) else set())

    def match(self, word: str, part: "Words") -> tuple[str, bool] | None:
        """The word of a passage that stands for one of these words, and whether it is its opposite; the same first.

        Where a claim names both sides of a matter itself, neither stands for the other.
        """
        if word in part.content:
            return word, False
        ours, opposite = matters_of(word), None
        both = any(against(ours, matters_of(one)) for one in self.content)
        for other in part.content:
            theirs = matters_of(other)
            if ours & theirs:
                return other, False
            if against(ours, theirs):
                opposite = opposite if both else other
            elif not (ours and theirs and role_of(ours | theirs)) and same_stem(word, other):
                return other, False
            elif prefixed(word, other):
                opposite = other
        if opposite:
            return opposite, True
        rendering = next((one for one in self.rendered.get(word, ()) if one in part.all), None)
        return (rendering, False) if rendering else None


def is_mark(word: str) -> bool:
    """Whether it stands for a number."""
    return ord(word[0]) >= FIRST_MARK


def folded_text(plain: str) -> str:
    """Small letters without accents, word by word; signs stay."""
    text = plain.lower().replace('n"t', " not").replace('"', " ")
    if not re.search(r"\bne?\b", text):
        text = re.sub(r"\bpersonne\b", "personnes", text)  # somebody, where nothing denies
    return re.sub(r"[^\W\d_]+", lambda word: folded(word[0]), text)


def same_stem(word: str, other: str) -> bool:
    for one in {word, word.removeprefix("ge")}:
        for two in {other, other.removeprefix("ge")}:
            length = next(
                (i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two))
            )
            if any(
                one[n:] in _ENDINGS and two[n:] in _ENDINGS
                for n in range(length, max(MIN_STEM, length - 3) - 1, -1)
            ):
                return True
    return False


def prefixed(word: str, other: str) -> bool:
    """Whether one word is the other with a prefix that turns it round."""
    for long, short in ((word, other), (other, word)):
        for prefix in ("un", "in", "im", "il", "ir", "dis", "non", "mis"):
            rest = long.removeprefix(prefix)
            if rest != long and len(rest) >= MIN_STEM and (rest == short or same_stem(rest, short)):
                return True
    return False
