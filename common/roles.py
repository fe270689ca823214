"""Who does it to whom, and in which relation: what the order of words and the small words between them tell."""

import re
from collections.abc import Sequence

from common.opposites import matters_of, role_of
from common.quantities import FIRST_MARK, Quantity, fits, same_kind
from common.relations import WEAK, governed, is_another_case, related, taking_part, tells_its_part
from common.statements import DETERMINERS, LITTLE, TOKEN, Statement, Words, folded_text, is_mark

_BY = re.compile(r"\b(?:by|von|vom|durch|par|da|dal|dallo|dalla|dai)\b(?!\s*[\ue000-\uf8ff])")
_CAPITALISED = re.compile(r"\b[A-ZÄÖÜ]\w+")
_BE_DONE = re.compile(
    r"\b(?:was|were|is|are|been|being|wird|werden|wurde|wurden|worden|est|sont|ete|fut|furent|etait|e|sono"
    r"|era|viene|venne|stat[oaie])\b"
)


def _actors(statement: Statement) -> dict[str, tuple[str, bool]]:
    """Names and roles in the order of the text, each as what it stands for, with what tells its part in it."""
    named, found = set(statement.names), dict[str, tuple[str, bool]]()
    for word, before, first in governed(statement.words.bare):
        actor = _actor(word) or (word if word in named and word not in LITTLE else "")
        if actor:
            found.setdefault(actor, (before, first))
    return found


def _actor(word: str) -> str:
    """The role that a word names, or an empty text."""
    return role_of(matters_of(word))


def _is_passive(statement: Statement) -> bool:
    return bool(_BY.search(statement.text) and _BE_DONE.search(statement.text))


def order(ours: Statement, theirs: Statement) -> str:
    """Who does it to whom, where only the order of the words tells."""
    mine, yours = _actors(ours), _actors(theirs)
    shared = [one for one in mine if one in yours and not _has_same_part(mine[one], yours[one])]
    same = shared == [one for one in yours if one in shared]
    if len(shared) < 2:
        return ""
    turned = _is_passive(ours) != _is_passive(theirs)
    return "" if same != turned else "who does it to whom is another"


def _has_same_part(mine: tuple[str, bool], yours: tuple[str, bool]) -> bool:
    return tells_its_part(mine[0], yours[0], opens=mine[1] or yours[1])


def _moved(ours: Statement, theirs: Statement) -> str:
    """Nouns with articles, most of them neither names nor roles, that have another case or another place."""
    nouns = set(TOKEN.findall(folded_text(" ".join(_CAPITALISED.findall(ours.original)))))
    turned = bool(_BE_DONE.search(ours.text)) != bool(_BE_DONE.search(theirs.text))
    other_case = is_another_case(ours.words.all, theirs.words.all, nouns, turned=turned)
    mine, yours = (taking_part(one.words.all, passive=_is_passive(one)) for one in (ours, theirs))
    other_order = [one for one in mine if one in yours] != [one for one in yours if one in mine]
    return "who does it to whom may be another" if other_case or other_order else ""


def misplaced(ours: Statement, theirs: Statement, part: Statement) -> str:
    """Numbers and actors that may belong to something else in the passage."""
    if told := order(ours, theirs) or _moved(ours, part):
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
    there = list(related(theirs.words.all, DETERMINERS))
    for word, relation in related(ours.words.all, DETERMINERS):
        if word in LITTLE:
            continue
        others = {other for name, other in there if _stands_for(ours, theirs, word, name)}
        if others and relation not in others and relation not in WEAK:
            return f"it does not say it with “{relation}”"
    return ""


def _stands_for(ours: Statement, theirs: Statement, word: str, other: str) -> bool:
    if is_mark(word) and is_mark(other):
        return fits(ours.numbers[ord(word) - FIRST_MARK], theirs.numbers[ord(other) - FIRST_MARK])
    return word == other
