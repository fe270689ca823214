"""Does a passage say what a claim says? Rules, as a veto: they know words, not meanings.

``said`` only when every word of the claim stands in the passage and nothing turns it round or limits it: numbers with
what they count, dates, denials, opposites, who does it to whom, must and may, all and some, conditions, hearsay. What
the rules cannot tell is ``open``; ``lacking`` is a number or date that the passage does not have.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from common.opposites import (
    CONDITION,
    CONDITIONS,
    DENIALS,
    EXCLUDE_EACH_OTHER,
    LIMITING,
    MODALS,
    NEEDED,
    QUANTIFIERS,
    SAID_BY_SOMEBODY,
    UNLESS,
    against,
    cancelled,
    matters_of,
    not_done,
    role_of,
)
from common.passages import Plain
from common.quantities import FIRST_MARK, Quantity, fits, quantities, same_kind
from common.verbs import whole_verbs
from common.wording import folded

Says: TypeAlias = Literal["said", "otherwise", "lacking", "open"]
Matches: TypeAlias = dict[
    str, tuple[str, bool]
]  # word of the claim -> word of the passage, is it the opposite

Renders: TypeAlias = Mapping[str, frozenset[str]]
"""Words of the claim, and words of the passage that a model said to render them, as far as that is believed."""

MAX_TEXT = 3_000
HALF, MOSTLY = 0.5, 0.65  # of the claim's words: below that a passage is about something else
MIN_STEM = 4
_TOKEN = re.compile(r"[\ue000-\uf8ff]|[^\W_]+(?:\.(?=\w))?")
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
_DETERMINERS = frozenset(_DETERMINERS_WORDS.split())
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
_LITTLE = frozenset(_LITTLE_WORDS.split())
_ENDINGS_WORDS = """e s es en em er ern n t te ten tet et st d ed ing ung ungen ion ions x nt ent ont a i o ie
    he hi ez ee
    ees ant ants ante anti ato ata ati ate uto uta iti ito ita are ere ire ono ano no eur m r rs y ies
    ly ment mente ne ni zione zioni al ale ali aux se"""
_ENDINGS = frozenset(_ENDINGS_WORDS.split()) | {""}
_IN_MAY = re.compile(r"\b(?:in|since|until|of|by|last|early|late|during|from|this|next) May\b(?! \d)")
_IN_YEAR = re.compile(r"(?i)\b(?:im jahre?|in the year|en l.an(?:née)?|nell.anno)(?= [12]\d{3}\b)")
_BOUND = re.compile(
    r"\b(?:hat|haben|ist|sind)\b.*?(?:\bzu\b \w+|\b(?:an|auf|aus|ab|ein|vor|mit|nach|bei|um|fest)zu\w+)en\b"
    r"|\b(?:has|have|is|are) to\b|\b(?:est|sont|etait|etaient|e|sono|era) tenu(?:e|s|es|to|ta|ti|te)?\b"
)
_ENTITLED = re.compile(
    r"\b(?:entitled|right to|berechtigt|anspruch auf|zustehen|zusteht|droit (?:a|au|aux|de)|diritto (?:a|al|alla|di))\b"
)
_NOT_ONLY = re.compile(r"\b(?:not only|nicht nur|non seulement|non solo)\b", re.IGNORECASE)
_RELATION_WORDS = """to from by for against with without over under an von gegen fuer durch mit ohne ueber unter
    nach vor contre par pour avec sans chez apres avant da dal dalla dallo dai contro per con senza dopo prima"""
_RELATIONS = frozenset(_RELATION_WORDS.split())
_WEAK = frozenset(("of", "de", "di", "du", "del", "della", "dello", "des"))  # they relate in any way
_WITHOUT = frozenset(("without", "ohne", "sans", "senza"))
_BY = re.compile(r"\b(?:by|von|vom|durch|par|da|dal|dallo|dalla|dai)\b(?!\s*[\ue000-\uf8ff])")
_BE_DONE = re.compile(
    r"\b(?:was|were|is|are|been|being|wird|werden|wurde|wurden|worden|est|sont|ete|fut|furent|etait|e|sono"
    r"|era|viene|venne|stat[oaie])\b"
)


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
            noun = (words[0].lower() if len(words) > 1 else "".join(before).lower()) in _DETERMINERS
            if not noun or _FIRMS.intersection(words):  # German writes every noun with a capital
                found += [folded(word) for word in _TOKEN.findall(one[0].lower()) if word not in _LITTLE]
        return found


@dataclass
class Words:
    """The words of a clause: those that carry it, and what turns, binds or limits it."""

    text: str
    rendered: Renders = field(default_factory=dict)

    @cached_property
    def all(self) -> list[str]:
        return _TOKEN.findall(self.text)

    @cached_property
    def quantifiers(self) -> set[str]:
        return {name for name, pattern in QUANTIFIERS.items() if pattern.search(self.text)}

    @cached_property
    def bare(self) -> list[str]:
        """Without quantifiers: "no more than" denies nothing."""
        text = self.text
        for pattern in QUANTIFIERS.values():
            text = pattern.sub(" ", text)
        return _TOKEN.findall(text)

    @cached_property
    def content(self) -> list[str]:
        modal = frozenset().union(*MODALS.values())
        return [
            word
            for word in self.bare
            if word not in _LITTLE | DENIALS | CONDITIONS and word not in modal and not _is_mark(word)
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


def _is_mark(word: str) -> bool:
    """Whether it stands for a number."""
    return ord(word[0]) >= FIRST_MARK


def folded_text(plain: str) -> str:
    """Small letters without accents, word by word; signs stay."""
    text = plain.lower().replace('n"t', " not").replace('"', " ")
    if not re.search(r"\bne?\b", text):
        text = re.sub(r"\bpersonne\b", "personnes", text)  # somebody, where nothing denies
    return re.sub(r"[^\W\d_]+", lambda word: folded(word[0]), text)


def compare(claim: str, passage: str) -> tuple[Says, str]:
    """What a passage says to a claim, and in a few words why."""
    says, why, _ = held_against(Statement.read(claim), Statement.read(passage))
    return says, why


def held_against(ours: Statement, theirs: Statement) -> tuple[Says, str, list[str]]:
    """The same, and the words of the claim that it lacks where nothing else keeps the passage from saying it."""
    part, matches = about(ours, theirs)
    missing = [word for word in ours.words.content if word not in matches]
    flips = sum(opposite for _, opposite in matches.values())
    held = 1 - len(missing) / max(1, len(ours.words.content))
    numbers, gone = _numbers(ours, part)
    undone = _undone(ours.words, part.words, matches)
    turned = _turned(ours.words, part.words, flips + len(undone)) or ("" if missing else _order(ours, theirs))
    if told := (numbers if held >= HALF else "") or (turned if held >= MOSTLY else ""):
        return "otherwise", told, []
    if gone:
        return "lacking", f"it does not say {gone}", []
    if why := _limited(ours, theirs, part.words) or _misplaced(ours, theirs, part):
        return "open", why, []
    if missing:
        return "open", f"it does not have the words {', '.join(missing[:4])}", missing
    if (
        undone
        or flips != abs(ours.words.denials(part.words) - part.words.denials(ours.words))
        or flips > 1
        or not matches
    ):
        return "open", "it says it in other words", []
    return "said", "", []


def about(claim: Statement, passage: Statement) -> tuple[Statement, Matches]:
    """The clauses that have to do with the claim, the nearest first, and what in them stands for the claim's words."""
    words, counted = list(claim.words.content), list(claim.quantities)
    matches: Matches = {}
    clauses, chosen = list(enumerate(passage.clauses)), []
    while clauses and (words or counted):
        held = [_held(claim, words, counted, clause) for _, clause in clauses]
        best = max(range(len(clauses)), key=lambda place: held[place][2])
        found, fitting, worth = held[best]
        if not worth:
            break
        matches |= found
        words = [word for word in words if word not in found]
        counted = [one for one in counted if one not in fitting]
        chosen.append(clauses.pop(best))
    if not chosen:  # it says it in other words altogether, or of something else
        return passage, matches
    part = Statement.of(
        passage, " , ".join(clause.text for _, clause in sorted(chosen, key=lambda one: one[0]))
    )
    return part, matches


