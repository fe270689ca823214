"""Numbers and dates as people write them in English, German, French and Italian.

What can be read in two ways is read in both: 1.234 is a thousand and something in Rome and one and something in London.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from decimal import Decimal, InvalidOperation

MAX_DIGITS = 30
APART = 120  # characters between numbers that have to do with each other
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
_PADDED = re.compile(r"0\d+")  # no amount, but a number that somebody was given
_UNITS = (
    "one ein eine un une uno una",
    "two zwei deux due",
    "three drei trois tre",
    "four vier quatre quattro",
    "five fünf cinq cinque",
    "six sechs sei",
    "seven sieben sept sette",
    "eight acht huit otto",
    "nine neun neuf nove",
    "ten zehn dix dieci",
    "eleven elf onze undici",
    "twelve zwölf douze dodici",
    "thirteen dreizehn treize tredici",
    "fourteen vierzehn quatorze quattordici",
    "fifteen fünfzehn quinze quindici",
    "sixteen sechzehn seize sedici",
    "seventeen siebzehn dix-sept diciassette",
    "eighteen achtzehn dix-huit diciotto",
    "nineteen neunzehn dix-neuf diciannove",
)
_TENS = (
    "twenty zwanzig vingt venti",
    "thirty dreissig dreißig trente trenta",
    "forty vierzig quarante quaranta",
    "fifty fünfzig cinquante cinquanta",
    "sixty sechzig soixante sessanta",
    "seventy siebzig septante settanta",
    "eighty achtzig huitante ottanta",
    "ninety neunzig nonante novanta",
)
_SPOKEN = {
    **{word: number for number, words in enumerate(_UNITS, start=1) for word in words.split()},
    **{word: 10 * number for number, words in enumerate(_TENS, start=2) for word in words.split()},
}
_HUNDRED = frozenset(["hundred", "hundert", "cent", "cento"])
_COUNT = "|".join(sorted((*_SPOKEN, *_HUNDRED), key=len, reverse=True))
_LONG_SCALES = sorted((word for word in _SCALES if len(word) > 3), key=len, reverse=True)
_SCALE = "|".join(_LONG_SCALES)
SPOKEN = re.compile(
    rf"(?<![\w-])(?:{_COUNT})(?:[\s-]+(?:and\s+|und\s+|et\s+|e\s+)?(?:{_COUNT}|{_SCALE}))*"
    rf"[\s-]+(?:{_SCALE})(?:[\s-]+(?:and\s+|und\s+|et\s+|e\s+)?(?:{_COUNT}|{_SCALE}))*(?!\w)",
    re.IGNORECASE,
)
_STUCK = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)?(?=[^\W\d_]{1,3}(?![\w]))")  # 59F, 3mm
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


def spans_of_dates(text: str) -> list[tuple[int, int]]:
    """Where dates and months of a year stand; none within another."""
    spans: list[tuple[int, int]] = []
    for pattern in (*_DATES, _MONTH_ONLY):
        for found in pattern.finditer(text):
            if all(found.end() <= start or end <= found.start() for start, end in spans):
                spans.append(found.span())
    return spans


def months_in(text: str) -> Iterator[tuple[int, int]]:
    """Every month of a year, also those of full dates."""
    yield from ((day.year, day.month) for day in dates_in(text))
    for found in _MONTH_ONLY.finditer(text):
        yield int(found["y"]), _MONTH[found["w"].lower()]


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
    has_digits = _DIGIT.search(text)  # most values have none, and the rest takes a hundred times as long
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
    """Any two numbers of a text with at most one other and few words between them."""
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
    """How many zeros a word stands for."""
    return _SCALES.get(word.lower().rstrip("."), 0)


def spoken_in(text: str) -> Iterator[Decimal]:
    """Numbers in words that have a scale: "one million two hundred thousand"."""
    lower = text.lower()
    if not any(word in lower for word in _LONG_SCALES):
        return  # the search for a whole number in words takes fifty times as long
    for found in SPOKEN.finditer(text):
        total, part = 0, 0
        for word in re.split(r"[\s-]+", found[0].lower()):
            if word in _HUNDRED:
                part = (part or 1) * 100
            elif word in _SPOKEN:
                part += _SPOKEN[word]
            elif word in _SCALES:
                total, part = total + (part or 1) * 10 ** _SCALES[word], 0
        yield Decimal(total + part)


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
    found = NUMBER.search(text) or _GLUED.search(text)
    return found["digits"] if found else ""
