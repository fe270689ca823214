"""Helpers of the Swiss law tools: declaring them, and showing and archiving what they find."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import wraps
from typing import Any, TypeAlias

from django.utils import timezone

from citations.mention import LANGUAGES
from common.outside.faults import SourceFault
from research.jsontext import JsonObject
from research.tools.tool import Answer, Available, Run, ToolContext, ToolError, tool

Schemas: TypeAlias = Mapping[str, JsonObject]
SUMMARY = 600


def words(least: int, most: int, about: str = "") -> JsonObject:
    """The schema of a text with at most this many characters."""
    schema = {"type": "string", "minLength": least, "maxLength": most}
    return {**schema, "description": about} if about else schema


def up_to(most: int, usual: int = 10) -> JsonObject:
    """The schema of the number of results."""
    return {"type": "integer", "minimum": 1, "maximum": most, "default": usual}


LANGUAGE: JsonObject = {"type": "string", "enum": list(LANGUAGES), "default": "de"}
ACT = words(1, 80, "The act: its abbreviation in any language (OR, CO) or its SR number (220)")
ARTICLE = words(1, 12, "The article: 97, 336c, 305bis")


@dataclass(frozen=True)
class Work:
    """A decision, an article or a commentary. ``key`` identifies it in the archive, ``date`` is the day it is from."""

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
        """An entry of a list of results."""
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
        """A source with its text, so that quotes can be checked against it."""
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


def law_tool(
    available: Available, name: str, about: str, *, needs: Schemas | None = None, may: Schemas | None = None
) -> Callable[[Run], Run]:
    """Enter a tool that asks a source: the arguments it ``needs``, and those it ``may`` be given, each by its schema.

    It is offered where the source is set up. What a call leaves out is filled in with the schema's ``default``, and
    trouble with the source is a refusal, which is never an absence.
    """
    properties = {**(needs or {}), **(may or {})}
    defaults = {key: schema["default"] for key, schema in properties.items() if "default" in schema}
    parameters: JsonObject = {"required": list(needs or {}), "properties": properties}

    def enter(run: Run) -> Run:
        @wraps(run)
        def asked(arguments: JsonObject, context: ToolContext) -> Answer:
            try:
                return run({**defaults, **arguments}, context)
            except SourceFault as fault:
                detail = {"retry_after": fault.retry_after} if fault.retry_after else {}
                raise ToolError(
                    fault.code, fault.message, retryable=fault.retryable, source=fault.source, **detail
                ) from fault

        return tool(name, about, parameters, available=available)(asked)

    return enter


def day(arguments: JsonObject, name: str) -> date | None:
    """The day that an argument names. Raises ToolError for an invalid date."""
    value: Any = arguments.get(name)
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        raise ToolError("bad_arguments", f"{name} is not a day.") from None
