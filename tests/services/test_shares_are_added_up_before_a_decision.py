"""A result that gives away more of a company than there is cannot be approved without a reason."""

import pytest

from research.errors import ReasonRequired
from research.services.reviews import approve_result, preview_edits
from tests.services.conftest import ALLIANZ

pytestmark = pytest.mark.django_db
CHAIN = [
    {"owner_name": "Alpha AG", "owned_entity": "Allianz SE", "percentage": 70},
    {"owner_name": "Beta AG", "owned_entity": "Allianz SE", "percentage": 60},
]


def test_seventy_and_sixty_percent_of_one_company_need_a_reason(result, reviewer):
    edits = [{"op": "add", "path": "/ownership_chain", "value": CHAIN}]
    with pytest.raises(ReasonRequired):
        approve_result(result=result, reviewer=reviewer, digest=result.digest, edits=edits)
    decision = approve_result(
        result=result,
        reviewer=reviewer,
        digest=result.digest,
        edits=edits,
        reason="Ownership chain: both filed as joint holders",
    )
    assert {check["pointer"] for check in decision.checks if check["kind"] == "ownership"} == {
        "/ownership_chain/0/percentage",
        "/ownership_chain/1/percentage",
    }


def test_shares_that_add_up_need_none(result):
    chain = [CHAIN[0], {**CHAIN[1], "percentage": 30}]
    preview = preview_edits(result=result, edits=[{"op": "add", "path": "/ownership_chain", "value": chain}])
    assert [check.verdict for check in preview.checks if check.kind == "ownership"] == ["pass"]
    assert preview.data["lei"] == ALLIANZ
