"""Every named thing rests on an answer: names, identifiers, places, numbers and dates are traced to what was told.

What stands in no answer was invented, or comes from a memory that nobody can look into. A person who signs for it
needs a reason. What the question named is not invented by whoever repeats it, but it is not found by that either.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from research.checks.provenance.corpus import Corpus
from research.checks.provenance.tracer import Origin, Tracer
from research.checks.provenance.values import Traced, traced_values
from research.checks.verdict import Verdict, bounded, clipped
from research.jsontext import Json, JsonObject
from research.models.states import CheckKind

MAX_VALUES = 10_000
TRACED, MISSING, ASKED, APART, ENTERED = "traced", "not-found", "asked", "apart", "entered"
FOUND = ("exact", "spelled", "translated", "computed", "found")
FATAL = ("name", "identifier")
WORDS = {
    "name": "The name",
    "identifier": "The identifier",
    "place": "The place",
    "number": "The number",
    "date": "The date",
}


def check_provenance(data: Json, schema: Json, heard: Corpus) -> list[Verdict]:
    """A verdict for every value that is not found, and one for all that are.

    ``fail``: a name or an identifier that no answer and no page of the run states, or that they state of
    somebody else. ``warn``: such a number, date or place. ``unknown``: only the question says it.
    """
    values = list(islice(traced_values(data, schema), MAX_VALUES + 1))
    tracer = Tracer(heard, data)
    origins = [(one, tracer.origin(one)) for one in values[:MAX_VALUES]]
    verdicts = [verdict for one, origin in origins if (verdict := _verdict(one, origin, heard))]
    if len(values) > MAX_VALUES:
        text = f"There are more than {MAX_VALUES:,} values to be traced; the rest was not."
        verdicts.append(Verdict(CheckKind.ORIGIN, "too-many", "", "", "unknown", text))
    return [*verdicts, *_summary(Counter(origin.how for _, origin in origins))]


def check_edited(
    before: Json,
    after: Json,
    schema: Json,
    kept: Sequence[Verdict],
    heard: Callable[[], Corpus],
) -> list[Verdict]:
    """The same after a person's edits: ``kept`` are the verdicts on what they left alone, and only the rest is traced.

    What a person enters is theirs: where no source names it, that is worth a look and no failure.
    """
    known = {(one.kind, one.value) for one in traced_values(before, schema)}
    values = list(islice(traced_values(after, schema), MAX_VALUES))
    entered = [one for one in values if (one.kind, one.value) not in known]
    marked = [verdict for verdict in kept if verdict.code != TRACED]
    if entered:
        told = heard()
        tracer = Tracer(told, after)
        found = (_verdict(one, tracer.origin(one), told) for one in entered)
        marked += [_entered(verdict) for verdict in found if verdict]
    return [*marked, *_summary(Counter(marked=len(marked), found=max(0, len(values) - len(marked))))]


def _entered(verdict: Verdict) -> Verdict:
    message = f"“{verdict.subject}” was entered in review; nothing that was read names it."
    return replace(verdict, code=ENTERED, verdict="warn", message=message)


def limitations_of(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Sentences about values that only the question states."""
    asked = dict.fromkeys(verdict.subject for verdict in verdicts if verdict.code == ASKED)
    for subject in islice(asked, 20):
        yield f"“{subject}” was asked for, and nothing that was read names it."


def _verdict(one: Traced, origin: Origin, heard: Corpus) -> Verdict | None:
    subject, evidence = clipped(one.value), {"kind": one.kind, "how": origin.how}
    if origin.how == "asked" and one.within and one.kind in ("number", "date"):
        return None  # a threshold or a period that the text repeats
    if origin.how == "asked":
        message = f"“{subject}” is what the question says; nothing that was read names it."
        return Verdict(CheckKind.ORIGIN, ASKED, one.pointer, subject, "unknown", message, evidence)
    if origin.how not in ("missing", "apart"):
        return None
    if origin.how == "apart":
        other = clipped(origin.instead)
        message = f"{WORDS[one.kind]} “{subject}” is stated in a source, but not of “{other}”."
        code = APART
    else:
        message = f"{WORDS[one.kind]} “{subject}” was not found in any source."
        code = MISSING
    word = "fail" if one.kind in FATAL else "warn"
    if not heard.complete:
        word, message = "unknown", f"{message} But not all of what was read could be searched."
    return Verdict(CheckKind.ORIGIN, code, one.pointer, subject, word, bounded(message), evidence)


def _summary(counts: Mapping[str, int]) -> Iterator[Verdict]:
    """Verdict with the number of traced values. A document without any does not pass."""
    found, values = sum(counts.get(how, 0) for how in FOUND), sum(counts.values())
    if not found:
        return
    message = f"{found:,} of {values:,} values that name something were found in what the run read."
    told: JsonObject = {**dict(counts), "values": values, "found": found}
    yield Verdict(CheckKind.ORIGIN, TRACED, "", f"{found} of {values}", "pass", message, told)
