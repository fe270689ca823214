"""Abbreviations that a name states of itself: ``ADRIATICA SOCIETA' PER AZIONI IN FORMA ABBREVIATA "ADRIA S.P.A."``.

Registers of many countries keep the full name and its abbreviation in one field, with words between them that say so.
"""

import re

_SAYING_SO = (
    *("in forma abbreviata", "in breve", "in sigla", "abbreviato in", "abbreviata in", "abbreviabile in"),
    *("en abrégé", "en abrege", "par abréviation", "par abreviation", "en sigle"),
    *("abgekürzt", "abgekuerzt", "in Kurzform", "Kurzbezeichnung"),
    *("in short", "in short form", "abbreviated as", "abbreviated to", "abbreviated"),
    *("afgekort", "verkort", "in het kort"),
    *("en forma abreviada", "en abreviatura", "abreviadamente", "en siglas", "abreviado"),
    *("em forma abreviada", "em abreviatura", "em sigla", "abreviadamente"),
    *(
        "w skrócie",
        "w skrocie",
        "w formie skróconej",
        "skrót",
        "zkráceně",
        "ve zkratce",
        "skrátene",
        "v skratke",
    ),
    *(
        "rövidítve",
        "rövidített neve",
        "röviden",
        "pe scurt",
        "prescurtat",
        "skrajšano",
        "skraćeno",
        "скраћено",
    ),
    *(
        "förkortat",
        "forkortet",
        "lyhennettynä",
        "lyhennys",
        "lühendatult",
        "saīsināti",
        "sutrumpintai",
        "kısaca",
    ),
    *(
        "сокращенно",
        "сокращённо",
        "сокращенное наименование",
        "сокращённое наименование",
        "скорочено",
        "съкратено",
    ),
    *("εν συντομία", "με διακριτικό τίτλο", "δ.τ."),
)
_WORDS = "|".join(re.escape(words) for words in sorted(_SAYING_SO, key=len, reverse=True))
_STATED = re.compile(rf"[\s,;(–-](?:{_WORDS})\b[\s:,.]*", re.IGNORECASE)
_OR = re.compile(r"[\s,]+(?:o|or|ou|oder|of|u)(?:[\s,]+anche)?[\s,]*$", re.IGNORECASE)
_QUOTED = re.compile(r"^[\"“”„«‘'](.+?)[\"“”»’'](?!\w)")
_MARKS = ' \t\n,;:()"“”„«»‘’'
ABBREVIATED = "ABBREVIATED_NAME"  # the type of a name that another one states
MAX_NAME = 1_000  # a longer one is no name of a company


def stated_names(name: str) -> tuple[str, str] | None:
    """The full name and the abbreviation that a name consists of; None for one that states no abbreviation."""
    found = _STATED.search(name) if len(name) <= MAX_NAME else None
    if found is None:
        return None
    short = name[found.end() :].strip()
    quoted = _QUOTED.match(short)
    full = _OR.sub("", name[: found.start()]).strip(_MARKS)
    short = (quoted[1] if quoted else short).strip(_MARKS)
    return (full, short) if full and short else None
