"""Acts of cantons that are named in full: ``des Baugesetzes des Kantons Bern``, ``de la Constitution genevoise``."""

import re
from typing import NamedTuple

from citations.courts.leads import CANTON_NAMES
from citations.grammar.dates import DATE

_CANTON = "(?:" + "|".join(CANTON_NAMES.values()) + ")"
_OF = (
    r"(?:(?:des|im)\s++(?:Kantons?|Kt\.)|(?:du|de\s++la\s++République\s++et\s++du?)\s++canton\s++d[eu](?:\s++la|\s++l['’])?"
    r"|de\s++la\s++République\s++et\s++canton\s++d[eu]|del\s++Cantone?)\s++"
)
OF_CANTON = re.compile(rf"\s++(?:(?:vom|du|del)\s++{DATE}\s++)?(?:{_OF})?(?P<canton>{_CANTON})(?![\w-])")
"""What may follow the name of an act that a canton has as well as the Confederation."""
_NAME = re.compile(
    rf"(?:(?P<any>kantonalen|cantonale)\s++|(?P<before>{_CANTON})\s++)?"
    r"(?P<name>(?:[A-ZÄÖÜ][a-zäöüß]{2,20}-\s?(?:und\s++)?)?(?:[A-ZÄÖÜ][a-zäöüß]{2,30}?)?(?:[Gg]esetz|[Vv]erordnung|[Vv]erfassung|[Dd]ekret))(?:es|s)?(?![a-zäöüß])"
    rf"(?:\s++vom\s++{DATE})?(?:\s++{_OF}(?P<behind>{_CANTON})(?![\w-]))?"
)
_CONSTITUTION = re.compile(rf"(?:Constitution|Costituzione)\s++(?:{_OF})?(?P<behind>{_CANTON})(?![\w-])")


class Named(NamedTuple):
    """The key of the act, and where its name ends."""

    key: str
    end: int


def read_cantonal(text: str, pos: int) -> Named | None:
    """The act of a canton at ``pos``; None when no word says that it is one."""
    if found := _CONSTITUTION.match(text, pos):
        return Named(f"Cst./{canton_of(found['behind'])}", found.end())
    found = _NAME.match(text, pos)
    if not found or not (found["any"] or found["before"] or found["behind"]):
        return None
    canton, name = canton_of(found["before"] or found["behind"] or ""), " ".join(found["name"].split())
    if name in ("Gesetz", "Verordnung", "Dekret"):
        return None  # its name is a title that has no end
    if name in ("Verfassung", "Kantonsverfassung"):
        return Named("KV" + (canton and "/" + canton), found.end())
    return Named(" ".join(filter(None, (name, canton))), found.end())


def canton_of(name: str) -> str:
    """``ZH`` of ``Zürich`` or ``zürcherischen``; empty when it is no canton."""
    return next((code for code, names in CANTON_NAMES.items() if re.fullmatch(names, name)), "")
