"""Bodies of up to 5 MB of text: JSON with a field ``text``, or the text itself."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from citations.api.refusals import TooLarge
from common.bounded_json import load_json

MAX_TEXT = 5_000_000  # bytes in UTF-8
MAX_BODY = 16_000_000  # JSON may write a letter in six bytes
TOO_LARGE = f"A text of more than {MAX_TEXT:,} bytes is not read in one request: send it in parts."


class LargeJson(BaseParser):
    """A JSON object."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            document = load_json(_body(stream, MAX_BODY))
        except ValueError as error:
            raise ParseError(f"invalid JSON: {str(error)[:200]}") from None
        if not isinstance(document, dict):
            raise ParseError("the body must be a JSON object")
        return document


class PlainText(BaseParser):
    """The text as it is; what else a request may say is left at its default."""

    media_type = "text/plain"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        return {"text": _body(stream, MAX_TEXT)}


def _body(stream: IO[Any], most: int) -> str:
    body: bytes = stream.read(most + 1)
    if len(body) > most:
        raise TooLarge(TOO_LARGE)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise ParseError("the body is not UTF-8") from None


def within_bounds(text: str) -> str:
    """The text. Raises TooLarge."""
    if len(text) > MAX_TEXT or len(text.encode("utf-8", "surrogatepass")) > MAX_TEXT:
        raise TooLarge(TOO_LARGE)
    return text
