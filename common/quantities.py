"""Numbers and dates in a text, with what they count: 18.6 million euros, 30 days, 3 May 2019."""

import re
from dataclasses import dataclass
from typing import TypeAlias

from common import number_words

Day: TypeAlias = "tuple[int, int, int]"  # 0 where it is not said

_MONTHS = {
    name: number
    for number, names in enumerate(
        [
            "january januar janvier gennaio jan",
            "february februar fevrier febbraio feb",
            "march maerz mars marzo mar",
            "april avril aprile apr\n        ",
            "may mai maggio",
            "june juni juin giugno jun",
            "july juli juillet luglio jul",
            "august aout agosto aug",
            "september septembre settembre sep sept\n        ",
            "october oktober octobre ottobre oct okt",
            "november novembre nov",
            "december dezember decembre dicembre dec dez",
        ],
        start=1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"(?<![\w.])(?:(?P<y1>\d{{4}})-(?P<m1>\d\d)-(?P<d1>\d\d)"
    rf"|(?P<d2>\d{{1,2}})[./]\s?(?P<m2>\d{{1,2}})[./]\s?(?P<y2>\d{{4}})"
    rf"|(?:(?P<d3>\d{{1,2}})(?:\.|st|nd|rd|th|er|o|º)?\s+(?:of\s+|de\s+"
    rf"|di\s+)?)?(?P<m3>{_MONTH})\.?,?\s+(?P<y3>\d{{4}})"
    rf"|(?P<m4>{_MONTH})\.?\s+(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<y4>\d{{4}}))?"
    rf"|(?P<d5>\d{{1,2}})(?:\.|st|nd|rd|th|er)?\s+(?:of\s+|de\s+|di\s+)?(?P<m5>{_MONTH}))(?![\w])"
)
_POWERS = {
    2: "hundred hundert",
    3: "thousand tausend mille mila k",
    6: "million millions millionen mio milione milioni mn m",
    9: "billion billions bn milliarde milliarden mrd milliard milliards miliardo miliardi",
    12: "trillion billionen",
}
_SCALES = {word: 10**power for power, words in _POWERS.items() for word in words.split()}
_UNIT_WORDS = {
    "eur": "eur euro euros €",
    "usd": "usd dollar dollars $ us-dollar",
    "chf": "chf fr franken francs franc franchi franco sfr",
    "gbp": "gbp pound pounds £ pfund",
    "jpy": "jpy yen ¥",
    "%": "% percent prozent pourcent percento pct",
    "bp": "bp bps basispunkte",
    "year": "year years jahr jahre jahren an ans annee annees anno anni",
    "month": "month months monat monate monaten mois mese mesi",
    "week": "week weeks woche wochen semaine semaines settimana settimane",
    "day": "day days tag tage tagen jour jours giorno giorni",
    "hour": "hour hours stunde stunden heure heures ora ore",
    "minute": "minute minutes minuten minuto minuti",
    "km": "km kilometer kilometers kilometre kilometres kilometri chilometri",
    "mile": "mile miles meile meilen",
    "metre": "metre metres meter meters metri",
    "kg": "kg kilogram kilograms kilogramm kilo kilos",
    "tonne": "tonne tonnes ton tons tonnen tonnellate",
    "litre": "litre litres liter litri",
    "ha": "hectare hectares hektar hektaren ettari",
    "m2": "m2 quadratmeter",
    "watt": "w watt watts",
    "kw": "kw kilowatt",
    "mw": "mw megawatt megawatts",
    "gw": "gw gigawatt gigawatts",
}
_UNITS = {word: unit for unit, words in _UNIT_WORDS.items() for word in words.split()}
_MONEY = frozenset(("eur", "usd", "chf", "gbp", "jpy"))
# also "be", a month, "per cent", "attention", "new", to seize
_AMBIGUOUS = frozenset(("sei", "sept", "cent", "acht", "neuf", "elf", "six", "seize"))
_MORE = {"twice": 2, "doppelt": 2, "cent": 100, "cento": 100}
_FIGURE = r"\d+(?:[.,' \xa0]\d{3}(?!\d))*(?:[.,]\d+)?"
_COUNT = re.compile(
    rf"(?P<before>(?<!\w)(?:eur|usd|chf|gbp|fr\.?|sfr"
    rf"|[€$£¥])\s?)?(?<![\w])(?:(?P<figure>(?<![\d.,]){_FIGURE})|(?P<word>(?:{number_words.PATTERN}|{'|'.join(_MORE)})(?!\w)))"
    r"(?!\d)(?:\.[-–]+|\.--)?"
    rf"(?:\s?(?P<scale>{'|'.join(sorted(_SCALES, key=len, reverse=True))})(?![\w])\.?"
    r"(?:\sd[ei](?=\s))?)?"
    r"(?:\s?(?P<unit>per\s?cent|pour\s?cent|per\s?cento|basis points|points de base|[€$£¥%]|(?:us-)?[a-z]+2?))?"
)
_PARTS: dict[str, float | None] = {
    **dict.fromkeys(["third", "thirds", "drittel", "tiers", "terzo", "terzi"], None),
    **dict.fromkeys(["quarter", "quarters", "viertel", "quart", "quarts", "quarto", "quarti"], 25.0),
    **dict.fromkeys(["fifth", "fifths", "fuenftel", "cinquieme", "cinquiemes", "quinto", "quinti"], 20.0),
    **dict.fromkeys(["tenth", "tenths", "zehntel", "dixieme", "dixiemes", "decimo", "decimi"], 10.0),
}
"""Per cent of a part of a whole; a third has no exact one, and has a unit of its own."""
_FRACTION = re.compile(rf"(?<!\w)(?P<count>{number_words.PATTERN})[ -]?(?P<part>{'|'.join(_PARTS)})(?!\w)")


@dataclass(frozen=True)
class Quantity:
    """``unit`` is empty where nothing known is counted, "date" for a ``day``, "year" for a year that is a"
    " date."""

    written: str
    value: float = 0.0
    unit: str = ""
    day: Day = (0, 0, 0)


FIRST_MARK = 0xE000  # what stands in the text for the first number: a character that no text has
MOST = 4_000


def quantities(folded: str) -> tuple[str, list[Quantity]]:
    """The folded text with a mark in place of each number and date, ``chr(FIRST_MARK + n)``, and these."""
    found: list[Quantity] = []

    def marked(one: Quantity, rest: str) -> str:
        found.append(one)
        return f" {chr(FIRST_MARK + len(found) - 1)} {rest}"

    def date(match: re.Match[str]) -> str:
        parts = {name[0]: value for name, value in match.groupdict().items() if value}
        month = parts["m"]
        day = (int(parts.get("y", 0)), _MONTHS.get(month) or int(month), int(parts.get("d", 0)))
        return marked(Quantity(match[0].strip(), unit="date", day=day), "") if len(found) < MOST else match[0]

    def count(match: re.Match[str]) -> str:
        one, taken = _counted(match)
        return marked(one, match[0][taken:]) if one and len(found) < MOST else match[0]

    def fraction(match: re.Match[str]) -> str:
        percent, many = _PARTS[match["part"]], number_words.value_of(match["count"])
        one = Quantity(match[0], many * percent, "%") if percent else Quantity(match[0], many, "third")
        return marked(one, "") if len(found) < MOST else match[0]

    return _COUNT.sub(count, _FRACTION.sub(fraction, _DATE.sub(date, folded))), found


def _counted(match: re.Match[str]) -> tuple[Quantity | None, int]:
    """A number with its unit, and how many characters it takes; a word that is no number here is none."""
    word, unit = match["word"], (match["unit"] or "")
    known = _UNITS.get(unit) or ("%" if "cent" in unit.replace(" ", "") and unit[:1] == "p" else "")
    known = known or ("bp" if unit in ("basis points", "points de base") else "")
    if word and (word in _AMBIGUOUS and not known):
        return None, 0
    end = (
        match.end("unit")
        if known
        else match.end("scale")
        if match["scale"]
        else match.end("word" if word else "figure")
    )
    before = _UNITS.get((match["before"] or "").strip(" ."), "")
    value = (_spoken(word) if word else _value(match["figure"])) * _SCALES.get(match["scale"] or "", 1)
    if not (before or known or match["scale"] or word) and re.fullmatch(
        r"1[5-9]\d\d|20\d\d", match["figure"]
    ):
        return Quantity(match["figure"], unit="date", day=(int(match["figure"]), 0, 0)), end - match.start()
    return Quantity(match[0][: end - match.start()].strip(), value, before or known), end - match.start()


def _spoken(word: str) -> int:
    return _MORE.get(word) or number_words.value_of(word)


def _value(figure: str) -> float:
    """What digits amount to, however they are grouped."""
    digits = re.sub(r"[' \xa0]", "", figure)
    marks = re.findall(r"[.,]", digits)
    if marks:
        whole, _, tail = digits.rpartition(marks[-1])
        grouped = len(tail) == 3 and len(set(marks)) == 1 and not whole.startswith("0")
        digits = re.sub(r"[.,]", "", whole) + ("" if grouped else ".") + tail
    return float(digits)


def fits(claim: Quantity, other: Quantity) -> bool:
    """Whether the other is what the claim says: as exact, or more so."""
    if claim.unit == "date" or other.unit == "date":
        if claim.unit != other.unit:
            return False
        return all(mine in (0, yours) for mine, yours in zip(claim.day, other.day, strict=True))
    same_unit = claim.unit == other.unit or (not claim.unit and other.unit in ("", *_MONEY)) or not other.unit
    return same_unit and abs(claim.value - other.value) <= 1e-9 * max(1.0, abs(other.value))


def same_kind(claim: Quantity, other: Quantity) -> bool:
    """Whether the other could stand in the place of the claim's."""
    if claim.unit == "date" or other.unit == "date":
        return claim.unit == other.unit and all(
            bool(b) or not a for a, b in zip(claim.day, other.day, strict=True)
        )
    return claim.unit == other.unit or claim.value == other.value or not (claim.unit and other.unit)