def _held(
    claim: Statement, words: Sequence[str], counted: Sequence[Quantity], clause: Statement
) -> tuple[Matches, list[Quantity], float]:
    """What of the claim a clause has, and how much that is."""
    found = {word: match for word in words if (match := claim.words.match(word, clause.words))}
    fitting = [one for one in counted if any(fits(one, other) for other in clause.quantities)]
    return found, fitting, sum(1 - 0.1 * opposite for _, opposite in found.values()) + len(fitting)


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


def _numbers(ours: Statement, theirs: Statement) -> tuple[str, str]:
    """(what contradicts, what is not there at all) of the claim's numbers and dates."""
    missing = [one for one in ours.quantities if not any(fits(one, other) for other in theirs.quantities)]
    if not missing:
        return "", ""
    free = [other for other in theirs.quantities if not any(fits(one, other) for one in ours.quantities)]
    for one in missing:
        rival = next((other for other in free if same_kind(one, other)), None)
        if rival:
            return f"it says {rival.written}, not {one.written}", one.written
    return "", missing[0].written


def _undone(claim: Words, part: Words, matches: Matches) -> set[str]:
    """In which ways only one of the two says that something is not done, but for words that stand for each other."""
    theirs = {word for word, _ in matches.values()}
    return not_done(" ".join(word for word in claim.all if word not in matches)) ^ not_done(
        " ".join(word for word in part.all if word not in theirs)
    )


