"""Owners out of a table that a client sent: one interest a row, in the words of four languages. Values in, values out.

Nothing is guessed. What has two readings (0.25: a quarter, or a quarter of a percent? 03/04/2025: March or April?) is a
fault of its row that says which option decides it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import yaml
from anyascii import anyascii

from common.tables import NOT_COMPUTED
from entities.lei import check_format
from entities.ownership.interests import InterestType
from entities.ownership.shares import HUNDRED, ZERO, BadShare, Share

Unit: TypeAlias = Literal["percent", "fraction"]
DayOrder: TypeAlias = Literal["day first", "month first"]
ROLES = ("owner", "owner_type", "owner_lei", "owned", "owned_lei", "share", "interest", "since", "until")
OWNER_TYPES = ("person", "legal-entity", "fund", "trust", "government")
NO_VALUE = ("", "-", "–", "—", "n/a", "na", "none", "unknown", "unbekannt", "inconnu", "sconosciuto", "?")

_PERCENT = ("percent", "per cent", "prozent", "pour cent", "per cento")
_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)?")
_ISO = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?(?:[ T]00:00:00)?")
_NUMBERS = re.compile(r"([0-9]{1,2})\s*([./-])\s*([0-9]{1,2})\s*[./-]\s*([0-9]{4})")
_MONTH = re.compile(r"([0-9]{1,2})[/.]([0-9]{4})")
_WORDS = re.compile(
    r"(?:([0-9]{1,2})(?:st|nd|rd|th|er)?[. -]*)?([^\W\d]+)\.?(?:\s+([0-9]{1,2}),)?[ -]+([0-9]{4})"
)


class BadCell(ValueError):
    """A cell that cannot be read; the message is one sentence for a person."""


@dataclass(frozen=True, slots=True)
class Row:
    """One interest, with days as they are stated: 2025, 2025-03 or 2025-03-31. ``number`` is the row in the file."""

    number: int
    owner: str
    owned: str
    owner_type: str = ""
    owner_lei: str = ""
    owned_lei: str = ""
    interest: InterestType = InterestType.SHAREHOLDING
    share: Share | None = None
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A row that was not read, and why."""

    number: int
    column: str
    text: str
    reason: str


@dataclass
class Owners:
    """What a table says. ``notes`` are sentences about what was taken from elsewhere than its own cell."""

    rows: list[Row] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Reading:
    """How a table is to be read.

    ``columns`` gives the place, from 0, of each role; ``owner`` is needed. ``owned`` and ``owner_type`` stand for a
    column that the table does not have. ``unit`` and ``day_order`` decide what has two readings.
    """

    columns: Mapping[str, int]
    owned: str = ""
    owner_type: str = ""
    unit: Unit | None = None
    day_order: DayOrder | None = None


def guess_columns(header: Sequence[str]) -> dict[str, int]:
    """The place of each role whose usual name the header has, each column once; nearer names go before."""
    found: dict[str, int] = {}
    names = [_word(cell) for cell in header]
    for role, words in _words()["columns"].items():
        place = next((names.index(word) for word in map(_word, words) if word in names), None)
        if place is not None and place not in found.values():
            found[role] = place
    return found


def read_owners(rows: Iterable[tuple[int, Sequence[str]]], reading: Reading) -> Owners:
    """The interests of numbered rows, and a fault for each row that cannot be read."""
    owners = Owners()
    all_rows = list(rows)
    reading = _settled(reading, [cells for _, cells in all_rows])
    above, taken, untyped = "", 0, 0
    for number, cells in all_rows:
        try:
            row, above, was_empty = _read_row(number, cells, reading, above)
        except _Refused as refused:
            owners.faults.append(Fault(number, refused.column, refused.text[:200], str(refused)))
            continue
        owners.rows.append(row)
        taken += was_empty
        untyped += not row.owner_type
    if taken:
        owners.notes.append(
            f"The company's cell is empty in {taken} row{'s' * (taken != 1)}; the company above it was taken."
        )
    if untyped:
        owners.notes.append(
            f"Nothing says what the owner is in {untyped} row{'s' * (untyped != 1)}; they are not written to memory"
            " unless memory knows the name."
        )
    return owners


def as_record(row: Row) -> dict[str, Any]:
    """The row as a result states it; what it does not say is left out."""
    stated = {
        "owner_name": row.owner,
        "owner_type": row.owner_type,
        "owner_lei": row.owner_lei,
        "owned_entity": row.owned,
        "owned_lei": row.owned_lei,
        "interest": row.interest.value,
        "since": row.since,
        "until": row.until,
    }
    return {"row": row.number, **{name: value for name, value in stated.items() if value}, **band(row.share)}


