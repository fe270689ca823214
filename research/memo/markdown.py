"""A memo as CommonMark. Found text is escaped: it can neither format nor link nor bring HTML along."""

import re

from research.memo.content import Content, Line
from research.memo.labels import Labels

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$&:])")
_BREAKS = re.compile(r"[\s\x85\u2028\u2029]+")
MARKS = {"pass": "✓", "warn": "!", "fail": "✗", "unknown": "?"}


def as_markdown(content: Content, labels: Labels, *, bullets: bool = False) -> str:
    """The whole memo, or its short form: summary, limitations, next steps."""
    parts = [f"# {escape(content.title)}", f"**{escape(content.subtitle)}**", _pairs(content.facts)]
    parts.append(_section(labels("summary"), _list(content.summary, labels)))
    if not bullets:
        parts += _body(content, labels)
    parts.append(_section(labels("limitations"), _list(content.limitations, labels)))
    if not bullets:
        parts.append(_section(labels("methodology"), _pairs(content.methodology)))
    parts.append(_section(labels("next_steps"), _list(content.next_steps, labels)))
    return "\n\n".join(part for part in parts if part) + "\n"


def escape(text: str) -> str:
    """One line of text that CommonMark shows as it is."""
    return _SPECIAL.sub(r"\\\1", _BREAKS.sub(" ", text).strip())


def _body(content: Content, labels: Labels) -> list[str]:
    decided = [*content.decisions, *content.edits]
    return [
        _section(labels("findings"), "\n".join(_finding(line, labels) for line in content.findings)),
        _section(labels("sources"), "\n".join(map(_source, content.sources)) or labels("none")),
        _section(labels("decision"), _list(decided, labels)),
        _section(labels("verbs"), "\n".join(_verb(verb, labels) for verb in content.verbs) or labels("none")),
    ]


def _section(title: str, body: str) -> str:
    return f"## {title}\n\n{body}"


def _list(lines: list[str], labels: Labels) -> str:
    return "\n".join(f"- {escape(line)}" for line in lines) or labels("none")


def _pairs(pairs: list[tuple[str, str]]) -> str:
    return "\n".join(f"- **{escape(name)}:** {escape(value)}" for name, value in pairs)


def _finding(line: Line, labels: Labels) -> str:
    indent = "  " * line.depth
    text = f"{indent}- **{escape(line.label)}**" + ("" if line.heading else f": {escape(line.value)}")
    if line.was is not None:
        text += f" ({labels('was')}: {escape(line.was) or '–'})"
    checks = [
        f"{indent}  - {MARKS[check.verdict]} {labels(check.verdict)}: {escape(check.message)}"
        for check in line.checks
    ]
    return "\n".join([text, *checks])


def _source(source: dict[str, object]) -> str:
    as_of = f", {escape(str(source['as_of']))}" if source["as_of"] else ""
    return f"{source['number']}. {escape(str(source['title']))}: {escape(str(source['url']))}{as_of}"


def _verb(verb: dict[str, object], labels: Labels) -> str:
    error = f": {escape(str(verb['error']))}" if verb["error"] else ""
    return f"- {escape(str(verb['text']))} – {verb['state']}, {verb['changed']} {labels('changes')}{error}"
