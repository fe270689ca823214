"""``tables``: a spreadsheet that is kept, to be read by a run."""

from collections.abc import Mapping
from typing import IO, Any, cast

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from common.tables import CSV, MAX_BYTES, BadTable
from entities.api.permissions import CanView
from research.api.people import person
from research.services.access import START
from research.services.tables import keep_table, kept_table, suggest_reading

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class SpreadsheetParser(BaseParser):
    """The bytes of the file."""

    media_type = CSV

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        return stream.read(MAX_BYTES + 1)


class WorkbookParser(SpreadsheetParser):
    media_type = XLSX


class TableSerializer(serializers.Serializer[Any]):
    """A kept table: its digest, and how it would be read. Columns count from 1."""

    table = serializers.CharField()
    rows = serializers.IntegerField()
    header_row = serializers.IntegerField()
    columns = serializers.DictField(child=serializers.IntegerField())


class TableList(APIView):
    """Spreadsheets that people send."""

    permission_classes = [CanView]
    may_view = START
    parser_classes = [SpreadsheetParser, WorkbookParser]

    @extend_schema(
        parameters=[OpenApiParameter("name", str, description="The name of the file.")],
        request={CSV: OpenApiTypes.BINARY, XLSX: OpenApiTypes.BINARY},
        responses={201: TableSerializer},
    )
    def post(self, request: Request) -> Response:
        """Keep a spreadsheet, CSV or XLSX, sent as the body; the same table is kept once.

        Start ``owners-from-table`` with the answer's ``table``, ``header_row`` and ``columns``.
        """
        name = request.query_params.get("name", "")[:200] or "Spreadsheet"
        try:
            kept = keep_table(content=cast(bytes, request.data), name=name, actor=person(request))
        except BadTable as error:
            raise ValidationError({"body": [str(error)]}) from None
        table = kept_table(kept)
        suggested = {
            name: value for name, value in suggest_reading(table).items() if name in ("header_row", "columns")
        }
        return Response({"table": kept.digest, "rows": len(table.rows), **suggested}, status.HTTP_201_CREATED)
