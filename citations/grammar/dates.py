"""Dates as courts write them in German, French, Italian and English, between a docket and its pinpoint."""

import re

MONTHS: dict[str, tuple[str, ...]] = {
    "de": (
        "Januar", "Februar", "März", "April", "Mai", "Juni",
        "Juli", "August", "September", "Oktober", "November", "Dezember",
    ),
    "fr": (
        "janvier", "février", "mars", "avril", "mai", "juin",
        "juillet", "août", "septembre", "octobre", "novembre", "décembre",
    ),
    "it": (
        "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno",
        "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre",
    ),
    "en": (
        "January", "February", "March", "April", "May", "June",
        "July", "August", "September", "October", "November", "December",
    ),
}  # fmt: skip
NUMBERS = {name.lower(): number for names in MONTHS.values() for number, name in enumerate(names, 1)}
NUMBERS |= {
    "jan": 1,
    "feb": 2,
    "febr": 2,
    "aug": 8,
    "sept": 9,
    "okt": 10,
    "nov": 11,
    "dez": 12,
    "aout": 8,
    "fevrier": 2,
}
MONTH = "(?:" + "|".join(sorted(map(re.escape, NUMBERS), key=len, reverse=True)) + r")\.?"
_BROKEN = r"[A-ZÀ-Ýa-zà-ÿ]{1,8}-[ \t]*\n\s*+[a-zà-ÿ]{1,8}"
DATE = rf"(?:\d{{1,2}}(?:\s?(?:er|re|\.|°|º)\s*+|\s++)(?i:{MONTH}|{_BROKEN})\s++\d{{4}}|\d{{1,2}}\.\s?\d{{1,2}}\.\s?(?:\d{{4}}|\d\d(?!\d)))"
_PARTS = re.compile(
    rf"(\d{{1,2}})\s?(?:er|re|\.|°|º)?\s*+(?:({MONTH})|(\d{{1,2}})\.)\s*+(\d{{2,4}})", re.IGNORECASE
)
IN_BETWEEN = re.compile(
    rf"\s*+,?\s*+(?:\([^()\n]{{0,40}}\)\s*+)?(?:(?:des|du|de\s++la|del|della)\s++(?:[^\s,;.()\d]+\s){{1,6}}?(?=(?:vom|v\.|du|del|of|dated|dell['’])\s*+\d))?(?:(?:Urteil|Entscheid|arrêt|sentenza|decisione)\s++)?(?:vom|v\.|von|du|de|del|dell['’]|dated|of|ergangen am)?\s*+(?P<date>{DATE})"
)

DATE_BEFORE = re.compile(rf"(?:,|vom|v\.|du|del|dell['’])\s*+(?P<date>{DATE})\s*+,?\s*+[(\[]?$")
"""``VGr, 3. Mai 2023, VB.2021.00456``: the date in front of its docket."""


def iso(date: str) -> str | None:
    """``3. Mai 2023``, ``1er juillet 2019``, ``19.04.2023`` as ISO 8601; None when it is no date."""
    found = _PARTS.search(re.sub(r"-[ \t]*\n\s*+", "", date))
    if not found:
        return None
    day, word, number, year = found.groups()
    month = NUMBERS.get(word.lower().rstrip("."), 0) if word else int(number)
    if len(year) == 2:
        year = ("20" if int(year) < 50 else "19") + year
    if not (1 <= month <= 12 and 1 <= int(day) <= 31):
        return None
    return f"{int(year):04d}-{month:02d}-{int(day):02d}"


def written(date: str, language: str) -> str:
    """An ISO date in words: ``15. März 2022``, ``1er juillet 2019``, ``15 marzo 2022``, ``15 March 2022``."""
    year, month, day = (int(part) for part in date.split("-"))
    name = MONTHS[language][month - 1]
    if language == "de":
        return f"{day}. {name} {year}"
    if language == "fr" and day == 1:
        return f"1er {name} {year}"
    if language == "it" and day == 1:
        return f"1° {name} {year}"
    return f"{day} {name} {year}"
