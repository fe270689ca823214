"""From content to document: the sections of a template, in its order and with its words."""

from research.memo.blocks import Block, Document, Section, text_line
from research.memo.content import Content
from research.memo.labels import Labels
from research.memo.sections import note_lines, pairs, short_findings, write_section
from research.memo.template import SHORT, Part, Template

HEADINGS = {"disclaimer": "heading_disclaimer"}


def compose(content: Content, labels: Labels, template: Template, *, bullets: bool = False) -> Document:
    """The whole memo, or its short form: summary with one line per legal finding, limitations, next steps."""
    parts = [part for part in template.parts if not bullets or part.key in SHORT]
    sections = [_section(part, content, labels, template, bullets=bullets) for part in parts]
    return Document(
        language=labels.language,
        kind=content.kind,
        title=content.title,
        state=content.state,
        status=content.status,
        header=template.header,
        facts=pairs(content.facts, "facts"),
        sections=tuple(section for section in sections if section.blocks),
        notes={} if bullets else note_lines(content, labels),
        words=labels,
        look=template.look,
        date=content.date,
    )


def _section(part: Part, content: Content, labels: Labels, template: Template, *, bullets: bool) -> Section:
    """A section. An empty one is left out, with its introduction."""
    blocks = write_section(part.key, content, labels)
    if part.key == "disclaimer" and template.disclaimer:
        blocks = _words(template.disclaimer, "small")
    if part.key == "summary" and bullets:
        blocks += short_findings(content, labels)
    if blocks:
        blocks = [*_words(part.intro), *blocks, *_words(part.closing)]
    return Section(part.key, part.heading or labels(HEADINGS.get(part.key, part.key)), tuple(blocks))


def _words(text: str, role: str = "") -> list[Block]:
    """A person's own words: paragraphs without formatting."""
    parts = (part.strip() for part in text.replace("\r\n", "\n").split("\n\n"))
    return [Block("paragraph", (text_line(part),), role=role) for part in parts if part]
