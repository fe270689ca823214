"""A PDF that takes long is ordered, set by a worker and had by asking again; without a worker it works too."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from research.errors import FormatUnavailable
from research.memo import pdf
from research.models import Memo, MemoOrder
from research.services import memo_orders
from research.services.memo_orders import LEFT, PATIENCE, carry_out, request_memo
from research.services.memos import compose_memo
from research.tasks import set_memo
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def long(monkeypatch):
    """Every memo takes long."""
    monkeypatch.setattr(pdf, "AT_ONCE", 10)


@pytest.fixture
def result():
    return ResultFactory()


@pytest.fixture
def person():
    return UserFactory(is_staff=True, rights=ALL_RIGHTS)


@pytest.fixture
def client_of(person):
    client = APIClient()
    client.force_authenticate(person)
    return client


def age(order, by):
    """So much earlier it was asked for and begun."""
    begun = {"begun_at": timezone.now() - by} if order.begun_at else {}
    MemoOrder.objects.filter(pk=order.pk).update(asked_at=timezone.now() - by, **begun)


def test_a_short_one_is_there_at_once(result):
    assert isinstance(request_memo(result=result, format="pdf"), Memo)
    assert not MemoOrder.objects.exists()


@pytest.mark.parametrize(
    "options", [{"format": "docx"}, {"format": "md"}, {"format": "pdf", "style": "json"}]
)
def test_so_is_every_other_format(long, result, options):
    assert isinstance(request_memo(result=result, **options), Memo)


def test_a_long_one_is_ordered_once_and_a_worker_is_rung_for(long, result, silent_doorbell):
    first, second = (request_memo(result=result, format="pdf") for _ in range(2))
    assert (first.state, first) == ("queued", second)
    assert silent_doorbell == [("set_memo", (first.pk,))]


def test_the_worker_writes_the_same_bytes(long, result, person):
    order = request_memo(result=result, format="pdf", language="de", actor=person)
    set_memo(order.pk)
    memo = request_memo(result=result, format="pdf", language="de")
    assert memo == compose_memo(result=result, format="pdf", language="de")
    order.refresh_from_db()
    assert (order.state, order.memo, Memo.objects.count()) == ("written", memo, 1)


def test_what_says_something_else_is_another_order(long, result):
    orders = {
        request_memo(result=result, format="pdf").pk,
        request_memo(result=result, format="pdf", language="fr").pk,
        request_memo(result=result, format="pdf", style="bullets").pk,
        request_memo(result=ResultFactory(), format="pdf").pk,
    }
    assert len(orders) == 4


def test_the_standard_template_is_the_same_order_with_and_without_its_name(long, result):
    assert request_memo(result=result, format="pdf") == request_memo(
        result=result, format="pdf", template="standard"
    )


def test_two_workers_do_not_both_set_it(long, result, monkeypatch):
    order = request_memo(result=result, format="pdf")
    MemoOrder.objects.filter(pk=order.pk).update(state="running", begun_at=timezone.now())
    set_twice = []
    monkeypatch.setattr(memo_orders, "compose_memo", lambda **options: set_twice.append(options))
    carry_out(order.pk)
    order.refresh_from_db()
    assert (order.state, order.memo, set_twice) == ("running", None, [])


def test_without_a_worker_whoever_asks_again_carries_it_out(long, result):
    order = request_memo(result=result, format="pdf")
    age(order, PATIENCE - timedelta(seconds=5))
    assert isinstance(request_memo(result=result, format="pdf"), MemoOrder)
    age(order, PATIENCE)
    assert isinstance(request_memo(result=result, format="pdf"), Memo)


def test_the_order_of_a_worker_that_died_is_taken_up(long, result):
    order = request_memo(result=result, format="pdf")
    MemoOrder.objects.filter(pk=order.pk).update(state="running", begun_at=timezone.now())
    order.refresh_from_db()
    assert isinstance(request_memo(result=result, format="pdf"), MemoOrder)
    age(order, LEFT + timedelta(seconds=1))
    assert isinstance(request_memo(result=result, format="pdf"), Memo)


def test_a_worker_that_was_taken_for_dead_says_no_more_of_the_order(long, result, monkeypatch):
    order = request_memo(result=result, format="pdf")

    def broken_when_another_is_at_it(**options):
        MemoOrder.objects.filter(pk=order.pk).update(begun_at=timezone.now() + LEFT)
        raise ZeroDivisionError

    monkeypatch.setattr(memo_orders, "compose_memo", broken_when_another_is_at_it)
    carry_out(order.pk)
    order.refresh_from_db()
    assert (order.state, order.error) == ("running", "")


def test_a_failure_is_told_and_tried_again_after_a_while(long, result, monkeypatch, silent_doorbell):
    def broken(**options):
        raise ZeroDivisionError

    order = request_memo(result=result, format="pdf")
    with monkeypatch.context() as patch:
        patch.setattr(memo_orders, "compose_memo", broken)
        set_memo(order.pk)
    with pytest.raises(FormatUnavailable, match="could not be set"):
        request_memo(result=result, format="pdf")
    order.refresh_from_db()
    age(order, LEFT + timedelta(seconds=1))
    again = request_memo(result=result, format="pdf")
    assert (again.pk, again.state, len(silent_doorbell)) == (order.pk, "queued", 2)


def test_the_api_says_where_to_ask_again(long, client_of, result):
    url = reverse("api-result-memo", args=[result.pk])
    first = client_of.get(url, {"language": "de"}, headers={"Accept": "application/pdf"})
    assert (first.status_code, first.json()["state"]) == (202, "queued")
    assert first["Retry-After"] == "2"
    assert client_of.get(first["Location"]).status_code == 202
    set_memo(MemoOrder.objects.get().pk)
    file = client_of.get(first["Location"])
    assert (file.status_code, file.content[:4]) == (200, b"%PDF")
    assert file["ETag"] == f'"{Memo.objects.get().digest}"'


def test_a_post_says_it_too(long, client_of, result):
    answer = client_of.post(reverse("api-result-memo", args=[result.pk]), {"format": "pdf"}, format="json")
    assert answer.status_code == 202
    set_memo(MemoOrder.objects.get().pk)
    assert client_of.get(answer["Location"]).content.startswith(b"%PDF")


def test_a_person_sees_it_wait_and_then_come(long, client, person, result):
    client.force_login(person)
    url = reverse("admin:research_researchresult_memo", args=[result.pk])
    waiting = client.get(url, {"format": "pdf", "language": "it"})
    assert waiting.status_code == 202
    page = waiting.content.decode()
    assert "waits for a worker" in page
    again = "?format=pdf&amp;language=it&amp;style=&amp;template=standard&amp;waited=1"
    assert f'content="2; url={again}"' in page
    set_memo(MemoOrder.objects.get().pk)
    ready = client.get(url + again.replace("&amp;", "&"))
    assert "The memo is ready" in ready.content.decode()
    assert Memo.objects.get().digest in ready.content.decode()
    file = client.get(url, {"format": "pdf", "language": "it"})
    assert (file["Content-Type"], file.content[:4]) == ("application/pdf", b"%PDF")


def test_a_person_sees_why_it_failed(long, client, person, result):
    client.force_login(person)
    url = reverse("admin:research_researchresult_memo", args=[result.pk])
    client.get(url, {"format": "pdf"})
    MemoOrder.objects.update(state="failed", error="Too long a table.", begun_at=timezone.now())
    page = client.get(url, {"format": "pdf", "waited": "1"}, follow=True).content.decode()
    assert "No memo was written. Too long a table." in page
