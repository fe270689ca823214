"""Law of the European Union: acts by their number (``Verordnung (EU) 2016/679``), and the abbreviations of its acts and treaties.

It is foreign law: read, named in one form in all languages, and held against no list of the Confederation.
"""

import re
from typing import NamedTuple

from citations.mention import LANGUAGES, Language

ACTS: tuple[
    tuple[str, str, str, str, str], ...
] = (  # German, French, Italian, English, and what else is written
    ("DSGVO", "RGPD", "RGPD", "GDPR", "DS-GVO EU-DSGVO EU-DS-GVO DSG-VO"),
    ("AEUV", "TFUE", "TFUE", "TFEU", ""),
    ("EUV", "TUE", "TUE", "TEU", ""),
    ("EGV", "TCE", "TCE", "TEC", "EG-Vertrag"),
    ("GRCh", "CDFUE", "CDFUE", "CFREU", "GRC EU-GRCh EUGRCh"),
    ("EuGVVO", "EuGVVO", "EuGVVO", "EuGVVO", "EuGVO EUGVVO Brüssel-Ia-VO"),
    ("EuInsVO", "EuInsVO", "EuInsVO", "EuInsVO", ""),
    ("MiCAR", "MiCA", "MiCAR", "MiCAR", ""),
    ("MiFID II", "MiFID II", "MiFID II", "MiFID II", "MiFID"),
    ("MiFIR", "MiFIR", "MiFIR", "MiFIR", ""),
    ("DORA", "DORA", "DORA", "DORA", ""),
    ("CRR", "CRR", "CRR", "CRR", ""),
    ("EMIR", "EMIR", "EMIR", "EMIR", ""),
    ("eIDAS-VO", "eIDAS", "eIDAS", "eIDAS", ""),
    ("KI-VO", "RIA", "AI Act", "AI Act", "AIA"),
)
_KEYS = {code: names[0] for names in ACTS for code in (*names[:4], *names[4].split())}
_CODE = re.compile(
    "(?:" + "|".join(map(re.escape, sorted(_KEYS, key=len, reverse=True))) + r")(?![\wäöü]|-[A-Za-z])"
)
_UNION = {
    **dict.fromkeys(("EU", "UE"), "EU"),
    **dict.fromkeys(("EG", "CE", "EC"), "EG"),
    **dict.fromkeys(("EWG", "CEE", "EEC"), "EWG"),
    **dict.fromkeys(("GASP", "PESC", "CFSP"), "GASP"),
    "Euratom": "Euratom",
}
UNION = "(?:" + "|".join(sorted(_UNION, key=len, reverse=True)) + ")"
_WORDS = {
    "Verordnung": r"(?:[A-ZÄÖÜ][a-zäöü]{2,30}s?)?[Vv]erordnung|VO|[Rr]èglement|REGLEMENT|[Rr]egolamento|[Rr]egulation",
    "Richtlinie": r"(?:[A-ZÄÖÜ][a-zäöü]{2,30}s?)?[Rr]ichtlinie|RL|[Dd]irective|[Dd]irettiva",
    "Beschluss": r"(?:[A-ZÄÖÜ][a-zäöü]{2,30}s?)?(?:[Bb]eschluss(?:es)?|[Ee]ntscheidung)|[Dd]écision|[Dd]ecisione|[Dd]ecision",
}
_ACT = re.compile(
    r"(?<![\wÄÖÜäöüéè-])(?:" + "|".join(f"(?P<{kind}>{written})" for kind, written in _WORDS.items()) + r")"
    r"(?:\s++(?:d['’]exécution|déléguée?|di\s++esecuzione|delegat[oa]|Nr\.))?"
    rf"(?:\s*+\((?P<of>{UNION})(?:,\s?Euratom)?\))?\s*+(?:(?:Nr|[Nn]o|[Nn]°|[Nn]º|[Nn])\.?\s?)?"
    rf"(?P<first>\d{{1,4}})/(?P<second>\d{{1,4}})(?:/(?P<behind>{UNION}))?(?![\w/]|\.\d)"
)
_LONGEST = 75


class Named(NamedTuple):
    """The canonical name of an act, and where it stands."""

    key: str
    start: int
    end: int


def code_at(text: str, pos: int) -> Named | None:
    """``DSGVO``, ``RGPD`` and ``GDPR`` are one."""
    found = _CODE.match(text, pos)
    return Named(_KEYS[found[0]], pos, found.end()) if found else None


def act_at(text: str, pos: int) -> Named | None:
    """``Verordnung (EU) 2016/679``, ``directive 95/46/CE`` at ``pos``."""
    found = _ACT.match(text, pos)
    if not found or not (found["of"] or found["behind"]):
        return None
    first, second = found["first"], found["second"]
    kind = next(name for name in _WORDS if found[name])
    if found["behind"]:
        return Named(f"{kind} {first}/{second}/{_UNION[found['behind']]}", pos, found.end())
    by_year = len(first) == 4 and int(first) >= 2015  # since then the year comes first, and there is no Nr.
    return Named(
        f"{kind} ({_UNION[found['of']]}) {'' if by_year else 'Nr. '}{first}/{second}", pos, found.end()
    )


def act_around(text: str, at: int, floor: int) -> Named | None:
    """The act whose number is at ``at``: its word stands in front, and no mention behind ``floor`` has claimed it."""
    begin = max(floor, at - _LONGEST)
    words = [found.start() for found in _ACT_WORD.finditer(text, begin, at)]
    named = act_at(text, words[-1]) if words else None
    return named if named and named.end > at else None


_ACT_WORD = re.compile(r"(?<![\wÄÖÜäöüéè-])(?:" + "|".join(_WORDS.values()) + ")(?!\\w)")


_NAMES = {
    "Verordnung": ("Verordnung", "règlement", "regolamento", "Regulation"),
    "Richtlinie": ("Richtlinie", "directive", "direttiva", "Directive"),
    "Beschluss": ("Beschluss", "décision", "decisione", "Decision"),
    "EU": ("EU", "UE", "UE", "EU"),
    "EG": ("EG", "CE", "CE", "EC"),
    "EWG": ("EWG", "CEE", "CEE", "EEC"),
    "GASP": ("GASP", "PESC", "PESC", "CFSP"),
    "Nr": ("Nr", "n", "n", "No"),
    **{names[0]: names[:4] for names in ACTS},
}
_NUMBERED = re.compile(r"(?:Verordnung|Richtlinie|Beschluss) [(\d]")
_NAME = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(_NAMES, key=len, reverse=True)))


def written(key: str, language: Language) -> str:
    """A canonical name in a language: ``règlement (UE) 2016/679``, ``RGPD``; another name as it is."""
    if key not in _KEYS and not _NUMBERED.match(key):
        return key
    return _NAME.sub(lambda found: _NAMES[found[0]][LANGUAGES.index(language)], key)


_OF = {
    "règlement": "du ",
    "directive": "de la ",
    "décision": "de la ",
    "regolamento": "del ",
    "direttiva": "della ",
    "decisione": "della ",
}


def of_act(key: str, language: Language) -> str:
    """A name as it follows an article: ``art. 5 du règlement (UE) 2016/679``, ``art. 6 RGPD``."""
    name = written(key, language)
    return _OF.get(name.partition(" ")[0], "") + name
