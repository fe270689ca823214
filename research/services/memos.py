"""Composing memos."""

import hashlib

from django.db import transaction

from common.transactions import retried
from research import audit
from research.audit.proofs import NoProof, prove_now
from research.errors import InvalidParameters, ParamError
from research.jsontext import JsonObject
from research.memo.content import Content, build
from research.memo.formats import write
from research.memo.labels import LANGUAGES, Labels, labels_for
from research.memo.sample import sample_content
from research.memo.template import Template
from research.models import AuditEvent, Decision, Memo, ResearchResult
from research.models.memo import MemoFormat, MemoStyle
from research.services.access import VIEW_RESULT, Person, require
from research.services.macros import definition_of
from research.services.memo_templates import SHIPPED, find_template

STORED = ResearchResult.objects.select_related("run__macro", "run__requested_by")


@retried
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
        NotPermitted: for a person who may not see results; the machine itself is nobody.
        InvalidParameters: for a style, format, language or template that memos do not have.
        FormatUnavailable: when it is too large for the format.
    """
    if actor is not None:
        require(actor, VIEW_RESULT)
    style, format = style or usual_style(result, format), format or MemoFormat.MARKDOWN.value
    _check(style=style, format=format, language=language)
    chosen, row = find_template(template or SHIPPED, language)
    labels = labels_for(language)
    content = _content(result, labels, _proof(result))
    body = write(content, labels, style=style, format=format, template=chosen)
    with transaction.atomic():
        memo, created = Memo.objects.get_or_create(
            result=result,
            style=style,
            format=format,
            language=language,
            template_digest=chosen.digest,
            digest=hashlib.sha256(body).hexdigest(),
            defaults={
                "body": body,
                "decision": Decision.objects.filter(result=result).first(),
                "template": row,
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
        InvalidParameters, FormatUnavailable: as ``compose_memo``.
    """
    _check(format=format, language=language)
    labels = labels_for(language)
    content = _content(result, labels) if result else sample_content(labels)
    return write(content, labels, style="memo", format=format, template=template)


def _content(result: ResearchResult, labels: Labels, proof: JsonObject | None = None) -> Content:
    stored = STORED.get(pk=result.pk)
    return build(stored, definition_of(stored.run.macro).schema, labels, proof)


def _proof(result: ResearchResult) -> JsonObject | None:
    """That the audit trail holds the decision about a result, or the result itself while nobody has decided."""
    decision = Decision.objects.filter(result=result).first()
    subject, row = (result, decision) if decision else (result.run, result)
    vouching = AuditEvent.objects.filter(
        object_type=subject._meta.model_name,
        object_id=str(subject.pk),
        witnessed__has_key=f"{row._meta.model_name}:{row.pk}",
    )
    event = vouching.order_by("pk").first()
    try:
        return prove_now(event) if event else None
    except NoProof:
        return None


def _check(**options: str) -> None:
    allowed = {"style": Memo.Style.values, "format": Memo.Format.values, "language": list(LANGUAGES)}
    errors = [
        ParamError(name, f"{value!r} is not one of: {', '.join(allowed[name])}", allowed[name])
        for name, value in options.items()
        if value not in allowed[name]
    ]
    if errors:
        raise InvalidParameters(errors)
