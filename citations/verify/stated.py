"""What a text states right beside a citation: the date of a BGE."""

import re

from citations.grammar.dates import IN_BETWEEN, iso
from citations.mention import Mention

BEFORE = 60
_YEAR = re.compile(r"\s?\((\d{4})\)")
_DOCKET = re.compile(r"\s?\(\s?(?:Urteil\s|arrêt\s|sentenza\s)?$")


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
