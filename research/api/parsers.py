"""Reading request bodies: the same strict JSON as everywhere else."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

from research.jsontext import MAX_BYTES, Json, JsonTextError, parse_json


class TooLarge(APIException):
    """The body is larger than is read in one request."""

    status_code = 413
    default_code = "too_large"


class StrictJSONParser(BaseParser):
    """Refuses what the database would refuse, with line and column."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Json:
        body = stream.read(MAX_BYTES + 1)
        if len(body) > MAX_BYTES:
            raise TooLarge(f"A body of more than {MAX_BYTES:,} bytes is not read.")
        try:
            return parse_json(body.decode("utf-8"))
        except UnicodeDecodeError:
            raise ParseError("the body is not UTF-8") from None
        except JsonTextError as error:
            raise ParseError(f"invalid JSON: {error}") from None
