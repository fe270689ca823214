"""What the API answered about a batch stands for some hours; what it did not answer is never kept."""

from datetime import timedelta

import pytest
from django.utils import timezone

from entities.gleif import register as module
from entities.gleif.demo.server import DemoServer
from entities.gleif.errors import GleifRateLimited, GleifUnavailable
from entities.gleif.register import Register, open_register
from entities.models import LeiRecord

ALLIANZ, RETIRED = "529900K9B0N5BT694847", "529900FAHFDMSXCPII15"
pytestmark = pytest.mark.django_db


@pytest.fixture
def api(settings):
    with DemoServer() as server:
        settings.GLEIF_BASE_URL, settings.GLEIF_PER_MINUTE, settings.GLEIF_CACHE_HOURS = server.url, 0, 8
        yield server
    module._opened.clear()


def fresh() -> Register:
    """As another process would open it: with nothing in memory."""
    module._opened.clear()
    return open_register("gleif")


def test_it_is_asked_once_and_says_of_when_the_answer_is(api):
    first = fresh().records([ALLIANZ, RETIRED])
    again = fresh()
    for lei, record in again.records([RETIRED, ALLIANZ]).items():
        assert (record.attributes, record.names, record.url) == (
            first[lei].attributes,
            first[lei].names,
            first[lei].url,
        )
    assert len(api.requests) == 1
    row = LeiRecord.objects.get(pk=ALLIANZ)
    assert (row.legal_name, row.register) == ("Allianz SE", "gleif")
    assert again.as_of == row.as_of


def test_only_what_is_unknown_is_asked(api):
    fresh().records([ALLIANZ])
    fresh().records([ALLIANZ, RETIRED])
    assert [query["filter[lei]"] for _, query in api.requests] == [ALLIANZ, RETIRED]


def test_an_answer_expires(api):
    fresh().records([ALLIANZ])
    LeiRecord.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    fresh().records([ALLIANZ])
    assert len(api.requests) == 2


@pytest.mark.parametrize(("fault", "error"), [("throttled", GleifRateLimited), ("broken", GleifUnavailable)])
def test_trouble_is_not_absence_and_is_not_kept(api, fault, error):
    api.fail(fault, retry_after="0")
    register = fresh()
    register._client._retries = 0
    with pytest.raises(error):
        register.records([ALLIANZ])
    assert not LeiRecord.objects.exists()
    api.recover()
    assert ALLIANZ in fresh().records([ALLIANZ])


def test_an_imported_record_is_not_written_over(api):
    LeiRecord.objects.create(lei=ALLIANZ, legal_name="Importiert", attributes={}, register="local")
    assert fresh().record(ALLIANZ).legal_name == "Allianz SE"
    assert LeiRecord.objects.get().legal_name == "Importiert"


def test_it_can_be_switched_off(api, settings):
    settings.GLEIF_CACHE_HOURS = 0
    fresh().records([ALLIANZ])
    fresh().records([ALLIANZ])
    assert len(api.requests) == 2
    assert not LeiRecord.objects.exists()
