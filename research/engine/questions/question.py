"""One question to a model outside any conversation: prompt, schema of the answer, and its reader."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from research.checks.schema import check_schema
from research.engine.answer import NoDocument, read_document
from research.jsontext import JsonObject

T = TypeVar("T")
MAX_FAULTS = 5


class BadAnswer(ValueError):
    """The answer is invalid. The text is a sentence for the model, which may try again."""


@dataclass(frozen=True)
class Question(Generic[T]):
    """``name`` is its place in the journal; ``read`` makes a value of a document that fits ``schema``."""

    name: str
    system: str
    prompt: str
    schema: JsonObject
    read: Callable[[JsonObject], T]
    max_tokens: int = 8_000

    def named(self, name: str) -> "Question[T]":
        return replace(self, name=name)


def read_answer(question: Question[T], text: str) -> T:
    """The value of a model's answer. Raises BadAnswer."""
    try:
        data = read_document(text).data
    except NoDocument as error:
        raise BadAnswer(str(error)) from None
    return read_data(question, data)


def read_data(question: Question[T], data: JsonObject) -> T:
    """The value of a document. Raises BadAnswer."""
    faults = [verdict for verdict in check_schema(data, question.schema) if verdict.verdict == "fail"]
    if faults:
        told = "; ".join(
            f"{fault.pointer or 'the document'}: {fault.message}" for fault in faults[:MAX_FAULTS]
        )
        raise BadAnswer(f"The answer does not fit the schema: {told}")
    return question.read(data)


def text_of(data: JsonObject, key: str, limit: int) -> str:
    """A text of the answer, stripped and cut to ``limit``."""
    value = data.get(key)
    return value.strip()[:limit] if isinstance(value, str) else ""


def object_schema(**properties: JsonObject) -> JsonObject:
    """A closed object that requires all properties, as strict modes of the vendors demand."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


def list_schema(items: JsonObject) -> JsonObject:
    return {"type": "array", "items": items}


TEXT: JsonObject = {"type": "string"}
FLAG: JsonObject = {"type": "boolean"}
NUMBER: JsonObject = {"type": "integer"}
