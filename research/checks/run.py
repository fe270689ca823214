"""All checks of a document, in one call that never raises for what it finds."""

from datetime import date

from entities.gleif.verification import Records
from research.checks.base import Verdict
from research.checks.leis import check_leis
from research.checks.schema import check_schema
from research.jsontext import Json, JsonObject


def check_data(data: Json, schema: JsonObject, register: Records, *, today: date) -> list[Verdict]:
    """Schema verdicts, then those of every LEI in the data."""
    return check_schema(data, schema) + check_leis(data, register, today=today)
