"""What the tools of Swiss law share: arguments, trouble as a value, how what was found is listed and archived."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import wraps
from typing import Any

from django.utils import timezone

from citations.mention import LANGUAGES
from citations.sources.faults import SourceUnavailable
from research.jsontext import JsonObject
from research.tools.base import Answer, ToolContext, ToolError

SUMMARY = 600
LANGUAGE = {"type": "string", "enum": list(LANGUAGES), "default": "de"}
ACT = {
    "type": "string",
    "minLength": 1,
    "maxLength": 80,
    "description": "The act: its abbreviation in any language (OR, CO) or its SR number (220)",
}
ARTICLE = {"type": "string", "minLength": 1, "maxLength": 12, "description": "The article: 97, 336c, 305bis"}


@dataclass(frozen=True)
class Work:
    """A decision, an article or a commentary: the archive knows it by ``key``, and ``date`` is the day it is of."""

    kind: str
    id: str
    key: str
    citation: str
    title: str
    url: str
    language: str
    date: str
    summary: str
    text: str
    found_by: str
    court: str = ""
    canton: str = ""
    year: int | None = None

    def row(self, **more: Any) -> JsonObject:
        """A line of a list."""
        names = (
            "kind",
            "id",
            "key",
            "citation",
            "title",
            "court",
            "canton",
            "date",
            "year",
            "language",
            "url",
        )
        shown: JsonObject = {name: getattr(self, name) for name in names}
        return {**shown, "summary": self.summary[:SUMMARY], **more}

    def source(self) -> JsonObject:
        """As the engine archives it: with its text, so that quotes can be held against it."""
        title = self.citation if self.title in self.citation else f"{self.citation} · {self.title}"
        return {
            "kind": "law",
            "key": self.key,
            "url": self.url,
            "title": title[:500],
            "snippet": self.text[:SUMMARY],
            "text": self.text,
            "mime": "text/plain",
            "language": self.language,
            "found_by": self.found_by,
            "as_of": timezone.localdate().isoformat() if self.kind == "decision" else self.date,
        }


def asking(run: Callable[[JsonObject, ToolContext], Answer]) -> Callable[[JsonObject, ToolContext], Answer]:
    """Trouble with a source as the refusal of a tool, which is never an absence."""

    @wraps(run)
    def asked(arguments: JsonObject, context: ToolContext) -> Answer:
        try:
            return run(arguments, context)
        except SourceUnavailable as fault:
            detail = {"retry_after": fault.retry_after} if fault.retry_after else {}
            raise ToolError(
                fault.code, fault.message, retryable=fault.retryable, source=fault.source, **detail
            ) from fault

    return asked


def day(arguments: JsonObject, name: str) -> date | None:
    """The day that an argument names. Raises ToolError for one that there is not."""
    value: Any = arguments.get(name)
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        raise ToolError("bad_arguments", f"{name} is not a day.") from None
