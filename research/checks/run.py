"""All checks of a document, in one call that never raises for what it finds."""

from collections.abc import Callable, Sequence
from datetime import date

from entities.gleif.policy import Policy
from entities.gleif.verification import Records
from research.checks.base import Verdict
from research.checks.leis import check_leis
from research.checks.quotes import FindSource, check_quotes
from research.checks.schema import check_schema
from research.jsontext import Json, JsonObject


def check_data(
    data: Json,
    schema: JsonObject,
    register: Records,
    *,
    today: date,
    policy: Policy | None = None,
    evidence: Sequence[JsonObject] = (),
    find_source: FindSource = lambda number: None,
    check_cited: Callable[[Json], list[Verdict]] = lambda data: [],
) -> list[Verdict]:
    """Schema verdicts, then those of every LEI, of every citation, and of the quotes that were given for the data."""
    leis = check_leis(data, register, today=today, policy=policy)
    quotes = check_quotes(data, evidence, find_source) if evidence else []
    return check_schema(data, schema) + leis + check_cited(data) + quotes
