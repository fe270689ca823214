"""The legal part of a memo: findings by issue, each with citations that say whether they were verified.

A document brings it as ``memo`` (title, executiveSummary, findings, citations, conflicts, precedentChain, gaps,
limitations, nextSteps, appendices). What it says of its own citations is not believed: a citation is verified when a
stored check of it passed and names its source and its date, or the engine itself asked a source while it researched,
and unverified otherwise.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from citations.convert import convert
from citations.extract import extract
from citations.format import format_mention
from citations.mention import Language
from research.checks.verdict import SEVERITY
from research.jsontext import Json, JsonObject
from research.memo.sentences import court, say
from research.review.rows import human_label

MAX_ITEMS = 200
MAX_TEXT = 20_000
MAX_SHORT = 500
MAX_CONVERTED = 500_000  # characters of one memo that are searched for citations
QUOTED = re.compile(r"(«[^«»]*»|„[^„“”]*[“”]|“[^“”]*”)")
EXISTENCE = "existence"  # codes of checks on existence
NONEXISTENT = "nonexistent"  # the authorities' word for nonexistent citations
LEADING = (
    "citation",
    "issue",
    "title",
    "name",
    "description",
    "text",
)  # fields of an object that come first, without a name
TERMS: tuple[Language, ...] = ("de", "fr", "it", "en")


@dataclass(frozen=True)
class Cited:
    """A citation in the memo and its verification. ``word`` is the key of its label.

    ``work`` is what is cited, without pinpoints and in no language: places in one decision are one work.
    """

    text: str
    verdict: str
    word: str
    message: str = ""
    source: str = ""
    url: str = ""
    as_of: str = ""
    title: str = ""
    note: str = ""
    work: str = ""


@dataclass(frozen=True)
class Passage:
    """A verbatim passage of a decision or commentary. ``citation`` is an index into the memo's list."""

    quote: str
    citation: int


