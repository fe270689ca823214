"""Composing memos."""

import hashlib

from django.db import transaction

from research import audit
from research.errors import InvalidParameters, ParamError
from research.memo.content import build
from research.memo.formats import write
from research.memo.labels import LANGUAGES, labels_for
from research.models import Decision, Memo, ResearchResult
from research.services.access import Person
from research.services.macros import definition_of

STORED = ResearchResult.objects.select_related("run__macro", "run__requested_by")


def compose_memo(
    *,
    result: ResearchResult,
    style: str = "memo",
    format: str = "md",
    language: str = "en",
    actor: Person | None = None,
) -> Memo:
    """Write a memo about a result as it is stored; the same rows give the same bytes and the same memo row.

    Raises:
        InvalidParameters: for a style, format or language that memos do not have.
    """
    _check(style=style, format=format, language=language)
    labels, stored = labels_for(language), STORED.get(pk=result.pk)
    content = build(stored, definition_of(stored.run.macro).schema, labels)
    body = write(content, labels, style=style, format=format)
    with transaction.atomic():
        memo, created = Memo.objects.get_or_create(
            result=result,
            style=style,
            format=format,
            language=language,
            digest=hashlib.sha256(body).hexdigest(),
            defaults={"body": body, "decision": Decision.objects.filter(result=result).first()},
        )
        if created:
            audit.record("memo.composed", memo, actor, result=str(result.pk), digest=memo.digest)
    return memo


def _check(**options: str) -> None:
    allowed = {"style": Memo.Style.values, "format": Memo.Format.values, "language": list(LANGUAGES)}
    errors = [
        ParamError(name, f"{value!r} is not one of: {', '.join(allowed[name])}", allowed[name])
        for name, value in options.items()
        if value not in allowed[name]
    ]
    if errors:
        raise InvalidParameters(errors)
