"""What a text states right beside a citation: the date of a BGE, and the words that it quotes from what it cites."""

import re

from citations.grammar.dates import IN_BETWEEN, iso
from citations.mention import Mention
from citations.verify.support import MIN_QUOTE

BEFORE, MAX_QUOTE = 60, 2_000
_YEAR = re.compile(r"\s?\((\d{4})\)")
_DOCKET = re.compile(r"\s?\(\s?(?:Urteil\s|arrêt\s|sentenza\s)?$")
_OPENS = {"»": "«", "«": "»", "“": "„", "”": "“„", '"': '"'}
_SIGNAL = r"(?:vgl\.|siehe|cf\.|voir|v\.|cfr\.|so|aus|see)"
_LEAD = (
    r"(?:Urteil|Entscheid|arrêt|sentenza|judgment|BGer|BVGer|TF|STF|TAF|des|du|del|Bundesgerichts|Tribunal"
    r"|fédéral|federale)"
)
_CLOSING = re.compile(
    rf"([»«“”\"])(?:\s*[.,;:]?\s*\(\s*|\s*[,;:]?\s*)(?:{_SIGNAL}\s++)?(?:{_LEAD}\s++){{0,4}}$", re.IGNORECASE
)


def stated_date(text: str, mention: Mention, following: Mention | None) -> str:
    """The ISO date or the year that follows a BGE, or that of the docket in brackets behind it; else empty."""
    after = text[mention.name_end : mention.name_end + 80]
    if (found := IN_BETWEEN.match(after)) and (day := iso(found["date"])):
        return day
    if found := _YEAR.match(after):
        return found[1]
    if following and following.date and following.lead >= mention.name_end:
        between = text[mention.name_end : following.lead]
        if len(between) <= BEFORE and _DOCKET.fullmatch(between):
            return following.date
    return ""


def quoted_before(text: str, mention: Mention, floor: int) -> str:
    """The words in quotation marks that end right before a citation and begin behind ``floor``; else empty."""
    start = max(floor, mention.lead - BEFORE)
    closing = _CLOSING.search(text[start : mention.lead])
    if not closing:
        return ""
    end = start + closing.start(1)
    begins = [text.rfind(mark, max(floor, end - MAX_QUOTE), end) for mark in _OPENS[closing[1]]]
    begin = max(begins)
    words = text[begin + 1 : end] if begin >= 0 else ""
    return words.strip() if len(words.strip()) >= MIN_QUOTE else ""
