"""What a source says against the report stands beside the report, with its words; approving needs a reason."""

import re

import pytest
from django.urls import reverse

from research.errors import DossierError
from research.models import ResearchResult
from research.models.states import RunState
from research.services.reviews import approve_result
from tests.deep import newsroom
from tests.deep.conftest import work
from tests.deep.newsroom import LINES, Sage
from tests.factories import ALL_RIGHTS, UserFactory

pytestmark = pytest.mark.django_db

SAYS = "In 2019 Acme SE of Munich bought Mill AG in Bern from the founding family."


def contradicted(request):
    """The claim on the owner is contradicted by the newspaper."""
    given = LINES["verdicts"](request)
    for part in re.split(r"(?=^Statement \d+: )", request.messages[0].text, flags=re.MULTILINE)[1:]:
        if "since 2019 is" in part.partition("\n")[0] and SAYS in part:
            number = int(re.match(r"Statement (\d+)", part)[1])
            source = int(re.findall(r"Source (\d+) \(", part[: part.find(SAYS)])[-1])
            entry = next(item for item in given["verdicts"] if item["claim"] == number)
            entry |= {"verdict": "CONTRADICTED", "evidence_quote": SAYS, "source": source}
    return given


@pytest.fixture
def result(ask, monkeypatch):
    """The newspaper is what the researcher read."""
    monkeypatch.setitem(newsroom.FOUND, "owner", newsroom.FOUND["owner"][::-1])
    run = work(ask(Sage(verdicts=contradicted)))
    assert run.state == RunState.SUCCEEDED, run.error
    return ResearchResult.objects.get(run=run)


def test_it_fails_with_what_the_source_says(result):
    (check,) = result.checks.filter(kind="claim", code="contradicted")
    assert (check.verdict, check.pointer) == ("fail", "/report")
    assert check.evidence["quote"] == SAYS
    assert result.fidelity["contradicted"] == 1
    assert "since 2019 is Acme SE of Munich [" in result.data["report"]


def test_it_stands_beside_the_report(result, client):
    client.force_login(UserFactory(rights=ALL_RIGHTS))
    html = client.get(reverse("admin:research_researchresult_review", args=[result.pk])).content.decode()
    assert "The source says otherwise." in html
    assert SAYS in html


def test_it_is_not_approved_without_a_reason(result):
    reviewer = UserFactory(rights=ALL_RIGHTS)
    with pytest.raises(DossierError):
        approve_result(result=result, reviewer=reviewer, digest=result.digest, edits=[], reason="")


def test_the_page_numbers_sources_as_the_report_does(result, client):
    client.force_login(UserFactory(rights=ALL_RIGHTS))
    html = client.get(reverse("admin:research_researchresult_review", args=[result.pk])).content.decode()
    side = html[html.index('id="source-1"') :]
    shown = [side.index(source["title"]) for source in result.data["sources"]]
    assert shown == sorted(shown)
    assert result.run.sources.get(number=1).title != result.data["sources"][0]["title"]
