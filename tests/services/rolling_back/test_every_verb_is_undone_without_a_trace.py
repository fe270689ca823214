"""Executed and rolled back on a memory that nobody touched, every verb leaves it row by row as it was before."""

import pytest

from entities.models import Entity, EntityEvent
from research.models import Rollback, VerbCall, VerbEffect
from research.services.execution import execute_verbs
from research.services.rollback import roll_back_verbs
from research.verbs.catalogue import load_catalogue
from tests.cases import cases
from tests.services.rolling_back.conftest import AGI, ALLIANZ, approve, beliefs, memory, timeline

pytestmark = pytest.mark.django_db

# What memory holds before: some entities that the verbs will change, with forms and relationships that they restate.
BEFORE = f"""
(entity.ensure :entity-type "company" :name "Known" :jurisdiction "DE" :company-number "HRB 1" :as @known)
(entity.ensure :entity-type "company" :name "Other" :as @other)
(entity.ensure :entity-type "client-group" :name "The Group" :as @group)
(entity.ensure :entity-type "fund" :name "A Fund" :as @fund)
(entity.ensure :entity-type "company" :name "Allianz of old" :lei "{ALLIANZ}" :as @allianz)
(ownership.record :owner @known :owned @other :percentage 10)
(entity.link :subject @fund :type "fund-managed-by" :object @other)
(red-flag.raise :entity-id @known :flag-type "OTHER" :severity "SOFT" :description "an old one")
"""

# Each verb of the catalogue that writes, on an empty memory (False) and on one that has something to change (True).
TEXTS = {
    "gleif.enrich": [
        (f'(gleif.enrich :lei "{AGI}")', False),
        (f'(gleif.enrich :lei "{AGI}")', True),
        (f'(gleif.enrich :entity-id "known" :lei "{AGI}")', True),
    ],
    "gleif.import-tree": [
        (f'(gleif.import-tree :root-lei "{AGI}" :direction "BOTH")', False),
        (f'(gleif.import-tree :root-lei "{ALLIANZ}" :create-entities false)', True),
    ],
    "gleif.import-managed-funds": [
        (f'(gleif.import-managed-funds :manager-lei "{AGI}" :ultimate-client-lei "{ALLIANZ}")', True)
    ],
    "gleif.refresh": [('(gleif.refresh :entity-id "allianz-of-old")', True)],
    "gleif.import-to-client-group": [
        (f'(gleif.import-to-client-group :group-id "the-group" :root-lei "{AGI}" :include-funds true)', True)
    ],
    "entity.ensure": [
        (
            '(entity.ensure :entity-type "company" :name "New" :jurisdiction "CH" :company-number "CHE-1")',
            False,
        ),
        ('(entity.ensure :entity-type "partnership" :name "Known" :company-number "HRB 1")', True),
        (f'(entity.ensure :entity-type "trust" :name "Other" :lei "{AGI}" :jurisdiction "LU")', True),
        ('(entity.ensure :entity-type "person" :last-name "Lovelace" :date-of-birth "1815-12-10")', False),
    ],
    "entity.link": [
        ('(entity.link :subject "known" :type "member-of" :object "the-group")', True),
        ('(entity.link :subject "a-fund" :type "feeder-to" :object "other" :source "x")', True),
    ],
    "fund.ensure": [
        ('(fund.ensure :name "A Fund" :fund-type "ucits" :isin "LU0256839274" :manager "known")', True),
        ('(fund.ensure :name "New Fund" :umbrella "a-fund" :jurisdiction "LU")', True),
    ],
    "ownership.record": [
        ('(ownership.record :owner "known" :owned "other" :percentage 75.5 :source "a report")', True),
        (
            '(ownership.record :owner-name "New owner" :owner-type "company" :owned "other"'
            ' :ownership-type "board_control")',
            True,
        ),
        ('(ownership.record :owner-name "A" :owner-type "company" :owned-name "B" :percentage 0)', False),
        (
            '(ownership.record :owner "known" :owned "other" :interest "votingRights" :more-than 25 :at-most 50)',
            True,
        ),
        (
            '(ownership.record :owner "known" :owned "other" :percentage 40 :source "report" :valid-from "2025-03")',
            True,
        ),
    ],
    "red-flag.raise": [
        (
            '(red-flag.raise :entity-id (entity.ensure :entity-type "company" :name "New")'
            ' :flag-type "SANCTIONS_MATCH" :severity "HARD_STOP" :description "new")',
            False,
        ),
        ('(red-flag.raise :entity-id "known" :flag-type "OTHER" :severity "SOFT" :description "new")', True),
    ],
}


def test_every_verb_that_writes_is_tried():
    verbs = load_catalogue().verbs.values()
    assert {verb.canonical for verb in verbs if verb.effect == "write"} == TEXTS.keys()


def texts(filled):
    return [
        text for each in TEXTS.values() for text, on_a_filled_memory in each if on_a_filled_memory is filled
    ]


@cases("text", texts(False))
def test_it_leaves_an_empty_memory_empty(text, person, executed):
    leaves_no_trace(text, person, executed)


@pytest.fixture
def filled(executed):
    return executed(BEFORE)


@cases("text", texts(True))
def test_it_leaves_a_filled_memory_as_it_was(text, person, executed, filled):
    leaves_no_trace(text, person, executed)


def leaves_no_trace(text, person, executed):
    """Rows are as they were; the timeline keeps what it said, and says what was taken back."""
    before, past, believed = memory(), timeline(), beliefs()
    decision = executed(text)
    written = VerbEffect.objects.filter(call__decision=decision).exclude(how="met")
    assert written.exists()
    assert memory() != before or timeline() != past
    rollback = roll_back_verbs(result=decision.result, actor=person, reason="the wrong company")
    assert memory() == before
    assert beliefs() == believed
    assert rollback.counts["keep"] == 0
    assert sum(rollback.counts.values()) >= written.values("table", "row").distinct().count()
    assert set(decision.verb_calls.values_list("state", flat=True)) == {"rolled_back"}
    now = timeline()
    assert [event for event in now if event in past] == past
    for event in now:
        assert event in past or event["type"] == "taken-back" or event["summary"].startswith("Taken back: ")


def test_all_at_once_and_in_any_mixture(person, executed):
    decision = executed(BEFORE + "\n".join(text for each in TEXTS.values() for text, _ in each))
    assert decision.verb_calls.exclude(state="succeeded").count() == 0
    roll_back_verbs(result=decision.result, actor=person, reason="all of it")
    assert not Entity.objects.exists()
    assert not EntityEvent.objects.exists()
    assert beliefs() == []
    assert Rollback.objects.get().counts["keep"] == 0


def test_it_can_be_approved_anew_and_written_again(person, executed):
    text = f'(gleif.enrich :lei "{AGI}")'
    roll_back_verbs(result=executed(text).result, actor=person, reason="too early")
    execute_verbs(decision=approve(text, person), actor=person)
    assert Entity.objects.filter(lei=AGI, pending_verification=False).count() == 1
    assert VerbCall.objects.filter(state="succeeded").count() == 1