@dataclass(frozen=True)
class Issue:
    """A legal question and its answer. ``citations`` are indexes into the memo's list."""

    issue: str
    conclusion: str
    confidence: str
    citations: tuple[int, ...]
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True)
class Precedent:
    """A decision in the chain: the decisions it cites, and those that cite it."""

    citation: str
    about: str = ""
    cites: tuple[str, ...] = ()
    cited_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Appendix:
    """An appendix by the researcher: a title and lines of text."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Legal:
    """The legal memo, bounded, with citations in the language of the memo."""

    title: str = ""
    question: str = ""
    summary: tuple[str, ...] = ()
    issues: tuple[Issue, ...] = ()
    citations: tuple[Cited, ...] = ()
    conflicts: tuple[str, ...] = ()
    precedents: tuple[Precedent, ...] = ()
    terminology: tuple[tuple[str, ...], ...] = ()
    methodology: tuple[str, ...] = ()
    counts: tuple[tuple[str, str], ...] = ()
    limitations: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    appendices: tuple[Appendix, ...] = ()
    trail: tuple[tuple[str, str], ...] = ()
    sources: tuple[JsonObject, ...] = ()

    @property
    def works(self) -> list[tuple[int, Cited]]:
        """Each work once, in its first citation, with its note number."""
        firsts: dict[str, tuple[int, Cited]] = {}
        for number, cited in enumerate(self.citations, start=1):
            firsts.setdefault(cited.work, (number, cited))
        return list(firsts.values())

    @property
    def unverified(self) -> int:
        """Number of works without a stored check that supports them."""
        return sum(cited.verdict == "unknown" for _, cited in self.works)

    @property
    def verified(self) -> int:
        return sum(cited.verdict == "pass" for _, cited in self.works)


def read_legal(
    data: Json, checks: Sequence[JsonObject], language: Language, asked: Json = None
) -> Legal | None:
    """The legal memo in a document, or None if it has none. Takes any document.

    ``asked`` is the list of citations as the engine verified them, if it did: it counts where no check has an answer.
    """
    memo = data.get("memo") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(memo, dict) or not _is_legal(memo):
        return None
    reader = _Reader(language, checks, dict(_asked(asked, language)))
    listed = [reader.listed(item) for item in _items(memo.get("citations"))]
    issues = tuple(reader.issue(item) for item in _items(memo.get("findings")))
    terms, appendices = _appendices(memo, reader)
    return Legal(
        title=reader.write(_text(memo, "title", limit=MAX_SHORT)),
        question=_text(data, "question"),
        summary=tuple(reader.paragraphs(_text(memo, "executiveSummary", "executive_summary"))),
        issues=issues,
        citations=tuple(reader.told() if listed or issues else ()),
        conflicts=tuple(reader.sentences(memo.get("conflicts"))),
        precedents=tuple(map(reader.precedent, _items(_get(memo, "precedentChain", "precedent_chain")))),
        terminology=terms,
        methodology=tuple(reader.sentences(memo.get("methodology"))),
        counts=tuple(_counts(memo.get("metadata"), data.get("metadata"))),
        limitations=tuple(reader.sentences([*_items(memo.get("limitations")), *_items(memo.get("gaps"))])),
        next_steps=tuple(reader.sentences(_get(memo, "nextSteps", "next_steps"))),
        queries=tuple(reader.sentences(_get(data, "suggestedQueries", "suggested_queries"))),
        topics=tuple(reader.sentences(_get(data, "relatedTopics", "related_topics"))),
        appendices=appendices,
        trail=tuple(_trail(memo, language)),
        sources=tuple(_sources(memo)),
    )


def _is_legal(memo: JsonObject) -> bool:
    return isinstance(memo.get("findings"), list) or isinstance(memo.get("executiveSummary"), str)


@dataclass
class _Reader:
    language: Language
    checks: Sequence[JsonObject]
    asked: dict[str, JsonObject] = field(default_factory=dict)
    room: int = MAX_CONVERTED
    by_subject: dict[str, list[JsonObject]] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    details: list[JsonObject] = field(default_factory=list)

    def __post_init__(self) -> None:
        for check in self.checks:
            if check.get("kind") == "citation" and check.get("subject"):
                self.by_subject.setdefault(str(check["subject"]), []).append(check)

    def write(self, text: str) -> str:
        """Text with its citations in the language of the memo, the rest as it was; a flood of text is left alone.

        What stands between quotation marks stays word for word: a passage that was rewritten would not be one.
        """
        self.room -= len(text)
        if self.room < 0:
            return text
        parts = QUOTED.split(text)  # odd parts are quotes
        return "".join(part if at % 2 else convert(part, self.language) for at, part in enumerate(parts))

    def listed(self, item: Json) -> int:
        """An entry in the memo's list of citations."""
        if not isinstance(item, dict):
            return self.place(_scalar(item), {})
        return self.place(_text(item, "citation", "text", limit=MAX_SHORT), item)

    def place(self, raw: str, details: JsonObject) -> int:
        """The index of a citation in the memo's list. Adds it if it is missing."""
        if raw not in self.places:
            self.places[raw] = len(self.details)
            self.details.append({**details, "citation": raw})
        return self.places[raw]

    def issue(self, item: Json) -> Issue:
        if not isinstance(item, dict):
            return Issue("", self.write(_scalar(item)), "", ())
        cited = _items(_get(item, "supportingCitations", "supporting_citations", "citations"))
        return Issue(
            issue=self.write(_text(item, "issue", "title", limit=MAX_SHORT)),
            conclusion=self.write(_text(item, "conclusion", "text")),
            confidence=_confidence(item.get("confidence")),
            citations=tuple(dict.fromkeys(self.listed(each) for each in cited)),
            passages=tuple(self._passages(item.get("passages"))),
        )

    def _passages(self, value: Json) -> Iterator[Passage]:
        for item in _items(value):
            if isinstance(item, dict) and (quote := _text(item, "quote")):
                yield Passage(quote, self.place(_text(item, "citation", limit=MAX_SHORT), {}))

    def precedent(self, item: Json) -> Precedent:
        if not isinstance(item, dict):
            return Precedent(self.write(_scalar(item)))
        title = _text(item, "title")
        title = "" if _text(item, "citation") in title else title
        about = [
            court(_text(item, "court", limit=MAX_SHORT), self.language),
            _scalar(item.get("year")),
            title,
        ]
        cites, cited_by = (
            tuple(self.name(_scalar(each)) for each in _items(_get(item, *keys)))
            for keys in (("cites",), ("citedBy", "cited_by"))
        )
        named = self.name(_text(item, "citation", "title", limit=MAX_SHORT))
        return Precedent(named, self.write(", ".join(filter(None, about))), cites, cited_by)

    def told(self) -> Iterator[Cited]:
        for details in self.details:
            yield self._cited(str(details["citation"]), details)

    def _cited(self, raw: str, details: JsonObject) -> Cited:
        names = _works_in(raw)
        work = names[0] if names else raw
        found = [check for name in names for check in self.by_subject.get(name, ())]
        if work_asked := self.asked.get(work):
            answered = [check for check in found if check["verdict"] != "unknown"]
            found = [*answered, work_asked] if not any(map(_is_existence, answered)) else found
        title, note = (self.write(_text(details, key, limit=MAX_SHORT)) for key in ("title", "note"))
        text = self.name(raw)
        title = "" if title == text else title
        if not found:
            return Cited(text, "unknown", "cited_unverified", title=title, note=note, work=work)
        worst = _decisive(found)
        source, url, as_of = _grounds(next(filter(_is_existence, found), worst))
        verdict, word = _verdict(worst, bool(source and as_of))
        return Cited(text, verdict, word, str(worst["message"]), source, url, as_of, title, note, work)

    def name(self, raw: str) -> str:
        """A citation in the style of the memo's language. Longer text is only converted."""
        found = extract(raw)
        if len(found) != 1 or found[0].end != len(raw):
            return self.write(raw)
        court = str(found[0].normalized).partition(" ")[0]
        alone = raw[: found[0].start].strip() in ("", court)
        return format_mention(found[0], self.language) if alone else self.write(raw)

    def paragraphs(self, text: str) -> list[str]:
        return [self.write(part.strip()) for part in text.split("\n\n") if part.strip()][:MAX_ITEMS]

    def sentences(self, value: Json) -> list[str]:
        """List entries as sentences. An object is shown value by value, its main fields first."""
        entries = value if isinstance(value, list) else [value]
        told = (self.write(_told(entry)) for entry in entries[:MAX_ITEMS])
        return list(dict.fromkeys(filter(None, told)))


