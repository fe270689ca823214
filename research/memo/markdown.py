"""A memo as CommonMark. Found text is escaped: it can neither format nor link nor bring HTML along."""

import re

from research.memo.content import Content, OpenPoint, Pairs, VerbLine
from research.memo.edits import Edit
from research.memo.findings import Group, Point, Value
from research.memo.labels import Labels
from research.memo.prose import Block, Line
from research.memo.quotes import Footnote

MARKS = {"pass": "✓", "warn": "!", "fail": "✗", "unknown": "?"}
VERB_MARKS = {"succeeded": "✓", "failed": "✗"}
# "_" between letters and a "&" before a blank mean nothing; "@" and "#" are links on some hosts, "~" and "$" formats.
_SPECIAL = re.compile(r"[\\`*\[\]<>~|$@#]|&(?=[#\w])|(?<![^\W_])_|_(?![^\W_])")
_LEADING = re.compile(r"^([-+=]|\d{1,9}(?=[.)](?:\s|$)))")
_ADDRESS = re.compile(r":(?=//)|(?<=www)\.|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)
_BREAKS = re.compile(r"[\s\x1c-\x1f\x85\u2028\u2029]+")
_ACTING = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def as_markdown(content: Content, labels: Labels, *, bullets: bool = False) -> str:
    """The whole memo, or its short form: summary, limitations, next steps."""
    parts = [f"# {escape(content.title)}", escape(content.kind), f"**{escape(content.status)}**"]
    parts += [_pairs(content.facts), _section(labels("summary"), _summary(content, labels))]
    if not bullets:
        parts += _body(content, labels)
    parts.append(_section(labels("limitations"), _list(content.limitations, labels)))
    if not bullets:
        parts.append(_section(labels("methodology"), _pairs(content.methodology)))
    parts.append(_section(labels("next_steps"), _list(content.next_steps, labels)))
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """One line of text that CommonMark shows as it is; characters that turn or steer text are shown by number."""
    line = _SPECIAL.sub(lambda found: f"\\{found[0]}", _visible(text))
    line = _ADDRESS.sub(lambda found: f"\\{found[0]}", line)
    return _LEADING.sub(lambda found: _escaped_start(found[0]), line)


def _visible(text: str) -> str:
    return _ACTING.sub(lambda found: f"U+{ord(found[0]):04X}", _BREAKS.sub(" ", text).strip())


def _escaped_start(start: str) -> str:
    """A number is a list only with its point, so the point is escaped."""
    return f"{start}\\" if start.isdigit() else f"\\{start}"


def _section(title: str, body: str) -> str:
    return f"## {escape(title)}\n\n{body}"


def _list(lines: list[str], labels: Labels) -> str:
    return "\n".join(f"- {escape(line)}" for line in lines) or f"{labels('none')}."


def _pairs(pairs: Pairs) -> str:
    return "\n".join(f"- **{escape(name)}:** {escape(value)}" for name, value in pairs)


def _summary(content: Content, labels: Labels) -> str:
    answer = [*_pairs(content.answer).split("\n"), ""] if content.answer else []
    told = [f"- {escape(line)}" for line in (content.backing, content.verification, *content.summary) if line]
    lines = [*answer, _tally(content, labels), *told]
    if content.points:
        lines += ["", f"**{escape(labels('points'))}**", ""]
        lines += [_open_point(point, labels) for point in content.points]
    return "\n".join(lines)


def _tally(content: Content, labels: Labels) -> str:
    if not content.tally:
        return f"- {escape(labels('no_checks'))}"
    total = sum(count for _, count in content.tally)
    words = ", ".join(labels.count(f"tally_{verdict}", count) for verdict, count in content.tally)
    return f"- {labels.count('checks_run', total)}: {words}."


def _open_point(point: OpenPoint, labels: Labels) -> str:
    return f"- {_point(point, labels)} ({escape(point.places)})"


def _point(point: Point | OpenPoint, labels: Labels) -> str:
    return f"{MARKS[point.verdict]} {labels(point.verdict)}: {escape(point.message)}"


def _body(content: Content, labels: Labels) -> list[str]:
    found = [_chapter(group, labels, alone=len(content.findings) == 1) for group in content.findings]
    verbs = [_verb(verb, labels) for verb in content.verbs] or [labels("none_executed")]
    sources = [_source(source) for source in content.sources] or [f"{labels('none')}."]
    return [
        *_report(content, labels),
        f"## {labels('findings')}",
        *(found or [f"{labels('none')}."]),
        _section(labels("sources"), "\n".join([*sources, *_quotes(content, labels)])),
        _section(labels("decision"), _decision(content, labels)),
        _section(labels("verbs"), "\n".join(verbs)),
    ]


def _report(content: Content, labels: Labels) -> list[str]:
    if not content.report:
        return []
    return [f"## {labels('report')}", *map(_prose, content.report)]


def _prose(block: Block) -> str:
    """A block of the report, its text escaped like everything that was found."""
    if block.kind == "code":
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", block.text)), default=0))
        return "\n".join([fence, *map(_visible_line, block.text.splitlines()), fence])
    if block.kind == "table":
        head, *rows = ["| " + " | ".join(map(_spans, row)) + " |" for row in block.rows]
        return "\n".join([head, "|" + " --- |" * len(block.rows[0]), *rows])
    if block.kind == "list":
        return "\n".join(
            f"{'   ' * line.depth}{f'{line.mark}.' if line.mark else '-'} {_spans(line)}"
            for line in block.lines
        )
    text = " ".join(map(_spans, block.lines))
    if block.kind == "heading":
        return f"{'#' * min(block.level + 2, 6)} {text}"
    return f"> {text}" if block.kind == "quote" else text


def _spans(line: Line) -> str:
    marks = {"strong": "**", "em": "*"}
    parts = []
    for span in line.spans:
        if span.style == "code":
            parts.append(_code(span.text))
            continue
        inner = escape(span.text)
        mark = marks.get(span.style, "") if inner else ""
        lead = " " * (not mark and span.text[:1].isspace() and bool(parts))
        tail = " " * (not mark and span.text[-1:].isspace())
        parts.append(f"{lead}{mark}{inner}{mark}{tail}")
    return "".join(parts).strip()


def _visible_line(text: str) -> str:
    return _ACTING.sub(lambda found: f"U+{ord(found[0]):04X}", text.replace("\t", "    "))


def _chapter(group: Group, labels: Labels, *, alone: bool) -> str:
    """A group at the top: a heading, a line for each value, and the groups in it."""
    lines = [] if alone and not group.label else [f"### {escape(group.label or labels('other'))}", ""]
    lines += [f"{_refs(group.notes).strip()}", ""] if group.notes else []
    lines += [f"- {_point(point, labels)}" for point in group.points]
    for value in group.values:
        lines += _value_lines(value, labels, 0)
    for inner in group.groups:
        lines += _group_lines(inner, labels, 0)
    return "\n".join(lines)


def _group_lines(group: Group, labels: Labels, depth: int) -> list[str]:
    """A group further down: its short values on one line, what is long or open below."""
    indent = "  " * depth
    inline = " · ".join(_inline(value, labels) for value in group.short_values)
    head = f"{indent}- **{escape(group.label)}**{_refs(group.notes)}" + (f" · {inline}" if inline else "")
    lines = [head, *(f"{indent}  - {_point(point, labels)}" for point in group.all_points)]
    for value in group.long_values:
        lines += _value_lines(value, labels, depth + 1)
    for inner in group.groups:
        lines += _group_lines(inner, labels, depth + 1)
    return lines


def _value_lines(value: Value, labels: Labels, depth: int) -> list[str]:
    indent = "  " * depth
    points = [f"{indent}  - {_point(point, labels)}" for point in value.points]
    return [f"{indent}- {_inline(value, labels)}", *points]


def _inline(value: Value, labels: Labels) -> str:
    text = escape(value.text)
    if value.was is not None:
        text = f"{escape(value.was) or labels('new')} → **{text}**"
    name = f"{escape(value.label)}: " if value.label else ""
    checks = [f"✓ {labels.count('checks_pass', value.passed)}"] if value.passed else []
    checks += [f"? {labels('unknown')}: {escape(', '.join(value.unknown))}"] if value.unknown else []
    return f"{name}{text}{_refs(value.notes)}" + (f" ({'; '.join(checks)})" if checks else "")


def _quotes(content: Content, labels: Labels) -> list[str]:
    """The footnotes; a quote that is not borne out says so."""
    if not content.quotes:
        return []
    return ["", f"**{escape(labels('quotes'))}**", "", *(_quote(note, labels) for note in content.quotes)]


def _quote(note: Footnote, labels: Labels) -> str:
    source = [f"{labels('source')} {note.source}", note.title] if note.source else []
    told = [f"{MARKS[note.verdict]} {labels(note.label)}", note.places]
    parts = [f"“{escape(note.quote)}”", *(escape(part) for part in [*source, *told] if part)]
    return f"- \\[q{note.number}\\] {' · '.join(parts)}"


def _refs(notes: tuple[int, ...]) -> str:
    return "".join(f" \\[q{number}\\]" for number in notes)


def _source(source: dict[str, object]) -> str:
    extra = [str(source[key]) for key in ("snippet", "url", "as_of") if source[key]]
    return f"{source['number']}. {' · '.join(map(escape, [str(source['title']), *extra]))}"


def _decision(content: Content, labels: Labels) -> str:
    if not content.decision:
        return escape(labels("not_decided"))
    lines = [_pairs(content.decision)]
    if content.edits:
        lines += ["", f"**{escape(labels('edits'))}**", "", *(_edit(edit, labels) for edit in content.edits)]
    return "\n".join(lines)


def _edit(edit: Edit, labels: Labels) -> str:
    old = escape(edit.old) or f"*{labels('new')}*"
    new = f"**{escape(edit.new)}**" if edit.new else f"*{labels('removed')}*"
    return f"- {escape(edit.place)}: {old} → {new}"


def _verb(verb: VerbLine, labels: Labels) -> str:
    outcome = [labels(verb.label), *(text for text in (verb.changed, verb.error) if text)]
    mark = VERB_MARKS.get(verb.state, "·")
    return f"- {mark} {_code(verb.text)}\n  - {' · '.join(map(escape, outcome))}"


def _code(text: str) -> str:
    """A code span that no run of backticks in the text can close."""
    line = _visible(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}"
