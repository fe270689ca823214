"""The register researcher tells how a company stands; nobody is guessed."""

import pytest

from entities.gleif.errors import GleifUnavailable
from entities.memory import resolve
from entities.models import Entity, EntityResearch
from research.models import Run
from tests.enrich.conftest import told
from tests.factories import EntityFactory
from tests.tools.conftest import Failing

pytestmark = pytest.mark.django_db
ALLIANZ = "529900K9B0N5BT694847"


@pytest.mark.parametrize("identifier", ["Allianz SE", ALLIANZ, ALLIANZ.lower()])
def test_it_is_found_and_kept(research, identifier):
    run = research(identifier)
    entry = told(run)[identifier]
    assert entry["status"] == "researched"
    entity = Entity.objects.get(slug=entry["entity"])
    assert (entity.lei, entity.verified, entity.jurisdiction) == (ALLIANZ, False, "DE")
    assert "entity ACTIVE, LEI registration ISSUED" in entry["findings"]["summary"]
    assert entry["findings"]["metadata"]["lei"] == ALLIANZ
    assert {"lei_record", "lei_parents"} <= set(entry["audit"]["toolsSucceeded"])
    assert EntityResearch.objects.get().ttl == 7 * 86_400
    assert run.result.schema_valid
    assert run.spent_usd == 0


def test_an_entity_that_memory_knows_is_looked_up_by_its_lei(research):
    entity = EntityFactory(name="Our own name for it", lei=ALLIANZ)
    entry = told(research(entity.slug))[entity.slug]
    assert (entry["status"], entry["entity"]) == ("researched", entity.slug)
    assert Entity.objects.count() == 1


def test_what_the_register_does_not_have_is_not_made_up(research):
    run = research("Nobody & Sons of Nowhere")
    entry = told(run)["Nobody & Sons of Nowhere"]
    assert entry["status"] == "not_found"
    said = "“Nobody & Sons of Nowhere” was looked for in the demo register shipped with Dossier: nothing was found."
    assert entry["error"]["message"] == said
    assert said in run.result.limitations
    assert not run.result.checks.filter(kind="lei").exists()  # what is merely near is no claim
    assert "findings" not in entry
    assert not Entity.objects.exists()


def test_a_register_in_trouble_fails_one_and_not_the_others(research, market, monkeypatch):
    from tests.entities.markets.market import MINT

    down = Failing(GleifUnavailable("The LEI register did not answer in time."))
    monkeypatch.setattr("research.engine.worker.open_register", lambda name: down)
    monkeypatch.setattr("research.engine.workflows.entity.Worker.conclude_data", conclude_without_register)
    run = research("Allianz SE", MINT)
    assert {name: entry["status"] for name, entry in told(run).items()} == {
        "Allianz SE": "failed",
        MINT: "researched",
    }
    failed = told(run)["Allianz SE"]
    assert failed["error"]["code"] == "register_unavailable"
    assert not Entity.objects.filter(name="Allianz SE").exists()
    assert Run.objects.get(pk=failed["run"]).state == "failed"  # it can be resumed


def conclude_without_register(worker, data, extras):
    """The checks of the document would ask the register that is away."""
    from entities.gleif.register import open_register
    from research.engine.answer import FinalDocument
    from research.engine.results import finish_run

    document = FinalDocument(data, repaired=False)
    return finish_run(worker.run, worker.definition, document, worker.journal, open_register("demo"), extras)


def test_of_an_entity_that_memory_knows_too_little_is_kept_for_a_while(research, monkeypatch):
    entity = EntityFactory(name="Allianz SE", lei=ALLIANZ)
    down = Failing(GleifUnavailable("The LEI register did not answer in time."))
    monkeypatch.setattr("research.engine.worker.open_register", lambda name: down)
    monkeypatch.setattr("research.engine.workflows.entity.Worker.conclude_data", conclude_without_register)
    entry = told(research(ALLIANZ))[ALLIANZ]
    assert (entry["status"], entry["confidence"], entry["entity"]) == ("insufficient", 20, entity.slug)
    assert entry["audit"]["toolsFailed"] == ["lei_record"]
    assert resolve(ALLIANZ).entity == entity


def test_a_person_is_no_company_of_the_same_name(research):
    person = EntityFactory(name="Allianz SE", type="person")
    entry = told(research(person.slug))[person.slug]
    assert (entry["status"], entry["error"]["code"]) == ("failed", "unsupported")
    assert not EntityResearch.objects.exists()


def test_a_company_in_another_place_is_another_company(research):
    entity = EntityFactory(name="Allianz SE", jurisdiction="FR")
    assert told(research(entity.slug))[entity.slug]["status"] != "researched"
