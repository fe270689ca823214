"""A whole run of the register researcher with a national register: journal, sources, result; no connection held."""

import pytest
from django.db import connection

from common.outside import exchange
from research.engine.runner import perform_run
from research.models import ResearchResult, Source, Step
from research.services.macros import sync_macros
from research.services.runs import start_run
from tests.entities.registers.doubles import company
from tests.tools.registers import set_up

pytestmark = pytest.mark.django_db(transaction=True)
NUMBER = "04366849"


@pytest.fixture
def house(settings):
    """Companies House, which has Shell plc and no persons with significant control of it."""
    with set_up(settings, "companies_house") as fakes:
        house = fakes["companies_house"]
        house.route(f"/company/{NUMBER}", company(NUMBER, "SHELL PLC", type="plc", previous_company_names=[]))
        yield house


def result_of(macro):
    sync_macros()
    run = start_run(macro=macro, params={"entity_name": "SHELL PLC"}, trigger="cli", enqueue=False)
    perform_run(run.pk)
    return ResearchResult.objects.get(run=run)


@pytest.mark.usefixtures("house")
def test_its_answers_are_journalled_and_its_records_are_sources():
    result = result_of("ubo-investigation")
    assert result.schema_valid
    tools = set(Step.objects.filter(run=result.run, kind="tool").values_list("name", flat=True))
    assert {"register_search", "register_owners", "register_officers"} <= tools
    titles = Source.objects.filter(run=result.run).values_list("title", flat=True)
    assert f"Companies House: owners of {NUMBER}" in set(titles)
    assert f"Companies House has it as SHELL PLC ({NUMBER})." in result.data["note"]
    gaps = result.data["investigation_summary"]["data_gaps"]
    assert any("no proof that there is nobody" in gap for gap in gaps)


@pytest.mark.usefixtures("house")
def test_a_regulatory_check_reads_the_record():
    result = result_of("regulatory-check")
    assert result.schema_valid
    rows = {row["regulator"]: row["status"] for row in result.data["regulatory_registrations"]}
    assert rows["Companies House"] == "active"


@pytest.mark.skipif(connection.vendor == "sqlite", reason="a database in memory is never let go of")
@pytest.mark.usefixtures("house")
def test_no_connection_is_held_while_a_register_is_asked(monkeypatch):
    held, session = [], exchange.session

    def watched():
        held.append(connection.connection)
        return session()

    monkeypatch.setattr(exchange, "session", watched)
    result_of("regulatory-check")
    assert held
    assert set(held) == {None}


def test_a_register_that_is_down_leaves_a_result_that_says_so(house):
    house.routes.clear()
    result = result_of("ubo-investigation")
    assert result.schema_valid
    gaps = "\n".join(result.data["investigation_summary"]["data_gaps"])
    assert "Companies House could not be asked" in gaps
