"""Statements in words: what is said, when it holds, and who says it."""

from datetime import date

from entities.models import FactProperty, Precision, SourceKind, Statement
from entities.ownership.shares import Share

FORMS = {Precision.DAY: "%-d %b %Y", Precision.MONTH: "%b %Y", Precision.YEAR: "%Y"}
SAID_BY = {
    SourceKind.REGISTER: "register",
    SourceKind.DECISION: "decision",
    SourceKind.DOCUMENT: "document",
    SourceKind.IMPORT: "import",
    SourceKind.PERSON: "person",
    SourceKind.RESEARCH: "research, approved by nobody",
}
GONE = "an entity that was taken back"
WITH_KEY = (FactProperty.ADDRESS, FactProperty.DETAIL)


def property_of(statement: Statement) -> str:
    """What the statement is about: "owned by", "address (legal)", "identifier (lei)"."""
    words = statement.property.replace("-", " ")
    if statement.property == FactProperty.IDENTIFIER:
        return f"{words} ({statement.data.get('type', '')})"
    if statement.property in WITH_KEY and statement.key:
        return f"{words} ({statement.key})"
    return words


def value_of(statement: Statement) -> str:
    """What it says, in one line: the value, or the other entity with the share."""
    if statement.object_id:
        name = statement.object.name if statement.object else GONE
        return f"{name}, {share_of(statement)}" if share_of(statement) else name
    if statement.value:
        return statement.value
    return str(statement.data.get("value", "")) or "no value"


def share_of(statement: Statement) -> str:
    """The share in words: "70 %", "more than 25 to 50 %"; empty where none is stated."""
    low, high = statement.share_low, statement.share_high
    if low is None or high is None:
        return ""
    return str(Share(low, high, statement.share_low_open, statement.share_high_open))


def period_of(statement: Statement) -> str:
    """When it holds: "since Mar 2025", "15 May 2023 until 2025". Days that nobody stated are marked."""
    start, end = statement.valid_from, statement.valid_to
    begin = _day(start, statement.valid_from_precision, "since {} or earlier") if start else ""
    until = _day(end, statement.valid_to_precision, "{} or earlier") if end else ""
    if not start:
        return f"until {until}" if end else "since when is not known"
    if not end:
        return begin if begin.startswith("since") else f"since {begin}"
    return f"{begin} until {until}"


def source_of(statement: Statement) -> str:
    """Who says it: the source, its kind, and the day for which it speaks."""
    kind = SAID_BY.get(SourceKind(statement.source_kind), "") if statement.source_kind else ""
    said = statement.source or kind or "nobody is named"
    more = [kind] * bool(kind and statement.source) + [f"as of {statement.as_of}"] * bool(statement.as_of)
    return f"{said} ({', '.join(more)})" if more else said


def _day(day: date, precision: str, unknown: str) -> str:
    form = FORMS.get(Precision(precision))
    return day.strftime(form) if form else unknown.format(day.strftime(FORMS[Precision.DAY]))