def _turned(claim: Words, part: Words, flips: int) -> str:
    """What of denials, opposites, must and may, and quantifiers turns the claim round."""
    if (claim.denials(part) + part.denials(claim) + flips) % 2:
        return "one of the two denies it" if flips == 0 else "it says the opposite"
    for one in claim.quantifiers:
        for other in part.quantifiers - claim.quantifiers:
            if frozenset((one, other)) in EXCLUDE_EACH_OTHER and one not in part.quantifiers:
                return f"it says {other}, not {one}"
    if {claim_ := _modal(claim), part_ := _modal(part)} == {"must", "may"} and not (
        claim.denials(part) and part.denials(claim)
    ):
        return f"it says {part_}, not {claim_}"
    return ""


def _modal(words: Words) -> str:
    return next(iter(words.modals)) if len(words.modals) == 1 else ""


def _limited(ours: Statement, theirs: Statement, part: Words) -> str:
    """What the passage says under a condition, of some, as possible, or as somebody's word, and the claim"
    " does not."""
    for words, told in (
        (SAID_BY_SOMEBODY, "it only reports or expects it"),
        (CONDITION, "it sets a condition"),
    ):
        if words.search(theirs.text) and not words.search(ours.text):
            return told
    if cancelled(part.text) - cancelled(ours.text):
        return "it says it of somebody or something else"
    if "?" in theirs.text:
        return "it asks"
    if bool(UNLESS.search(ours.text)) != bool(UNLESS.search(theirs.text)) and CONDITION.search(theirs.text):
        return "it sets another condition"
    if ours.words.modals != part.modals:
        return "it binds or allows in another way"
    wanted = (ours.words.quantifiers & NEEDED) - theirs.words.quantifiers
    limits = (part.quantifiers & LIMITING) - ours.words.quantifiers
    return f"only one of the two says {next(iter(sorted(wanted | limits)))}" if wanted | limits else ""


