"""Does a passage say what a claim says? Rules, as a veto: they know words, not meanings.

``said`` only when every word of the claim stands in the passage and nothing turns it round or limits it: numbers with
what they count, dates, denials, opposites, who does it to whom, must and may, all and some, conditions, hearsay. What
the rules cannot tell is ``open``; ``lacking`` is a number or date that the passage does not have.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from common.opposites import (
    CONDITION,
    EXCLUDE_EACH_OTHER,
    LIMITING,
    NEEDED,
    SAID_BY_SOMEBODY,
    UNLESS,
    cancelled,
    not_done,
)
from common.quantities import Quantity, fits, same_kind
from common.roles import misplaced, order
from common.statements import Statement, Words

Says: TypeAlias = Literal["said", "otherwise", "lacking", "open"]
Matches: TypeAlias = dict[str, tuple[str, bool]]
"""Word of the claim → word of the passage, and whether it is the opposite."""

HALF, MOSTLY = 0.5, 0.65  # of the claim's words: below that a passage is about something else


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
    turned = _turned(ours.words, part.words, flips + len(undone)) or ("" if missing else order(ours, theirs))
    if told := (numbers if held >= HALF else "") or (turned if held >= MOSTLY else ""):
        return "otherwise", told, []
    if gone:
        return "lacking", f"it does not say {gone}", []
    if why := _limited(ours, theirs, part.words) or misplaced(ours, theirs, part):
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
    """What the passage says under a condition, of some, as possible, or as somebody's word, and the claim
    does not."""
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