def _works_in(raw: str) -> list[str]:
    """The works that a citation refers to. A work that only names another, as a commentary its article, is its own."""
    found = [one for one in extract(raw) if one.normalized]
    names = [str(one.normalized) for one in found]
    begins = bool(found) and raw[: found[0].lead].strip() in ("", names[0].partition(" ")[0])
    return names if begins else []


def _decisive(checks: Sequence[JsonObject]) -> JsonObject:
    """The worst check. A pinpoint or quote that could not be looked up does not change what is known."""
    answered = [check for check in checks if _is_existence(check) or check["verdict"] != "unknown"]
    return max(answered or checks, key=lambda check: SEVERITY[check["verdict"]])


def _is_existence(check: JsonObject) -> bool:
    return bool(check["code"] == EXISTENCE)


def _asked(value: Json, language: Language) -> Iterator[tuple[str, JsonObject]]:
    """What the engine learned about each work, as a check."""
    verdicts = {"verified": ("pass", "exists"), NONEXISTENT: ("fail", NONEXISTENT)}
    for item in _items(value):
        if isinstance(item, dict) and item.get("verdict") in verdicts:
            verdict, said = verdicts[item["verdict"]]
            raw, url, source = (_text(item, key, limit=MAX_SHORT) for key in ("citation", "url", "source"))
            evidence = {"verdict": said, "source": source, "url": url}
            name = next(iter(_works_in(raw)), raw)
            message, as_of = (
                say(_text(item, "note", limit=MAX_SHORT), language),
                _text(item, "as_of", limit=40),
            )
            told = {
                "code": EXISTENCE,
                "verdict": verdict,
                "message": message,
                "evidence": evidence,
                "as_of": as_of,
            }
            yield name, told


def _verdict(check: JsonObject, grounded: bool) -> tuple[str, str]:
    """The mark and the label. Verified requires a source and a date."""
    if check["verdict"] == "pass":
        return ("pass", "cited_verified") if grounded else ("unknown", "cited_unverified")
    if check["verdict"] == "fail":
        missing = _text(_object(check.get("evidence")), "verdict") == NONEXISTENT
        return "fail", "cited_nonexistent" if missing else "cited_failed"
    return (check["verdict"], "cited_warned" if check["verdict"] == "warn" else "cited_unverified")


def _grounds(check: JsonObject) -> tuple[str, str, str]:
    """Source, address and date of a check."""
    evidence = _object(check.get("evidence"))
    url = _text(evidence, "url", limit=MAX_SHORT)
    source = _text(evidence, "source", "authority", "index", limit=MAX_SHORT) or (
        urlsplit(url).hostname or ""
    )
    as_of = str(check.get("as_of") or _text(evidence, "as_of", limit=40) or check.get("checked_on") or "")
    return source, url, as_of[:10]