def band(share: Share | None) -> dict[str, int | float]:
    """A share as result documents and the verb state it: a percentage, or the ends of a band."""
    if share is None:
        return {}
    low, high = (
        int(end) if end == end.to_integral_value() else float(end) for end in (share.low, share.high)
    )
    if share.is_exact:
        return {"percentage": low}
    ends = {"more_than" if share.low_open else "at_least": low} if low or share.low_open else {}
    return ends | ({"less_than" if share.high_open else "at_most": high} if share.high < HUNDRED else {})


def read_share(text: str, unit: Unit | None = None) -> Share | None:
    """A share as people write it: "25,5 %", "more than 25 up to 50", "≥ 25 %", "25–50%"; None for an empty cell.

    Raises BadCell for anything else, and for a fraction such as 0.25 while no ``unit`` says what it means.
    """
    if text.strip().lower() in NO_VALUE:
        return None
    if text == NOT_COMPUTED:
        raise BadCell("the formula has no stored value; open the file in a spreadsheet program and save it")
    signed, plain_text = "%" in text, text.replace("%", " ")
    values = [Decimal(number.replace(",", ".")) for number in _NUMBER.findall(plain_text)]
    around = [_word(part, keep="<>=≥≤-–") for part in _NUMBER.split(plain_text)]
    around = ["" if part in _PERCENT else part for part in around]
    if not values or len(values) > 2 or re.search(r"[0-9][^\W\d_]|[^\W\d_][0-9]", text):
        raise BadCell("it is no percentage")
    if not signed and unit is None and any(0 < value <= 1 for value in values):
        raise BadCell("it may be a percentage or a fraction of one: say which with the unit")
    if values == [ZERO]:
        raise BadCell("a share of nothing is no share")
    if unit == "fraction" and not signed:
        values = [value * 100 for value in values]
    try:
        return _share_of(values, around)
    except BadShare as error:
        raise BadCell(str(error).rstrip(".")) from None


def _share_of(values: list[Decimal], around: list[str]) -> Share:
    """The share of one or two numbers and the words before, between and after them."""
    before, after = around[0], around[-1]
    if len(values) == 2 and not after:
        start = "at_least" if before in ("", *_symbols("between")) else _sense(before)
        end = "at_most" if around[1] in _symbols("and") else _sense(around[1])
        if start in ("more_than", "at_least") and end in ("at_most", "less_than"):
            return Share(values[0], values[1], start == "more_than", end == "less_than")
    elif len(values) == 1:
        if after in _symbols("or_more") and not before:
            return Share(values[0], HUNDRED)
        sense = _sense(before) if before else ""
        if after == "" and sense in ("more_than", "at_least"):
            return Share(values[0], HUNDRED, low_open=sense == "more_than")
        if after == "" and sense:
            return Share(ZERO, values[0], high_open=sense == "less_than")
        if after == "":
            return Share.exactly(values[0])
    raise BadCell("it is no percentage")


def _sense(words: str) -> str:
    """Which end of a band the words before a number speak of. Raises BadCell for other words."""
    parts = [part.strip() for part in re.split(r"\b(?:but|aber|mais|ma)\b", words)]
    for sense in ("more_than", "at_least", "less_than", "at_most"):
        if any(part in _symbols(sense) for part in parts):
            return sense
    raise BadCell("it is no percentage")


def read_stated_day(text: str, order: DayOrder | None = None) -> str:
    """A day, a month or a year in ISO form, as exact as it is stated; "" for an empty cell.

    Raises BadCell for what is no day, and for 03/04/2025 while no ``order`` says which is the day.
    """
    text = text.strip()
    if text.lower() in NO_VALUE:
        return ""
    if iso := _ISO.fullmatch(text):
        return _joined(iso[1], iso[2], iso[3])
    if numbers := _NUMBERS.fullmatch(text):
        first, sign, second, year = numbers.groups()
        if sign == "." or order == "day first" or int(first) > 12 or first == second:
            return _joined(year, second, first)
        if order == "month first" or int(second) > 12:
            return _joined(year, first, second)
        raise BadCell("it has two readings: say whether the day or the month comes first")
    if month := _MONTH.fullmatch(text):
        return _joined(month[2], month[1], None)
    if words := _WORDS.fullmatch(text):
        named = _word(words[2])
        found = next((each for each, names in _words()["months"].items() if named in names), None)
        if found:
            return _joined(words[4], str(found), words[1] or words[3])
    raise BadCell("it is no day; write 2025-03-31")


