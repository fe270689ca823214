"""Numbers and dates as people write them in English, German, French and Italian.

What can be read in two ways is read in both: 1.234 is a thousand and something in Rome and one and something in London.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from decimal import Decimal, InvalidOperation

from common.number_words import TENS, UNITS

MAX_DIGITS = 30
APART = 120  # maximum distance between related numbers, in characters
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
NUMBER = re.compile(
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
_MONTH_ONLY = re.compile(rf"\b(?P<w>{_NAMES})\b\.?,?\s+(?:de\s+|of\s+)?(?P<y>\d{{4}})(?!\d)", re.IGNORECASE)
YEAR = re.compile(r"(?<![\w.,'’/-])(?:1[6-9]|20)\d\d(?![\w’']|[.,]\d)")
_DIGIT = re.compile(r"\d")
_PADDED = re.compile(r"0\d+")  # not an amount but an assigned number
_SPOKEN = {
    **{word: number for number, words in enumerate(UNITS, start=1) for word in words.split()},
    **{word: 10 * number for number, words in enumerate(TENS, start=2) for word in words.split()},
}
_HUNDRED = frozenset(["hundred", "hundert", "cent", "cento"])
_COUNT = "|".join(sorted((*_SPOKEN, *_HUNDRED), key=len, reverse=True))
_LONG_SCALES = sorted((word for word in _SCALES if len(word) > 3), key=len, reverse=True)
_SCALE = "|".join(_LONG_SCALES)
_AND = r"(?:(?:and|und|et|e)\s{1,3}+)?"
SPOKEN = re.compile(
    rf"(?<![\w-])(?:{_COUNT})(?!\w)(?:[\s-]{{1,3}}+{_AND}(?:{_COUNT}|{_SCALE})(?!\w))*+", re.IGNORECASE
)
"""A row of number words; only one with a scale is a number in words, as "one" and "ten" are everyday words."""
_STUCK = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)?(?=[^\W\d_]{1,3}(?![\w]))")  # 59F, 3mm
_AMOUNT = re.compile(
    r"(?:[A-Z]{3}|[€$£¥]|US\$)?\s*[-−]?\d[\d.,'’\s]*(?:\s?[^\W\d_]{1,12}\.?)?\s*(?:%|[A-Z]{3}|[€$£¥])?"
)


def dates_in(text: str) -> Iterator[date]:
    """Every full date. An ambiguous date (3 April or 4 March) gives both."""
    for pattern in _DATES:
        for found in pattern.finditer(text):
            parts = found.groupdict()
            month = _MONTH[parts["w"].lower()] if parts.get("w") else int(parts["m"])
            with suppress(ValueError):
                yield date(int(parts["y"]), month, int(parts["d"]))


def spans_of_dates(text: str) -> list[tuple[int, int]]:
    """Spans of dates and of months with a year, without nested spans."""
    spans: list[tuple[int, int]] = []
    for pattern in (*_DATES, _MONTH_ONLY):
        for found in pattern.finditer(text):
            if all(found.end() <= start or end <= found.start() for start, end in spans):
                spans.append(found.span())
    return spans


def months_in(text: str) -> Iterator[tuple[int, int]]:
    """Every month with a year, including those of full dates."""
    yield from ((day.year, day.month) for day in dates_in(text))
    for found in _MONTH_ONLY.finditer(text):
        yield int(found["y"]), _MONTH[found["w"].lower()]


def is_date(text: str) -> bool:
    """Whether a text is only a date, with or without a time of day."""
    plain = text.strip()
    return any(
        (found := pattern.match(plain)) is not None
        and re.fullmatch(r"(?:[T ][\d:.+Z-]*)?", plain[found.end() :]) is not None
        for pattern in _DATES
    )


def numbers_in(text: str) -> Iterator[Decimal]:
    """Every number in each of its readings, multiplied by its scale word and without it."""
    # Most values have no digit, and the full search is a hundred times slower.
    has_digits = _DIGIT.search(text)
    for pattern in (NUMBER, _GLUED) if has_digits else ():
        for found in pattern.finditer(text):
            if _PADDED.fullmatch(found["digits"]):
                continue
            exponent = scale_of(found["scale"] or "")
            for reading in readings(found["digits"]):
                yield reading
                if exponent:
                    yield reading.scaleb(exponent)
    for found in _STUCK.finditer(text) if has_digits else ():
        yield from readings(found[0])
    yield from spoken_in(text)


def neighbours_in(text: str) -> Iterator[tuple[Decimal, Decimal]]:
    """Pairs of numbers with at most one other number and few words between them."""
    before: list[tuple[int, list[Decimal]]] = []
    for found in NUMBER.finditer(text):
        if _PADDED.fullmatch(found["digits"]):
            continue
        exponent = scale_of(found["scale"] or "")
        values = [reading.scaleb(exponent) for reading in readings(found["digits"])]
        for end, others in before:
            if found.start() - end <= APART:
                yield from ((one, other) for one in others for other in values)
        before = [*before[-1:], (found.end(), values)]


def scale_of(word: str) -> int:
    """The power of ten of a scale word."""
    return _SCALES.get(word.lower().rstrip("."), 0)


def spoken_in(text: str) -> Iterator[Decimal]:
    """Numbers in words with a scale: "one million two hundred thousand"."""
    for found in rows_of_words(text):
        total, part = 0, 0
        for word in re.split(r"[\s-]+", found[0].lower()):
            if word in _HUNDRED:
                part = (part or 1) * 100
            elif word in _SPOKEN:
                part += _SPOKEN[word]
            elif word in _SCALES:
                total, part = total + (part or 1) * 10 ** _SCALES[word], 0
        yield Decimal(total + part)


def rows_of_words(text: str) -> Iterator[re.Match[str]]:
    """Where numbers in words that have a scale stand."""
    if _has_scale(text):  # the search for a whole number in words takes fifty times as long
        yield from (found for found in SPOKEN.finditer(text) if _has_scale(found[0]))


def _has_scale(text: str) -> bool:
    lower = text.lower()  # a pattern for all of these words takes ten times as long
    return any(word in lower for word in _LONG_SCALES)


def is_amount(text: str) -> bool:
    """Whether a text is one number with at most a currency, a scale and a per cent sign."""
    return len(text) <= 40 and _AMOUNT.fullmatch(text.strip()) is not None


def amount_of(text: str) -> list[Decimal]:
    """The possible values of such a text, multiplied by its scale if it has one."""
    found = list(numbers_in(text))
    scaled = [number for number in found if number not in set(readings(_digits(text)))]
    return scaled or found


def readings(digits: str) -> Iterator[Decimal]:
    """The possible values of digits with points, commas and blanks."""
    bare = re.sub(r"['’\s]", "", digits)[:MAX_DIGITS]
    forms = {bare.replace(",", ""), bare.replace(".", "").replace(",", ".")}
    for form in sorted(forms):
        with suppress(InvalidOperation):
            yield Decimal(form)


def _digits(text: str) -> str:
    found = NUMBER.search(text) or _GLUED.search(text)
    return found["digits"] if found else ""
