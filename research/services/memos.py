"""Composing memos."""

import hashlib
from dataclasses import dataclass

from django.db import transaction

from research import audit
from research.errors import FormatUnavailable, InvalidParameters, ParamError
from research.memo.blocks import Document
from research.memo.content import Content, build
from research.memo.document import compose
from research.memo.formats import write
from research.memo.labels import LANGUAGES, Labels, labels_for
from research.memo.pdf import page_of, takes_long
from research.memo.sample import sample_content
from research.memo.template import Template
from research.models import Decision, Memo, MemoTemplate, ResearchResult
from research.models.memo import MemoFormat, MemoStyle
from research.services.access import Person
from research.services.macros import definition_of
from research.services.memo_templates import SHIPPED, find_template

PREVIEW_TOO_LONG = (
    "This memo is too long to be set as PDF for a preview. Take DOCX, the sample or a shorter result; or save the "
    "template: a memo of it is set in the background, however long it is."
)
STORED = ResearchResult.objects.select_related("run__macro", "run__requested_by")


@dataclass(frozen=True)
class Draft:
    """A memo before it is bytes."""

    result: ResearchResult
    style: str
    format: str
    content: Content
    labels: Labels
    template: Template
    row: MemoTemplate | None

    def document(self) -> Document:
        return compose(self.content, self.labels, self.template, bullets=self.style == MemoStyle.BULLETS)


def compose_memo(
    *,
    result: ResearchResult,
    style: str = "",
    format: str = "",
    language: str = "en",
    template: str = "",
    actor: Person | None = None,
) -> Memo:
    """Write a memo about a result as it is stored; the same rows give the same bytes and the same memo row.

    Without a style it has the usual one, without a format it is Markdown.

    Raises:
        InvalidParameters: for a style, format, language or template that memos do not have.
        FormatUnavailable: for a format that needs what this machine lacks.
    """
    draft = draft_memo(result=result, style=style, format=format, language=language, template=template)
    return write_draft(draft, actor=actor)


def draft_memo(
    *, result: ResearchResult, style: str = "", format: str = "", language: str = "en", template: str = ""
) -> Draft:
    """What ``compose_memo`` would write. Raises InvalidParameters as it does."""
    style, format = style or usual_style(result, format), format or MemoFormat.MARKDOWN.value
    _check(style=style, format=format, language=language)
    chosen, row = find_template(template or SHIPPED, language)
    return Draft(result, style, format, _content(result, language), labels_for(language), chosen, row)


def write_draft(draft: Draft, *, actor: Person | None = None) -> Memo:
    """The bytes of a draft, kept. Raises FormatUnavailable."""
    style, format, result, chosen = draft.style, draft.format, draft.result, draft.template
    body = write(draft.content, draft.labels, style=style, format=format, template=chosen)
    with transaction.atomic():
        memo, created = Memo.objects.get_or_create(
            result=result,
            style=style,
            format=format,
            language=draft.labels.language,
            template_digest=chosen.digest,
            digest=hashlib.sha256(body).hexdigest(),
            defaults={
                "body": body,
                "decision": Decision.objects.filter(result=result).first(),
                "template": draft.row,
            },
        )
        if created:
            told = {"template": chosen.name, "template_version": chosen.version}
            audit.record("memo.composed", memo, actor, result=str(result.pk), digest=memo.digest, **told)
    return memo


def usual_style(result: ResearchResult, format: str = "") -> str:
    """The style that a legal run was asked to have (``outputFormat``), else the whole memo.

    Data has no pages: who asks for another format than JSON by name gets the whole memo in it.
    """
    asked = result.run.params.get("outputFormat") if result.run.workflow == "legal" else None
    if asked not in MemoStyle.values or (asked == MemoStyle.JSON and format not in ("", MemoFormat.JSON)):
        return MemoStyle.MEMO.value
    return str(asked)


def preview_memo(
    *, template: Template, result: ResearchResult | None = None, format: str = "html", language: str = "en"
) -> bytes:
    """A memo as a template would make it, of a result or of a sample; nothing is stored.

    Raises:
        InvalidParameters, FormatUnavailable: as ``compose_memo``, the latter also for a PDF that takes long: a
            preview has no row that a worker could fill.
    """
    _check(format=format, language=language)
    labels = labels_for(language)
    content = _content(result, language) if result else sample_content(labels)
    if format == MemoFormat.PDF and takes_long(page_of(compose(content, labels, template))):
        raise FormatUnavailable(PREVIEW_TOO_LONG)
    return write(content, labels, style="memo", format=format, template=template)


def _content(result: ResearchResult, language: str) -> Content:
    stored = STORED.get(pk=result.pk)
    return build(stored, definition_of(stored.run.macro).schema, labels_for(language))


def _check(**options: str) -> None:
    allowed = {"style": Memo.Style.values, "format": Memo.Format.values, "language": list(LANGUAGES)}
    errors = [
        ParamError(name, f"{value!r} is not one of: {', '.join(allowed[name])}", allowed[name])
        for name, value in options.items()
        if value not in allowed[name]
    ]
    if errors:
        raise InvalidParameters(errors)
