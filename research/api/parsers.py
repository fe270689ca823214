"""Reading request bodies: the same strict JSON as everywhere else."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from research.jsontext import MAX_BYTES, Json, JsonTextError, parse_json


class StrictJSONParser(BaseParser):
    """Refuses what the database would refuse, with line and column."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Json:
        body = stream.read(MAX_BYTES + 1)
        try:
            return parse_json(body.decode("utf-8"))
        except UnicodeDecodeError:
            raise ParseError("the body is not UTF-8") from None
        except JsonTextError as error:
            raise ParseError(f"invalid JSON: {error}") from None