def _actors(statement: Statement) -> list[str]:
    """Names and roles in the order of the text, each as what it stands for."""
    named, found = set(statement.names), []
    for word in statement.words.bare:
        if role := _actor(word):
            found.append(role)
        elif word in named and word not in _LITTLE:
            found.append(word)
    return list(dict.fromkeys(found))


def _actor(word: str) -> str:
    """The role that a word names, or an empty text."""
    return role_of(matters_of(word))


def _is_passive(statement: Statement) -> bool:
    return bool(_BY.search(statement.text) and _BE_DONE.search(statement.text))


def _order(ours: Statement, theirs: Statement) -> str:
    """Who does it to whom, where only the order of the words tells."""
    mine, yours = _actors(ours), _actors(theirs)
    shared = [one for one in mine if one in yours]
    same = shared == [one for one in yours if one in shared]
    if len(shared) < 2:
        return ""
    turned = _is_passive(ours) != _is_passive(theirs)
    return "" if same != turned else "who does it to whom is another"


def _misplaced(ours: Statement, theirs: Statement, part: Statement) -> str:
    """Numbers and actors that may belong to something else in the passage."""
    if told := _order(ours, theirs):
        return told
    for dates in (True, False):  # a year may stand before or behind what is counted
        counted = [one for one in ours.quantities if (one.unit == "date") == dates]
        places = [
            next((at for at, other in enumerate(part.quantities) if fits(one, other)), -1) for one in counted
        ]
        if places != sorted(places):
            return "its numbers stand in another order"
    if any(_is_rival(other, ours.quantities) for other in part.quantities):
        return "it has other numbers of that kind beside"
    known = {*_actors(ours), *ours.words.content}
    strangers = [one for one in _actors(part) if one not in known]
    relations = {role.partition("/")[0] for role in _actors(ours) if "/" in role}
    if relations & {role.partition("/")[0] for role in strangers if "/" in role}:
        return "it names the other side too"
    if strangers and _lies_between(part.words.bare, ours.words, strangers):
        return "it names others between"
    return "" if _is_passive(ours) != _is_passive(theirs) else _otherwise_related(ours, part)


def _is_rival(other: Quantity, claimed: Sequence[Quantity]) -> bool:
    return not any(fits(one, other) for one in claimed) and any(
        one.unit == other.unit and same_kind(one, other) for one in claimed
    )


def _lies_between(there: Sequence[str], claim: Words, strangers: Sequence[str]) -> bool:
    """Whether somebody of whom the claim says nothing is named amid its words."""
    held = [place for place, word in enumerate(there) if word in claim.content]
    inner = there[held[0] : held[-1]] if held else []
    return any(_actor(word) in strangers or word in strangers for word in inner)


def _otherwise_related(ours: Statement, theirs: Statement) -> str:
    """Sold to Beta is not bought from Beta, by 5 % is not to 5 %: the word before what is named or counted."""
    there = list(_related(theirs))
    for word, relation in _related(ours):
        others = {other for name, other in there if _stands_for(ours, theirs, word, name)}
        if others and relation not in others and relation not in _WEAK:
            return f"it does not say it with “{relation}”"
    return ""


def _related(statement: Statement) -> Iterator[tuple[str, str]]:
    """(word, the relation in which it stands), past articles."""
    relation = ""
    for word in statement.words.all:
        if word in _RELATIONS or word in _WEAK:
            relation = word
        elif word not in _DETERMINERS and word not in (
            "the",
            "a",
            "le",
            "la",
            "l",
            "les",
            "il",
            "lo",
            "i",
            "gli",
        ):
            if relation and word not in _LITTLE:
                yield word, relation
            relation = ""


def _stands_for(ours: Statement, theirs: Statement, word: str, other: str) -> bool:
    if _is_mark(word) and _is_mark(other):
        return fits(ours.numbers[ord(word) - FIRST_MARK], theirs.numbers[ord(other) - FIRST_MARK])
    return word == other
