"""Countries as lists write them."""

import re

from entities.gleif.jurisdictions import jurisdiction_code

_LONG = {
    "iran (islamic republic of)": "IR",
    "islamic republic of iran": "IR",
    "democratic people's republic of korea": "KP",
    "democratic peoples republic of korea": "KP",
    "korea, north": "KP",
    "korea, south": "KR",
    "republic of korea": "KR",
    "syrian arab republic": "SY",
    "democratic republic of the congo": "CD",
    "congo, democratic republic of the": "CD",
    "congo (democratic republic)": "CD",
    "venezuela (bolivarian republic of)": "VE",
    "bolivia (plurinational state of)": "BO",
    "united republic of tanzania": "TZ",
    "lao people's democratic republic": "LA",
    "libyan arab jamahiriya": "LY",
    "state of libya": "LY",
    "republic of moldova": "MD",
    "burma": "MM",
    "west bank": "PS",
    "palestinian": "PS",
    "region: gaza": "PS",
    "occupied palestinian territories": "PS",
    "united kingdom of great britain and northern ireland": "GB",
    "hong kong, china": "HK",
    "macau, china": "MO",
    "crimea": "UA",
    "the gambia": "GM",
    "cote d ivoire": "CI",
    "cote d'ivoire": "CI",
}
_NUMBERED = re.compile(r"\(\d+\)\s*")


def country(text: str | None) -> str:
    """The code (ISO 3166-1, two letters) of a country by its code or name; "" when it is not known."""
    plain = _NUMBERED.sub("", " ".join((text or "").split())).strip(" .,;")
    if not plain:
        return ""
    return (_LONG.get(plain.casefold()) or jurisdiction_code(plain) or "")[:2]


def countries(text: str | None) -> list[str]:
    """The codes of several countries in one cell: "(1) Russia (2) Ukraine"."""
    parts = _NUMBERED.split(text or "") if "(1)" in (text or "") else (text or "").split("/")
    return [code for part in parts if (code := country(part))]
