"""Run all checks of a document. Findings never raise."""

from collections.abc import Callable, Sequence
from datetime import date

from entities.gleif.policy import Policy
from entities.gleif.verification import Records
from research.checks.leis import check_leis
from research.checks.ownership import check_ownership
from research.checks.quotes import FindSource, check_quotes
from research.checks.schema import check_schema
from research.checks.verdict import Verdict
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
    check_lists: Callable[[Json], list[Verdict]] = lambda data: [],
    check_cited: Callable[[Json], list[Verdict]] = lambda data: [],
) -> list[Verdict]:
    """Verdicts on the schema, then on LEIs, ownership, lists, citations and quotes."""
    leis = check_leis(data, register, today=today, policy=policy)
    quotes = check_quotes(data, evidence, find_source) if evidence else []
    owners = check_ownership(data, today=today)
    return check_schema(data, schema) + leis + owners + check_lists(data) + check_cited(data) + quotes
