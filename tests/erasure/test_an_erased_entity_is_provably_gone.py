"""After an erasure the words are in no table, and the trail says that they were erased lawfully."""

import pytest
from django.db import connection

from entities.models import Entity, EntityAct, ErasedRow, Erasure, Relationship, Statement
from research import audit
from research.audit.verification import verify_trail
from research.models import Decision, Memo, ResearchResult, Run, Step, Watch
from tests.erasure.conftest import DOB, NAME
from tests.factories import RunFactory, StepFactory

WORDS = (NAME, "Jane Roe", "jane-roe", "Roe Müller", DOB, "Secret Lane")


def test_no_table_holds_the_words_any_more(jane, erase, found_in):
    assert len(set(found_in(*WORDS))) > 20
    erase(jane)
    connection.check_constraints()
    assert found_in(*WORDS) == []


def test_the_trail_says_that_it_was_erased_lawfully(jane, erase, person):
    audit.seal_all()
    audit.keep_head()
    assert verify_trail().faults == []
    erasure = erase(jane)
    connection.check_constraints()
    report = verify_trail()
    assert report.faults == []
    (told,) = report.erased
    assert "rows were erased lawfully at" in told
    assert person.get_username() in told
    assert told.endswith(": She asked for it.")
    assert erasure.counts["statements"]["deleted"] > 3
    audit.seal_all()
    audit.keep_head()
    assert verify_trail().faults == []


def test_what_is_said_of_others_stays_without_the_words(jane, alpha, erase):
    erase(jane)
    result = ResearchResult.objects.get(run__subject=alpha)
    assert result.data["name"] == "Alpha Holding AG"
    assert result.data["owners"] == [{"name": "[erased]", "born": "[erased]"}]
    assert result.data["note"] == "Owner: [erased]."
    assert result.decision.digest != ""
    assert alpha.events.get(type="news").summary == "[erased] has bought it."
    assert not Relationship.objects.exists()
    assert Statement.objects.filter(subject=alpha, property="name").exists()
    assert not Memo.objects.exists()
    assert not Watch.objects.filter(macro_name="who").exists()


def test_a_run_about_whom_is_erased_stays_as_a_row_without_content(jane, alpha, erase):
    run = Run.objects.get(subject=jane)
    erase(jane)
    run.refresh_from_db()
    assert (run.params, run.subject, run.state) == ({}, None, "succeeded")
    assert not Step.objects.filter(run=run).exists()
    decision = Decision.objects.get(result__run=run)
    assert (decision.verdict, decision.reason, run.result.data) == ("rejected", "[erased]", {})


def test_a_run_that_asked_for_it_by_name_is_about_it_though_nobody_approved_it(jane, erase, found_in):
    run = RunFactory(params={"client_name": NAME.upper()}, state="failed")
    StepFactory(run=run, answer={"text": "She was born in Wonderland."})
    erase(jane)
    run.refresh_from_db()
    assert run.params == {}
    assert found_in("Wonderland") == []


def test_that_it_was_erased_stays(jane, erase, person):
    key = jane.pk
    erasure = Erasure.objects.get(pk=erase(jane).pk)
    assert (erasure.entity, erasure.actor, erasure.reason) == (key, person, "She asked for it.")
    assert ErasedRow.objects.filter(erasure=erasure).count() == sum(
        sum(each.values()) for each in erasure.counts.values()
    )
    assert not Entity.objects.filter(pk=key).exists()
    assert not EntityAct.objects.filter(entity=key).exists()


def test_rows_that_were_deleted_without_an_erasure_are_still_found(jane, alpha, erase, forge):
    erase(jane)
    one = Statement.objects.filter(subject=alpha).first()
    (fault,) = forge(f"DELETE FROM entities_statement WHERE id = {one.pk}").faults
    assert fault.startswith(f"Statement {one.pk} is gone; event")


def test_an_erasure_that_was_put_in_is_found(jane, alpha, erase, forge):
    erasure = erase(jane)
    one = Statement.objects.filter(subject=alpha).first()
    key = erasure.pk.hex if connection.vendor == "sqlite" else str(erasure.pk)
    report = forge(
        'INSERT INTO entities_erasedrow ("erasure_id", "table", "row", "deleted") '
        f"VALUES ('{key}', 'entities_statement', '{one.pk}', true)",
        f"DELETE FROM entities_statement WHERE id = {one.pk}",
    )
    (fault,) = report.faults
    assert fault.startswith(f"Erasure {erasure.pk} is not as event")


@pytest.mark.parametrize(
    "forged",
    [
        "UPDATE research_decision SET reason = 'Forged' WHERE verdict = 'rejected'",
        "UPDATE research_researchresult SET data = '{\"name\": \"Forged AG\"}' WHERE state = 'rejected'",
        "UPDATE entities_anomalyact SET reason = 'Forged' WHERE kind = 'decided'",
        "UPDATE entities_erasure SET reason = 'Forged'",
        "UPDATE research_auditevent SET actor_id = NULL WHERE action = 'result.approved'",
    ],
)
def test_what_an_erasure_left_is_vouched_for(jane, erase, forge, forged):
    erase(jane)
    faults = forge(forged).faults
    assert len(faults) == 1, faults
