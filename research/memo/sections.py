"""The sections of a memo as blocks. A section without content is empty."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from research.jsontext import JsonObject
from research.memo.blocks import MARKS, VERB_MARKS, Block, Line, Span, Style, text_line
from research.memo.content import Content, OpenPoint, Pairs
from research.memo.edits import Edit
from research.memo.findings import Group, Point, Value
from research.memo.labels import Labels
from research.memo.legal import Issue, Legal, Precedent, told_of
from research.memo.quotes import Footnote
from research.review.rows import human_label

MAX_COLUMNS, MAX_LEVELS = 5, 8
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|\+00:00)")
_DAY = re.compile(r"^(\d{4}-\d{2}-\d{2})[T ].*")
MAX_SNIPPET = 240
_STYLES: Mapping[str, Style] = {"pass": "pass", "warn": "warn", "fail": "fail", "unknown": "unknown"}

Blocks = list[Block]


def pairs(told: Pairs, role: str = "") -> Block:
    """Names and values side by side."""
    return Block("pairs", rows=tuple((text_line(name), text_line(value)) for name, value in told), role=role)


def write_section(key: str, content: Content, labels: Labels) -> Blocks:
    """The blocks of one section, by key."""
    return _SECTIONS[key](content, labels)


def short_findings(content: Content, labels: Labels) -> Blocks:
    """The legal findings in one line each, with the marks of their citations."""
    legal = content.legal
    if legal is None:
        return []
    return [Block("list", tuple(_short_issue(issue, legal, labels) for issue in legal.issues))]


def _summary(content: Content, labels: Labels) -> Blocks:
    found = [pairs(content.answer, "answer")] if content.answer else []
    legal = content.legal
    found += [Block("paragraph", (text_line(text),)) for text in (legal.summary if legal else ())]
    told = [text for text in (content.backing, content.verification, *content.summary) if text]
    lines = [_tally(content, labels), *(text_line(text) for text in told)]
    if legal and legal.citations:
        lines.insert(0, _citation_tally(legal, labels))
    found.append(Block("list", tuple(lines), role="tally"))
    if content.points:
        found.append(_heading(labels("points")))
        found.append(Block("list", tuple(_open_point(point, labels) for point in content.points)))
    return found


def _tally(content: Content, labels: Labels) -> Line:
    if not content.tally:
        return text_line(labels("no_checks"))
    total = sum(count for _, count in content.tally)
    spans = [Span(f"{labels.count('checks_run', total)}: ")]
    for verdict, count in content.tally:
        gap = [Span(", ")] if len(spans) > 1 else []
        spans += [*gap, Span(labels.count(f"tally_{verdict}", count), _STYLES[verdict])]
    return Line((*spans, Span(".")))


def _citation_tally(legal: Legal, labels: Labels) -> Line:
    words = [cited.word for _, cited in legal.works]
    told = {cited.word: cited.verdict for _, cited in legal.works}
    spans = [Span(f"{labels.count('citations_found', len(words))}: ")]
    for word in sorted(told, key=lambda word: (list(MARKS).index(told[word]), word)):
        gap = [Span(", ")] if len(spans) > 1 else []
        text = f"{MARKS[told[word]]} {words.count(word)} {labels(word)}"
        spans += [*gap, Span(text, _STYLES[told[word]])]
    return Line((*spans, Span(".")))


def _open_point(point: OpenPoint, labels: Labels) -> Line:
    line = _point(point, labels)
    return replace(line, spans=(*line.spans, Span(f" ({point.places})", "quiet")))


def _point(point: Point | OpenPoint, labels: Labels, depth: int = 0) -> Line:
    mark = Span(f"{MARKS[point.verdict]} {labels(point.verdict)}:", _STYLES[point.verdict])
    return Line((mark, Span(f" {point.message}")), depth)


def _report(content: Content, labels: Labels) -> Blocks:
    """The report, with its headings moved below that of the section."""
    levels = sorted({block.level for block in content.report if block.kind == "heading"})
    return [
        replace(block, level=min(3 + levels.index(block.level), 5)) if block.kind == "heading" else block
        for block in content.report
    ]


def _findings(content: Content, labels: Labels) -> Blocks:
    if content.legal:
        issues = [
            block
            for number, issue in enumerate(content.legal.issues, start=1)
            for block in _issue(number, issue, content.legal, labels)
        ]
        return [*issues, *_groups(content, labels)] or [_none(labels)]
    return _groups(content, labels) or [_none(labels)]


def _groups(content: Content, labels: Labels) -> Blocks:
    alone = len(content.findings) == 1
    return [
        block
        for group in content.findings
        for block in _chapter(group, labels, titled=bool(group.label) or not alone)
    ]


def _issue(number: int, issue: Issue, legal: Legal, labels: Labels) -> Iterator[Block]:
    """An issue: heading, conclusion, and supporting citations with mark and note."""
    heading = issue.issue or f"{labels('issue')} {number}"
    yield Block("heading", (text_line(heading),), level=3)
    parts = [part.strip() for part in issue.conclusion.split("\n\n") if part.strip()]
    for place, part in enumerate(parts):
        lead = (Span(f"{labels('conclusion')}: ", "strong"),) if place == 0 else ()
        yield Block("paragraph", (Line((*lead, Span(part))),))
    if issue.confidence:
        told = (Span(f"{labels('confidence')}: ", "strong"), Span(_confidence(issue, labels)))
        yield Block("paragraph", (Line(told),))
    for passage in issue.passages:
        where = f" {legal.citations[passage.citation].text}"
        note = Span(f"c{passage.citation + 1}", "note")
        yield Block(
            "quote", (Line((Span(labels("quoted").format(passage.quote)), Span(where, "quiet"), note)),)
        )
    if issue.citations:
        yield Block("paragraph", (text_line(labels("supporting"), "strong"),), role="lead")
        yield Block("list", tuple(_support(place, legal) for place in issue.citations), role="citations")


def _confidence(issue: Issue, labels: Labels) -> str:
    return labels.get(f"confidence_{issue.confidence.lower()}", issue.confidence)


def _support(place: int, legal: Legal) -> Line:
    cited = legal.citations[place]
    more = f" – {cited.title}" if cited.title else ""
    mark = Span(MARKS[cited.verdict], _STYLES[cited.verdict])
    return Line((mark, Span(f" {cited.text}{more}"), Span(f"c{place + 1}", "note")))


def _short_issue(issue: Issue, legal: Legal, labels: Labels) -> Line:
    lead = f"{issue.issue}: " if issue.issue else ""
    cited = [legal.citations[place] for place in issue.citations]
    told = "; ".join(f"{MARKS[each.verdict]} {each.text}" for each in cited)
    confidence = f" ({_confidence(issue, labels)})" if issue.confidence else ""
    tail = f" {told}" if told else ""
    return Line((Span(lead, "strong"), Span(f"{issue.conclusion}{confidence}"), Span(tail, "quiet")))


def _chapter(group: Group, labels: Labels, *, titled: bool) -> Iterator[Block]:
    """A top-level group: heading, values with names, nested groups."""
    if titled:
        spans = (Span(group.label or labels("other")), *_refs(group.notes))
        yield Block("heading", (Line(spans),), level=3)
    if group.points:
        yield Block("list", tuple(_point(point, labels) for point in group.points), role="points")
    if group.values:
        yield Block("pairs", rows=tuple(_value_row(value, labels) for value in group.values), role="values")
    if table := _table(group.groups, labels):
        yield from table
    elif group.groups:
        lines = [line for inner in group.groups for line in _group_lines(inner, labels, 0)]
        yield Block("list", tuple(lines), role="items")


def _table(groups: tuple[Group, ...], labels: Labels) -> Blocks:
    """A table of similar items. Shared values and open points are below it."""
    plain = all(not group.groups and not group.long_values and group.short_values for group in groups)
    if len(groups) < 2 or not plain:
        return []
    names = list(dict.fromkeys(value.label for group in groups for value in group.short_values))
    shared = [name for name in names if _is_shared(name, groups)]
    columns = [name for name in names if name not in shared]
    if not 1 <= len(columns) < MAX_COLUMNS or "" in names:
        return []
    head = (text_line(labels("name")), *(text_line(name) for name in columns))
    table = Block("table", rows=(head, *(_row(group, columns, labels) for group in groups)), role="items")
    below = [Line(tuple(_shared(groups[0], shared, labels)))] if shared else []
    below += [_open_at(group, point, labels) for group in groups for point in group.all_points]
    return [table, Block("list", tuple(below), role="points")] if below else [table]


def _row(group: Group, columns: list[str], labels: Labels) -> tuple[Line, ...]:
    cells = {value.label: Line(tuple(_inline(value, labels, brief=True))) for value in group.short_values}
    first = Line((Span(group.label, "strong"), *_refs(group.notes)))
    return (first, *(cells.get(name, Line(())) for name in columns))


def _is_shared(name: str, groups: tuple[Group, ...]) -> bool:
    """Whether every item has the same value here, and nothing else needs to be said about it."""
    values = [value for group in groups for value in group.short_values if value.label == name]
    bare = all(value.quiet and not value.passed and not value.notes for value in values)
    return (
        len(groups) > 2 and len(values) == len(groups) and bare and len({value.text for value in values}) == 1
    )


def _shared(group: Group, names: list[str], labels: Labels) -> Iterator[Span]:
    yield Span(f"{labels('each')}: ", "strong")
    told = [f"{value.label}: {value.text}" for value in group.short_values if value.label in names]
    yield Span(" · ".join(told))


def _open_at(group: Group, point: Point, labels: Labels) -> Line:
    line = _point(point, labels)
    return replace(line, spans=(Span(f"{group.label}: ", "strong"), *line.spans))


def _group_lines(group: Group, labels: Labels, depth: int) -> Iterator[Line]:
    """A nested group: short values on one line, long values and open points below."""
    spans = [Span(group.label, "strong"), *_refs(group.notes)]
    for value in group.short_values:
        spans += [Span(" · "), *_named(value, labels)]
    yield Line(tuple(spans), depth)
    for point in group.all_points:
        yield _point(point, labels, depth + 1)
    for value in group.long_values:
        yield Line(tuple(_named(value, labels)), depth + 1)
        for point in value.points:
            yield _point(point, labels, depth + 2)
    for inner in group.groups:
        yield from _group_lines(inner, labels, depth + 1)


def _named(value: Value, labels: Labels) -> list[Span]:
    name = [Span(f"{value.label}: ", "quiet")] if value.label else []
    return [*name, *_inline(value, labels)]


def _value_row(value: Value, labels: Labels) -> tuple[Line, ...]:
    points = (_point(point, labels) for point in value.points)
    return (text_line(value.label), Line(tuple(_inline(value, labels))), *points)


def _inline(value: Value, labels: Labels, *, brief: bool = False) -> list[Span]:
    """A value with its original, notes and verdicts. A table only shows the marks."""
    spans = [Span(_moment(value.text))]
    if value.was is not None:
        old = Span(_moment(value.was), "old") if value.was else Span(labels("new"), "quiet")
        spans = [old, Span(" → "), Span(_moment(value.text), "new")]
    spans += _refs(value.notes)
    if value.passed:
        told = "✓" if brief else f"✓ {labels.count('checks_pass', value.passed)}"
        spans.append(Span(f" {told}" if brief else f" ({told})", "pass"))
    if value.unknown:
        told = f"? {labels('unknown')}: {', '.join(value.unknown)}"
        spans.append(Span(" ?" if brief else f" ({told})", "unknown"))
    return spans


def _moment(text: str) -> str:
    """A moment for people, ``2026-11-21 18:29 UTC``. Other text is unchanged."""
    found = _MOMENT.fullmatch(text)
    return f"{found[1]} {found[2]} UTC" if found else text


def _refs(notes: tuple[int, ...]) -> list[Span]:
    return [Span(f"q{number}", "note") for number in notes]


def _citations(content: Content, labels: Labels) -> Blocks:
    legal = content.legal
    if legal is None or not legal.citations:
        return []
    lines = []
    for number, (_, cited) in enumerate(legal.works, start=1):
        title = [Span(f" – {cited.title}")] if cited.title else []
        mark = Span(f" {MARKS[cited.verdict]} {labels(cited.word)}", _STYLES[cited.verdict])
        known = cited.source and cited.verdict != "unknown"  # an unavailable source is no evidence
        grounds = [Span(f" ({cited.source}, {labels('as_of')} {cited.as_of})", "quiet")] if known else []
        lines.append(Line((Span(cited.text, "strong"), *title, mark, *grounds), mark=str(number)))
    return [Block("list", tuple(lines))]


def _conflicts(content: Content, labels: Labels) -> Blocks:
    return _lines(content.legal.conflicts) if content.legal else []


def _precedents(content: Content, labels: Labels) -> Blocks:
    told = content.legal.precedents if content.legal else ()
    lines = tuple(_precedent(each, number, labels) for number, each in enumerate(told, start=1))
    return [Block("list", lines)] if lines else []


def _precedent(each: Precedent, number: int, labels: Labels) -> Line:
    about = f" ({each.about})" if each.about else ""
    ties = [(labels("cites"), each.cites), (labels("cited_by"), each.cited_by)]
    told = "; ".join(f"{word} {', '.join(others)}" for word, others in ties if others)
    return Line(
        (Span(each.citation, "strong"), Span(about), Span(f" · {told}" if told else "", "quiet")),
        mark=str(number),
    )


def _terminology(content: Content, labels: Labels) -> Blocks:
    legal = content.legal
    if legal is None or not (legal.terminology or legal.appendices):
        return []
    found = []
    if legal.terminology:
        head = tuple(text_line(name) for name in ("Deutsch", "Français", "Italiano", "English"))
        rows = (tuple(text_line(term) for term in row) for row in legal.terminology)
        found.append(Block("table", rows=(head, *rows), role="terms"))
    for appendix in legal.appendices:
        found += [_heading(appendix.title or labels("appendix"), 3), *_lines(appendix.lines)]
    return found


def _sources(content: Content, labels: Labels) -> Blocks:
    lines = []
    for source in content.sources:
        snippet = " ".join(str(source["snippet"]).split())
        short = snippet if len(snippet) <= MAX_SNIPPET else f"{snippet[: MAX_SNIPPET - 1]}…"
        extra = [text for text in (short, str(source["url"]), _DAY.sub(r"\1", str(source["as_of"]))) if text]
        more = [Span(f" · {' · '.join(extra)}", "quiet")] if extra else []
        lines.append(Line((Span(str(source["title"])), *more), mark=str(source["number"])))
    return [Block("list", tuple(lines), role="sources")] if lines else [_none(labels)]


def _decision(content: Content, labels: Labels) -> Blocks:
    """The trail: who decided what about which bytes, the edits, and the checks by kind."""
    if not content.decision:
        found = [Block("paragraph", (text_line(labels("not_decided")),))]
    else:
        found = [pairs(content.decision)]
    if content.edits:
        found.append(_heading(labels("edits")))
        found.append(Block("list", tuple(_edit(edit, labels) for edit in content.edits)))
    if content.legal and content.legal.trail:
        found += [
            _heading(labels("research_trail")),
            pairs([(labels.get(f"phase_{phase}", phase), what) for phase, what in content.legal.trail]),
        ]
    if content.trail:
        found += [_heading(labels("checks")), pairs(content.trail)]
    return [*found, _heading(labels("audit_trail")), *_proof(content.proof, labels)]


def _proof(proof: JsonObject | None, labels: Labels) -> Blocks:
    """The position of the decision (or result) in the audit log, and the signed head over it."""
    if proof is None:
        return [Block("paragraph", (text_line(labels("not_in_trail")),))]
    return [
        pairs(
            [
                (labels("trail_entry"), f"{proof['index'] + 1} / {proof['size']}"),
                (labels("trail_hash"), proof["leaf"]),
            ]
        ),
        Block("paragraph", (text_line(labels("trail_head")),)),
        Block("code", text=proof["note"].rstrip()),
        Block("paragraph", (text_line(labels("trail_path")),)),
        Block("code", text="\n".join(proof["path"]) or "–"),
        Block("paragraph", (text_line(labels("trail_check")),), role="small"),
    ]


def _edit(edit: Edit, labels: Labels) -> Line:
    old = Span(edit.old, "old") if edit.old else Span(labels("new"), "em")
    new = Span(edit.new, "new") if edit.new else Span(labels("removed"), "em")
    return Line((Span(f"{edit.place}: "), old, Span(" → "), new))


def _verbs(content: Content, labels: Labels) -> Blocks:
    lines = []
    for verb in content.verbs:
        outcome = [labels(verb.label), *(text for text in (verb.changed, verb.error) if text)]
        lines.append(Line((Span(f"{VERB_MARKS.get(verb.state, '·')} "), Span(verb.text, "code"))))
        lines.append(text_line(" · ".join(outcome), "quiet", depth=1))
    if not lines:
        return [Block("paragraph", (text_line(labels("none_executed")),))]
    return [Block("list", tuple(lines), role="verbs")]


def _limitations(content: Content, labels: Labels) -> Blocks:
    return _lines(content.limitations) or [_none(labels)]


def _methodology(content: Content, labels: Labels) -> Blocks:
    legal = content.legal or Legal()
    told = [Block("paragraph", (text_line(text),)) for text in legal.methodology]
    counted = [
        (labels.get(f"count_{key}", labels.field(human_label(key))), labels.get(f"word_{value}", value))
        for key, value in legal.counts
    ]
    if legal.citations:
        verified = f"{legal.verified}/{len(legal.works)}"
        counted.append((labels("citations_checked"), verified))
    return [*told, pairs([*counted, *content.methodology])]


def _next_steps(content: Content, labels: Labels) -> Blocks:
    legal = content.legal or Legal()
    found = _lines(content.next_steps) or [_none(labels)]
    if legal.queries:
        found += [_heading(labels("queries")), *_lines(legal.queries)]
    if legal.topics:
        found += [_heading(labels("topics")), Block("paragraph", (text_line(", ".join(legal.topics)),))]
    return found


def _disclaimer(content: Content, labels: Labels) -> Blocks:
    key = "disclaimer_legal" if content.legal else "disclaimer"
    return [Block("paragraph", (text_line(labels(key)),), role="small")]


def note_lines(content: Content, labels: Labels) -> dict[str, Line]:
    """The notes by key: quotes as ``q1``, citations of a legal memo as ``c1``."""
    notes = {f"q{note.number}": _quote(note, labels) for note in content.quotes}
    for number, cited in enumerate(content.legal.citations if content.legal else (), start=1):
        mark = Span(f"{MARKS[cited.verdict]} {labels(cited.word)}", _STYLES[cited.verdict])
        parts = list(filter(None, told_of(cited, "", labels("as_of"))))
        told = [Span(f" · {' · '.join(parts)}")] if parts else []
        notes[f"c{number}"] = Line((Span(f"{cited.text}: "), mark, *told))
    return notes


def _quote(note: Footnote, labels: Labels) -> Line:
    source = [f"{labels('source')} {note.source}", note.title] if note.source else []
    mark = Span(f"{MARKS[note.verdict]} {labels(note.label)}", _STYLES[note.verdict])
    before = "".join(f" · {part}" for part in source if part)
    after = [Span(f" · {note.places}", "quiet")] if note.places else []
    return Line((Span(f"“{note.quote}”"), Span(f"{before} · "), mark, *after))


def _lines(texts: list[str] | tuple[str, ...]) -> Blocks:
    return [Block("list", tuple(text_line(text) for text in texts))] if texts else []


def _heading(text: str, level: int = 4) -> Block:
    return Block("heading", (text_line(text),), level=level)


def _none(labels: Labels) -> Block:
    return Block("paragraph", (text_line(f"{labels('none')}."),))


def _owners(content: Content, labels: Labels) -> Blocks:
    """A picture of each structure, with its rule below it."""
    blocks: Blocks = []
    for chart in content.owners:
        rows = tuple(text_line(text, depth=min(level, MAX_LEVELS)) for level, text in chart.rows)
        blocks.append(Block("picture", rows, text=chart.title, pages=tuple(chart.pages)))
        blocks.append(Block("paragraph", (text_line(chart.rule),), role="small"))
    return blocks


_SECTIONS: Mapping[str, Callable[[Content, Labels], Blocks]] = {
    "summary": _summary,
    "report": _report,
    "findings": _findings,
    "owners": _owners,
    "citations": _citations,
    "conflicts": _conflicts,
    "precedents": _precedents,
    "methodology": _methodology,
    "limitations": _limitations,
    "next_steps": _next_steps,
    "sources": _sources,
    "decision": _decision,
    "verbs": _verbs,
    "terminology": _terminology,
    "disclaimer": _disclaimer,
}
