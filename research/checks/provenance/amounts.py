"""Numbers and dates as people write them in English, German, French and Italian.

What can be read in two ways is read in both: 1.234 is a thousand and something in Rome and one and something in London.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from decimal import Decimal, InvalidOperation

MAX_DIGITS = 30
_SCALES = {
    **dict.fromkeys(("thousand", "tausend", "mille", "mila", "tsd", "k"), 3),
    **dict.fromkeys(("million", "millions", "millionen", "milione", "milioni", "mio", "mln", "mn", "m"), 6),
    **dict.fromkeys(
        ("billion", "billions", "milliarde", "milliarden", "milliard", "milliards", "miliardo", "miliardi"), 9
    ),
    **dict.fromkeys(("mrd", "mia", "md", "bn", "b"), 9),
    **dict.fromkeys(("trillion", "trillions", "billionen", "bio"), 12),
}
_MONTHS = (
    "january januar jänner janvier gennaio jan janv gen",
    "february februar feber février fevrier febbraio feb févr fevr febb",
    "march märz maerz mars marzo mar mär mrz",
    "april avril aprile apr avr",
    "may mai maggio mag",
    "june juni juin giugno jun giu",
    "july juli juillet luglio jul juil lug",
    "august août aout agosto aug ago",
    "september septembre settembre sep sept set sett",
    "october oktober octobre ottobre oct okt ott",
    "november novembre nov",
    "december dezember décembre decembre dicembre dec dez déc dic",
)
_MONTH = {word: number for number, words in enumerate(_MONTHS, start=1) for word in words.split()}
_NAMES = "|".join(sorted(_MONTH, key=len, reverse=True))
_NUMBER = re.compile(
    r"(?<![\w.,])[-−]?(?P<digits>\d+(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,]\d+)?)(?![\w])"
    r"(?:[\s\u00a0\u202f]*(?P<scale>[^\W\d_]+))?",
)
_GLUED = re.compile(r"(?<![\w.,])(?P<digits>\d+(?:[.,]\d+)?)(?P<scale>k|m|mn|bn|b|mio|mrd)\b", re.IGNORECASE)
_DATES = (
    re.compile(r"(?<!\d)(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
    re.compile(r"(?<!\d)(?P<d>\d{1,2})[./-]\s?(?P<m>\d{1,2})[./-]\s?(?P<y>\d{4})(?!\d)"),
    re.compile(r"(?<!\d)(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})(?!\d)"),
    re.compile(
        rf"(?<!\d)(?P<d>\d{{1,2}})(?:\.|st|nd|rd|th|er|°|º)?\s+(?:of\s+|de\s+)?(?P<w>{_NAMES})\b\.?,?\s+(?P<y>\d{{4}})",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?P<w>{_NAMES})\b\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})", re.IGNORECASE
    ),
)
_AMOUNT = re.compile(
    r"(?:[A-Z]{3}|[€$£¥]|US\$)?\s*[-−]?\d[\d.,'’\s]*(?:\s?[^\W\d_]{1,12}\.?)?\s*(?:%|[A-Z]{3}|[€$£¥])?"
)


def dates_in(text: str) -> Iterator[date]:
    """Every full date; what may be the 3rd of April or the 4th of March is both."""
    for pattern in _DATES:
        for found in pattern.finditer(text):
            parts = found.groupdict()
            month = _MONTH[parts["w"].lower()] if parts.get("w") else int(parts["m"])
            with suppress(ValueError):
                yield date(int(parts["y"]), month, int(parts["d"]))


def is_date(text: str) -> bool:
    """Whether a text is one date and nothing else, but for a time of the day."""
    plain = text.strip()
    return any(
        (found := pattern.match(plain)) is not None
        and re.fullmatch(r"(?:[T ][\d:.+Z-]*)?", plain[found.end() :]) is not None
        for pattern in _DATES
    )


def numbers_in(text: str) -> Iterator[Decimal]:
    """Every number in each of its readings, a scale word behind it reckoned in and left out."""
    for pattern in (_NUMBER, _GLUED):
        for found in pattern.finditer(text):
            exponent = _SCALES.get((found["scale"] or "").lower().rstrip("."), 0)
            for reading in readings(found["digits"]):
                yield reading
                if exponent:
                    yield reading.scaleb(exponent)


def is_amount(text: str) -> bool:
    """Whether a text is one number with at most a currency, a scale and a per cent sign."""
    return len(text) <= 40 and _AMOUNT.fullmatch(text.strip()) is not None


def amount_of(text: str) -> list[Decimal]:
    """What such a text may amount to: with its scale where it has one."""
    found = list(numbers_in(text))
    scaled = [number for number in found if number not in set(readings(_digits(text)))]
    return scaled or found


def readings(digits: str) -> Iterator[Decimal]:
    """The values that digits with points, commas and blanks may have."""
    bare = re.sub(r"['’\s]", "", digits)[:MAX_DIGITS]
    forms = {bare.replace(",", ""), bare.replace(".", "").replace(",", ".")}
    for form in sorted(forms):
        with suppress(InvalidOperation):
            yield Decimal(form)


def _digits(text: str) -> str:
    found = _NUMBER.search(text) or _GLUED.search(text)
    return found["digits"] if found else ""
