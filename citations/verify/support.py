"""Does the cited decision say it? Its considerations, a change of practice that it speaks of, and quotes from it."""

import re
from collections.abc import Sequence
from typing import Any

from citations.structure import Decision, is_within
from citations.verify.judgement import Finding
from common.passages import Passage, Searched, differing_numbers

MAX_CONSIDERATIONS = 800
CUT_NEAR = 99_000  # the source cuts texts near 100,000 characters
AROUND = 120
MAX_PLACES = 5  # of the same words in one decision
_NUMBER = r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,5})"
_BLANK = r"[ \t\xa0]"
_HEADING = re.compile(
    rf"^{_BLANK}*{_NUMBER}\.?-?(?:{_BLANK}*$|{_BLANK}+(?=[^\s\d])|(?=[A-ZÄÖÜÀ-Ý]))", re.MULTILINE
)
_RUN_ON = re.compile(  # a text without line breaks: behind a sentence, and never a plain number
    r"(?<=[a-zäöüéèàç]{3}[.!?)])\s+(?P<number>\d{1,2}(?:\.\d{1,2}){1,5})\.?\s+(?=[A-ZÄÖÜÀ-Ý])"
)
_PIN = re.compile(r"E\. (?P<number>\d{1,2}(?:\.\d{1,2})*)")
_PRACTICE = re.compile(
    r"(?:Praxisänderung|Änderung der (?:bisherigen )?(?:Praxis|Rechtsprechung)|Rechtsprechungsänderung"
    r"|changement de (?:la )?(?:jurisprudence|pratique)|revirement de jurisprudence"
    r"|cambiamento (?:di|della) (?:giurisprudenza|prassi)|modifica della giurisprudenza)",
    re.IGNORECASE,
)
_PARTS = {"opening": "what stands before the reasons", "facts": "the facts", "ruling": "the ruling"}
_TOLD = {
    "party": "it tells what a party submits, not what the court holds",
    "lower": "it tells what a lower court said, not what the court holds",
    "facts": "in its facts, not in what the court holds",
}


def contents(text: str, abstract: str) -> dict[str, Any]:
    """What is remembered of a decision's text: its considerations, whether it was cut, talk of a change of practice."""
    headings = [found["number"] for each in (_HEADING, _RUN_ON) for found in each.finditer(text)]
    numbers = dict.fromkeys(headings)
    change = _passage(abstract) or _passage(text)
    return {
        "considerations": sorted(numbers, key=_order)[:MAX_CONSIDERATIONS],
        "cut": len(text) >= CUT_NEAR or len(numbers) > MAX_CONSIDERATIONS,
        "has_text": bool(text.strip()),
        **({"practice": change} if change else {}),
    }


def _order(number: str) -> list[int]:
    return [int(part) for part in number.split(".")]


def _passage(text: str) -> str:
    found = _PRACTICE.search(text)
    if not found:
        return ""
    return " ".join(text[max(0, found.start() - AROUND) : found.end() + AROUND].split())


def pinpoints(cited: Sequence[str], decisions: Sequence[dict[str, Any]]) -> Finding | None:
    """Whether the considerations that are cited are there; a letter (``E. 4c``) is held to its number."""
    wanted = [found["number"] for pin in cited if (found := _PIN.match(pin))]
    readable = [one for one in decisions if one.get("has_text")]
    if not wanted or not readable:
        return None
    there = {number for one in readable for number in one["considerations"]}
    missing = [number for number in wanted if not _stands(number, there)]
    if not missing:
        message = "The decision has the consideration that is cited."
        return Finding("pinpoint", "pass", message, {"considerations": wanted})
    evidence = {"missing": missing, "last": max(there, key=_order) if there else ""}
    if not there or any(one["cut"] for one in readable):
        message = f"E. {missing[0]} is not in the part of the text that the source gives."
        return Finding("pinpoint", "unknown", message, evidence)
    message = f"The text that the source gives of the decision has no consideration {missing[0]}."
    return Finding("pinpoint", "warn", message, evidence)


def _stands(number: str, there: set[str]) -> bool:
    return number in there or any(other.startswith(number + ".") for other in there)


def practice(decisions: Sequence[dict[str, Any]]) -> Finding | None:
    """A decision that speaks of a change of practice: is it cited for the new one, or for the one that it gave up?"""
    passage = next((one["practice"] for one in decisions if one.get("practice")), "")
    if not passage:
        return None
    message = "The decision speaks of a change of practice: see whether it is cited for what holds now."
    return Finding("practice", "warn", message, {"passage": passage})


def quote(words: str, text: str, *, cut: bool, pins: Sequence[str] = ()) -> Finding:
    """Whether the words stand in the text of the decision, however they were set, and where ``pins`` say so."""
    evidence: dict[str, Any] = {"quote": words[:300]}
    if not text.strip():
        return not_read(words, "The source gives no text of the decision.")
    searched = Searched(text)
    passage = searched.find(words)
    if passage is None:
        if cut:
            return not_read(words, "The quote is not in the part of the text that the source gives.")
        return Finding("quote", "fail", "The decision does not contain this quote.", evidence)
    there = text[passage.start : passage.end]
    evidence |= {"passage": there[:600], "score": passage.score}
    if passage.how == "changed":
        ours, theirs = differing_numbers(words, there)
        differs = f": {', '.join(ours)} instead of {', '.join(theirs)}" if ours and theirs else ""
        return Finding("quote", "fail", f"The decision says it otherwise{differs}.", evidence)
    if passage.how == "similar":
        message = f"Only something like it stands in the decision ({passage.score:.0%} alike)."
        return Finding("quote", "warn", message, evidence)
    return _placed(words, searched, passage, pins, evidence)


def not_read(words: str, why: str = "The text was not read for this quote.") -> Finding:
    """Of what nobody has read nothing is known."""
    return Finding("quote", "unknown", why, {"quote": words[:300]})


def _placed(
    words: str, searched: Searched, passage: Passage, pins: Sequence[str], evidence: dict[str, Any]
) -> Finding:
    """A quote that stands there passes, unless it is given for another place, or is not what the court says."""
    decision = Decision(searched.text)
    places = [passage.start]
    while len(places) < MAX_PLACES and (again := searched.find_exact(words, places[-1] + 1)):
        places.append(again.start)
    wanted = [found["number"] for pin in pins if (found := _PIN.match(pin))]
    follows = any(pin.endswith(("f.", "ff.", "f", "ff")) for pin in pins)
    if wanted and decision.considerations and not follows:
        there = list(dict.fromkeys(decision.consideration(place) for place in places))
        evidence |= {"considerations": there}
        if not any(is_within(number, cited) for number in there for cited in wanted):
            where = f"E. {there[0]}" if there[0] else _PARTS.get(decision.part(places[0]), "another place")
            message = f"The quote stands in {where} of the decision, not in E. {', E. '.join(wanted)}."
            return Finding("quote", "warn", message, evidence)
    voices = [decision.voice(place) for place in places]
    if told := next((_TOLD[one] for one in voices if one in _TOLD), "") if "court" not in voices else "":
        return Finding("quote", "warn", f"The quote stands in the decision, but {told}.", evidence)
    return Finding("quote", "pass", "The quote stands in the decision.", evidence)
