"""Reading the final document out of a model's last words."""

import re
from dataclasses import dataclass

from research.jsontext import Json, JsonTextError, parse_json

_FENCE = re.compile(r"^[ \t]*```[a-zA-Z]*[ \t]*\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)


class NoDocument(ValueError):
    """The text holds no JSON document that can be stored."""


@dataclass(frozen=True)
class FinalDocument:
    """The document, and whether it had to be taken out of surrounding text."""

    data: Json
    repaired: bool


def read_document(text: str) -> FinalDocument:
    """The one JSON object that ``text`` is, or that stands alone in one Markdown fence.

    Raises:
        NoDocument: nothing or several things to choose from; nothing is guessed, a truncated text is never completed.
    """
    try:
        return FinalDocument(_object(text), repaired=False)
    except JsonTextError as error:
        fault = error
    blocks = _FENCE.findall(text)
    if len(blocks) != 1:
        raise NoDocument(f"the answer is not one JSON document: {fault}") from None
    try:
        return FinalDocument(_object(blocks[0]), repaired=True)
    except JsonTextError as error:
        raise NoDocument(f"the fenced block is not JSON: {error}") from None


def _object(text: str) -> Json:
    data = parse_json(text)
    if not isinstance(data, dict):
        raise JsonTextError(f"the document is a {type(data).__name__}, not an object")
    return data