def _confidence(value: Json) -> str:
    """A share as a percentage; words unchanged."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        share = value * 100 if 0 <= value <= 1 else value
        return f"{share:.0f} %" if 0 <= share <= 100 else ""
    return value.strip()[:MAX_SHORT] if isinstance(value, str) else ""


def _appendices(
    memo: JsonObject, reader: _Reader
) -> tuple[tuple[tuple[str, ...], ...], tuple[Appendix, ...]]:
    """The table of terms, wherever it is, and the other appendices."""
    given = memo.get("appendices")
    terms = list(_terms(memo.get("terminology") or _get(_object(given), "terminology")))
    others: list[Appendix] = []
    for item in _items(given):
        content = (
            _get(item, "content", "items", "rows", "text", "entries") if isinstance(item, dict) else item
        )
        found = list(_terms(content))
        terms += found
        if not found:
            title = _text(item, "title", "name", limit=MAX_SHORT) if isinstance(item, dict) else ""
            lines = tuple(reader.sentences(content))
            others += [Appendix(reader.write(title), lines)] if lines else []
    return tuple(dict.fromkeys(terms)), tuple(others)


def _terms(value: Json) -> Iterator[tuple[str, ...]]:
    for row in _items(value):
        if isinstance(row, dict) and len(row.keys() & set(TERMS)) >= 2:
            yield tuple(_text(row, language, limit=MAX_SHORT) for language in TERMS)


def _counts(*found: Json) -> Iterator[tuple[str, str]]:
    """Numbers from the researcher by key, except those on verification, which the checks provide."""
    seen: set[str] = set()
    for metadata in found:
        for key, value in sorted(metadata.items())[:MAX_ITEMS] if isinstance(metadata, dict) else ():
            told = isinstance(value, int | float | str) and "verif" not in key.lower()
            if told and key not in (*seen, "question", "outputFormat"):
                seen.add(key)
                yield _words(key), _scalar(value)[:MAX_SHORT]


def _trail(memo: JsonObject, language: Language) -> Iterator[tuple[str, str]]:
    """Decisions of the researcher and of people, by phase."""
    for step in _items(_get(_object(memo.get("appendices")), "decisionTrail", "decision_trail")):
        if isinstance(step, dict):
            by = _text(step, "by", limit=MAX_SHORT)
            what = say(_text(step, "what"), language)
            yield _text(step, "phase", limit=MAX_SHORT), what + (f" ({by})" if by else "")


def _sources(memo: JsonObject) -> Iterator[JsonObject]:
    """The memo's list of sources, in the shape of run sources."""
    for number, item in enumerate(_items(_get(_object(memo.get("appendices")), "sources")), start=1):
        if isinstance(item, dict):
            title = ": ".join(filter(None, (_text(item, key, limit=MAX_SHORT) for key in ("name", "title"))))
            named = item.get("number")
            place = named if isinstance(named, int) and named > 0 else number
            url, as_of = (_text(item, key, limit=MAX_SHORT) for key in ("url", "as_of"))
            yield {"number": place, "title": title, "url": url, "as_of": as_of, "snippet": ""}


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _words(key: str) -> str:
    """``totalSources`` as ``total_sources``."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key).lstrip("_")


def _told(entry: Json) -> str:
    if not isinstance(entry, dict):
        return _scalar(entry)
    cited = [_scalar(each) for each in _items(entry.get("citations"))]
    entry = {key: value for key, value in entry.items() if key != "citations"}
    parts: list[str] = []
    for key in [*(key for key in LEADING if key in entry), *sorted(entry.keys() - set(LEADING))]:
        value = entry[key]
        text = ", ".join(map(_scalar, value[:MAX_ITEMS])) if isinstance(value, list) else _scalar(value)
        if text:
            parts.append(text if key in LEADING else f"{human_label(_words(key))}: {text}")
    led = sum(bool(_scalar(entry.get(key))) for key in LEADING)
    told = "; ".join(filter(None, [": ".join(parts[:led]), *parts[led:]]))
    return f"{told} ({'; '.join(cited)})"[:MAX_TEXT] if cited else told[:MAX_TEXT]


def _get(part: JsonObject, *keys: str) -> Json:
    return next((part[key] for key in keys if part.get(key) is not None), None)


def _text(part: JsonObject, *keys: str, limit: int = MAX_TEXT) -> str:
    value = _get(part, *keys)
    return value.strip()[:limit] if isinstance(value, str) else ""


def _scalar(value: Json) -> str:
    if value is None or isinstance(value, dict | list):
        return ""
    return str(value).strip()[:MAX_TEXT]


def _items(value: Json) -> list[Json]:
    if isinstance(value, str):
        return [value]
    return list(value[:MAX_ITEMS]) if isinstance(value, list) else []


def told_of(cited: Cited, word: str, as_of: str) -> Iterable[str]:
    """The parts of a citation's note: label, reason, place and date."""
    yield word
    yield cited.message
    if cited.verdict != "unknown":  # an unavailable source is no evidence
        yield f"{cited.source}, {as_of} {cited.as_of}" if cited.source and cited.as_of else cited.source
    yield cited.url