def _joined(year: str, month: str | None, day: str | None) -> str:
    try:
        date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        raise BadCell("there is no such day") from None
    return "-".join(filter(None, [year, month and f"{int(month):02}", day and f"{int(day):02}"]))


def _settled(reading: Reading, rows: Sequence[Sequence[str]]) -> Reading:
    """With the order of day and month, where one date of the table can only be read in one."""
    if reading.day_order:
        return reading
    places = [reading.columns[role] for role in ("since", "until") if role in reading.columns]
    found = [
        match for cells in rows for place in places if (match := _NUMBERS.fullmatch(cells[place].strip()))
    ]
    firsts = any(int(match[1]) > 12 for match in found)
    seconds = any(int(match[3]) > 12 for match in found if match[2] != ".")
    if firsts == seconds:
        return reading
    order: DayOrder = "day first" if firsts else "month first"
    return Reading(reading.columns, reading.owned, reading.owner_type, reading.unit, order)


class _Refused(Exception):
    """The row cannot be read because of one cell."""

    def __init__(self, column: str, text: str, reason: str) -> None:
        self.column, self.text = column, text
        super().__init__(reason)


def _read_row(number: int, cells: Sequence[str], reading: Reading, above: str) -> tuple[Row, str, bool]:
    """The row, the company that a row below with an empty cell belongs to, and whether this row had none itself."""

    def cell(role: str) -> str:
        return cells[reading.columns[role]] if role in reading.columns else ""

    def read(role: str, reader: Any, *options: Any) -> Any:
        try:
            return reader(cell(role), *options)
        except BadCell as error:
            raise _Refused(role, cell(role), str(error)) from None

    owner, stated = cell("owner"), cell("owned")
    owned = stated or above or reading.owned
    if not re.search(r"\w", owner) or owner == NOT_COMPUTED:
        raise _Refused("owner", owner, "no owner is named")
    if not re.search(r"\w", owned) or owned == NOT_COMPUTED:
        raise _Refused("owned", stated, "no company is named, and no row above names one")
    row = Row(
        number,
        owner,
        owned,
        owner_type=read("owner_type", _owner_type) or reading.owner_type,
        owner_lei=read("owner_lei", _lei),
        owned_lei=read("owned_lei", _lei),
        interest=read("interest", _interest),
        share=read("share", read_share, reading.unit),
        since=read("since", read_stated_day, reading.day_order),
        until=read("until", read_stated_day, reading.day_order),
    )
    if row.since and row.until and row.until < row.since[: len(row.until)]:
        raise _Refused("until", cell("until"), f"it ends before it begins ({cell('since')})")
    return row, stated or above, not stated and bool(above)


def _owner_type(text: str) -> str:
    return _meaning(text, "types", f"it is no kind of owner; write one of {', '.join(OWNER_TYPES)}")


def _interest(text: str) -> InterestType:
    known = {each.value.lower(): each for each in InterestType}
    if text.strip().lower() in known:
        return known[text.strip().lower()]
    meant = _meaning(
        text, "interests", "it is no kind of interest; write a type of BODS 0.4 such as shareholding"
    )
    return InterestType(meant) if meant else InterestType.SHAREHOLDING


def _meaning(text: str, table: str, otherwise: str) -> str:
    if text.strip().lower() in NO_VALUE:
        return ""
    word = _word(text)
    meant = next((meaning for meaning, words in _words()[table].items() if word in words), None)
    if meant is None:
        raise BadCell(otherwise)
    return str(meant)


def _lei(text: str) -> str:
    if text.strip().lower() in NO_VALUE:
        return ""
    found = check_format(text)
    if not found.ok:
        raise BadCell("it is no LEI: its check digits are wrong, or it has not 20 characters")
    return found.lei


@cache
def _words() -> Mapping[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(
        Path(__file__).with_name("table_words.yaml").read_text(encoding="utf-8")
    )
    return loaded


def _word(text: str, keep: str = "%_") -> str:
    """Lower case, without accents, signs and doubled spaces."""
    shown = "".join(each if each in keep else anyascii(each) for each in text).lower()
    return " ".join(re.sub(rf"[^\w{re.escape(keep)}]+", " ", shown).split())


def _symbols(table: str) -> list[str]:
    return [_word(word, keep="<>=≥≤-–") for word in _words()[table]]
