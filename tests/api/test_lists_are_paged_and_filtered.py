from datetime import timedelta

import pytest
from django.utils import timezone

from research.models import Run
from research.models.states import MacroStatus, ResultState, RunState
from tests.factories import EntityFactory, MacroFactory, ResultFactory, RunFactory, SessionFactory

pytestmark = pytest.mark.django_db


def ids(answer):
    assert answer.status_code == 200, answer.json()
    return {row["id"] for row in answer.json()["results"]}


def test_it_pages_by_cursor_while_rows_are_added(client, url):
    runs = [RunFactory() for _ in range(5)]
    page = client.get(url("runs"), {"page_size": 2}).json()
    RunFactory()
    seen = [row["id"] for row in page["results"]]
    while page["next"]:
        page = client.get(page["next"]).json()
        seen += [row["id"] for row in page["results"]]
    assert seen == [str(run.pk) for run in reversed(runs)]


def test_it_bounds_a_page(client, url):
    Run.objects.bulk_create(RunFactory.build_batch(205, macro=MacroFactory()))
    assert len(client.get(url("runs"), {"page_size": 10_000}).json()["results"]) == 200


def test_it_finds_runs_by_state_macro_session_and_trigger(client, url):
    session = SessionFactory()
    one = RunFactory(state=RunState.FAILED, session=session, trigger="api")
    two = RunFactory(state=RunState.RUNNING)
    RunFactory()
    assert ids(client.get(url("runs"), {"state": "failed"})) == {str(one.pk)}
    assert ids(client.get(url("runs"), {"state": ["failed", "running"]})) == {str(one.pk), str(two.pk)}
    assert ids(client.get(url("runs"), {"macro": two.macro.name})) == {str(two.pk)}
    assert ids(client.get(url("runs"), {"session": str(session.pk)})) == {str(one.pk)}
    assert ids(client.get(url("runs"), {"trigger": "api"})) == {str(one.pk)}


def test_it_finds_runs_by_time(client, url):
    old, new = RunFactory(), RunFactory()
    week_ago = timezone.now() - timedelta(days=7)
    Run.objects.filter(pk=old.pk).update(created_at=week_ago)
    border = (week_ago + timedelta(days=1)).isoformat()
    assert ids(client.get(url("runs"), {"created_before": border})) == {str(old.pk)}
    assert ids(client.get(url("runs"), {"created_after": border})) == {str(new.pk)}


def test_it_finds_results_by_state_macro_and_run(client, url):
    waiting, done = ResultFactory(), ResultFactory(state=ResultState.EXECUTED)
    assert ids(client.get(url("results"), {"state": "pending_review"})) == {str(waiting.pk)}
    assert ids(client.get(url("results"), {"macro": done.run.macro.name})) == {str(done.pk)}
    assert ids(client.get(url("results"), {"run": str(done.run_id)})) == {str(done.pk)}


def test_it_lists_active_macros_unless_asked_for_others(client, url):
    active, retired = MacroFactory(), MacroFactory(status=MacroStatus.RETIRED)
    names = [row["name"] for row in client.get(url("macros")).json()["results"]]
    assert names == [active.name]
    names = [row["name"] for row in client.get(url("macros"), {"status": "retired"}).json()["results"]]
    assert names == [retired.name]


def test_it_finds_entities_by_part_of_the_name_and_type(client, url):
    fund = EntityFactory(name="Allianz Global Fund", type="fund")
    EntityFactory(name="Siemens AG")
    assert ids(client.get(url("entities"), {"q": "global"})) == {str(fund.pk)}
    assert ids(client.get(url("entities"), {"type": "fund"})) == {str(fund.pk)}


@pytest.mark.parametrize("name", ["runs", "results", "sessions"])
def test_it_asks_the_database_no_more_often_for_a_longer_list(
    client, url, name, django_assert_max_num_queries
):
    for _ in range(6):
        ResultFactory(session=SessionFactory())
    with django_assert_max_num_queries(20):
        assert client.get(url(name)).status_code == 200


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("entities", "merged=banana"),
        ("entities", "page_size=banana"),
        ("entities", "page_size=0"),
        ("runs", "page_size=-1"),
        ("runs", "page_size="),
        ("documents", "page_size=many"),
        ("documents", "q=law&page_size=0"),
    ],
)
def test_a_value_that_means_nothing_is_refused_by_name(client, url, name, query):
    answer = client.get(f"{url(name)}?{query}")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["name"] == query.split("&")[-1].split("=")[0]


@pytest.mark.parametrize(("text", "count"), [("true", 0), ("FALSE", 1), ("0", 1), ("1", 0), ("", 1)])
def test_true_and_false_are_read_as_people_write_them(client, url, text, count):
    EntityFactory()
    assert len(client.get(f"{url('entities')}?merged={text}").json()["results"]) == count
