"""What is asked of the database for one page does not grow with the number of runs that there ever were."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from research.models import Check, ResearchResult, Run, Step
from tests.factories import CheckFactory, MacroFactory, ResultFactory, RunFactory, StepFactory, UserFactory
from tests.plans import rows_read

RUNS, CALLS, CHECKS = 600, 4, 4
PAGE = 100
ENOUGH = (
    PAGE * 30
)  # rows of any one statement; a statement that meets the calls or checks of all runs reads 4,800
WHOLE = re.compile(r"^SELECT (COUNT\(\*\)|DISTINCT|MIN)|^(INSERT|UPDATE|SAVEPOINT|RELEASE)", re.IGNORECASE)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite does not tell what it has read"),
]


@pytest.fixture
def history():
    """Runs of some years, each with calls that were paid, a result and its checks."""
    macro = MacroFactory()
    runs = [RunFactory.build(macro=macro, state="succeeded") for _ in range(RUNS)]
    Run.objects.bulk_create(runs)
    steps = [
        StepFactory.build(run=run, kind="model", name="m", seq=seq) for run in runs for seq in range(CALLS)
    ]
    Step.objects.bulk_create(steps)
    results = [ResultFactory.build(run=run, state="rejected") for run in runs]
    ResearchResult.objects.bulk_create(results)
    checks = [CheckFactory.build(result=result, ordinal=n) for result in results for n in range(CHECKS)]
    Check.objects.bulk_create(checks)
    with connection.cursor() as cursor:
        ago = "created_at - interval '2 days' - random() * interval '3 years'"
        cursor.execute(
            f"UPDATE research_run SET created_at = {ago}, finished_at = created_at - interval '1 day'"
        )
        cursor.execute("ANALYZE research_run, research_step, research_researchresult, research_check")
        for other in (
            "seqscan",
            "hashjoin",
            "mergejoin",
        ):  # so few rows would be read as a whole, and rightly so
            cursor.execute(f"SET LOCAL enable_{other} = off")
    return runs


@pytest.fixture
def client():
    client = Client()
    client.force_login(UserFactory(is_superuser=True))
    return client


PAGES = (
    "/admin/research/run/",
    "/admin/research/run/?state__exact=succeeded",
    "/admin/research/run/{run}/change/",
    "/admin/research/researchresult/",
    "/api/v1/runs?page_size=50",
    "/api/v1/runs?state=succeeded&page_size=50",
    "/api/v1/runs/{run}",
    "/api/v1/results?page_size=50",
    "/api/v1/results?state=rejected&page_size=50",
)


def test_it_reads_what_it_shows(client, history):
    too_much = {}
    for page in PAGES:
        with CaptureQueriesContext(connection) as asked:
            answer = client.get(page.format(run=history[7].pk))
        assert answer.status_code == 200
        statements = [query["sql"] for query in asked if not WHOLE.match(query["sql"])]
        most = max(map(rows_read, statements))
        assert most > 0
        if most > ENOUGH:
            too_much[page] = most
    assert too_much == {}
