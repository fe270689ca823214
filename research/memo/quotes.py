"""The quotes behind values, as footnotes: text, source, and verdict."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from research.checks.quotes import Coverage, coverage
from research.checks.verdict import Verdict
from research.jsontext import Json, JsonObject
from research.memo.edits import place_of
from research.memo.labels import Labels

MAX_NOTES = 500
MAX_QUOTE = 400  # characters of a footnote
MAX_PLACES = 3


@dataclass(frozen=True)
class Footnote:
    """One quote. Identical quotes from one source share a footnote."""

    number: int
    quote: str
    source: int | None
    title: str
    verdict: str
    message: str
    places: str

    @property
    def label(self) -> str:
        """The key of the label for its verdict."""
        return f"quote_{self.verdict}"


@dataclass(frozen=True)
class Quoted:
    """All footnotes, and their numbers by place."""

    notes: tuple[Footnote, ...]
    at: dict[str, tuple[int, ...]]


def read_quotes(checks: Iterable[JsonObject], data: Json, schema: Json) -> Quoted:
    """The footnotes from the checks of quotes, in the order of the evidence."""
    groups: dict[tuple[str, str], list[JsonObject]] = {}
    for check in checks:
        if check.get("kind") == "quote":
            evidence = check["evidence"]
            groups.setdefault((str(evidence.get("source")), str(evidence.get("quote", ""))), []).append(check)
    kept = list(groups.values())[:MAX_NOTES]
    at: dict[str, tuple[int, ...]] = {}
    for number, group in enumerate(kept, start=1):
        for place in dict.fromkeys(check["pointer"] for check in group):
            at[place] = (*at.get(place, ()), number)
    notes = (_note(number, group, data, schema) for number, group in enumerate(kept, start=1))
    return Quoted(tuple(notes), at)


def backing(checks: Sequence[JsonObject], data: Json, schema: Json, labels: Labels) -> str:
    """How much of the data was found in sources, and how much has quotes. Empty without such checks."""
    return " ".join(filter(None, (_traced(checks, labels), _quoted(checks, data, schema, labels))))


def _traced(checks: Sequence[JsonObject], labels: Labels) -> str:
    """Summary of traced values. Each value that was not found is an open point."""
    told = next(
        (c["evidence"] for c in checks if (c.get("kind"), c.get("code")) == ("origin", "traced")), None
    )
    return labels("traced").format(told["found"], told["values"]) if told else ""


def _quoted(checks: Sequence[JsonObject], data: Json, schema: Json, labels: Labels) -> str:
    quotes = [
        Verdict(check["kind"], check["code"], check["pointer"], "", check["verdict"], check["message"])
        for check in checks
        if check.get("kind") == "quote"
    ]
    if not quotes:
        return ""
    counts: Coverage = coverage(data, schema, quotes)
    return labels("backing").format(counts["quoted"], counts["claims"], counts["found"])


def _note(number: int, group: list[JsonObject], data: Json, schema: Json) -> Footnote:
    first = group[0]
    evidence, source = first["evidence"], first["evidence"].get("source")
    quote = str(evidence.get("quote", ""))
    named = [place_of(data, check["pointer"], schema) for check in group if check["pointer"]]
    places = list(dict.fromkeys(filter(None, named)))
    return Footnote(
        number=number,
        quote=quote if len(quote) <= MAX_QUOTE else f"{quote[: MAX_QUOTE - 1]}…",
        source=source if isinstance(source, int) else None,
        title=str(evidence.get("title") or ""),
        verdict=first["verdict"],
        message=first["message"],
        places=", ".join(places[:MAX_PLACES]) + (" …" if len(places) > MAX_PLACES else ""),
    )
