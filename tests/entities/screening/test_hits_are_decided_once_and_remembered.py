"""A hit is decided by a person and stays decided until the entity or the entry changes; it counts all the same."""

import pytest
from django.db import DatabaseError, transaction

from entities.memory import NotAllowed, OutOfDate, RefusedWrite
from entities.memory.interests import record_interest
from entities.models import ScreeningDecision, ScreeningHit, ScreeningRun
from entities.ownership.interests import InterestType
from entities.services import screening
from entities.services.screening import decide_hit, screen_entity, screen_memory, screen_with_owners
from tests.entities.screening import samples
from tests.entities.screening.imported import import_text
from tests.factories import EntityFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def listed(tmp_path, now):
    return import_text(tmp_path, now, "ofac-sdn", samples.ofac())


@pytest.fixture
def amber():
    return EntityFactory(name="Northern Amber Trading", slug="northern-amber", jurisdiction="DE")


@pytest.fixture
def person():
    return UserFactory(rights=["decide_screeninghit"])


@pytest.fixture
def hit(listed, amber, now):
    screen_entity(entity=amber, now=now)
    return ScreeningHit.objects.get()


def decide(hit, person, verdict="false-positive", reason="other country", **given):
    return decide_hit(
        hit=hit, revision=given.get("revision", hit.revision), verdict=verdict, reason=reason, by=person
    )


def update_list(tmp_path, now, *entries, date="09/24/2026"):
    return import_text(tmp_path, now, "ofac-sdn", samples.ofac(*entries, date=date))


def test_a_hit_keeps_what_was_compared(hit, listed):
    assert (hit.source, hit.key, hit.state, hit.version) == ("ofac-sdn", "7002", "open", listed)
    assert hit.subject["names"] == ["Northern Amber Trading"]
    assert hit.entry["names"][0]["text"] == "NORTHERN AMBER TRADING LLC"
    assert [one["field"] for one in hit.evidence["fields"]] == ["name", "country"]


def test_the_decision_says_all_that_it_rests_on(hit, person, listed):
    decision = decide(hit, person)
    assert (decision.verdict, decision.actor, decision.reason) == ("false-positive", person, "other country")
    basis = decision.basis
    assert (basis["label"], basis["file_digest"]) == ("OFAC SDN list", listed.digest)
    assert basis["published"].startswith("2026-09-23")
    assert basis["algorithm"] == "dossier-screening-1"
    assert basis["policy"]["company_threshold"] == "80"
    assert basis["entry"] == hit.entry


def test_it_stays_decided_when_nothing_has_changed_and_still_counts(hit, person, amber, now):
    decide(hit, person)
    run, answer = screen_entity(entity=amber, now=now)
    hit.refresh_from_db()
    assert (hit.state, run.counts["hits"], run.outcome, answer.outcome) == (
        "false-positive",
        1,
        "hits",
        "hits",
    )


def test_it_is_reopened_when_the_entry_changes(hit, person, amber, tmp_path, now):
    decide(hit, person)
    changed = samples.OFAC_COMPANY.replace("Russia", "Germany")
    update_list(tmp_path, now, samples.OFAC_PERSON, changed, samples.OFAC_VESSEL)
    run, _ = screen_entity(entity=amber, now=now)
    hit.refresh_from_db()
    assert (hit.state, hit.note, run.counts["reopened"]) == ("open", "Reopened: the list's entry changed.", 1)
    assert hit.decisions.count() == 1


def test_it_is_reopened_when_the_entity_changes(hit, person, amber, now):
    decide(hit, person)
    amber.aliases = [{"name": "Amber Export"}]
    amber.save()
    screen_entity(entity=amber, now=now)
    hit.refresh_from_db()
    assert (hit.state, hit.note) == ("open", "Reopened: the entity changed.")


def test_another_entry_that_changes_reopens_nothing(hit, person, amber, tmp_path, now):
    decide(hit, person)
    changed = samples.OFAC_VESSEL.replace("Panama", "Liberia")
    update_list(tmp_path, now, samples.OFAC_PERSON, samples.OFAC_COMPANY, changed)
    screen_entity(entity=amber, now=now)
    hit.refresh_from_db()
    assert hit.state == "false-positive"


def test_a_delisted_entry_no_longer_stands_and_what_was_decided_stays(hit, person, amber, tmp_path, now):
    decide(hit, person, "true-match", "same address")
    update_list(
        tmp_path, now, samples.OFAC_PERSON, samples.OFAC_VESSEL, samples.OFAC_VESSEL.replace("7003", "7004")
    )
    screen_entity(entity=amber, now=now)
    hit.refresh_from_db()
    assert (hit.standing, hit.state) == (False, "true-match")
    update_list(
        tmp_path, now, samples.OFAC_PERSON, samples.OFAC_VESSEL, samples.OFAC_COMPANY, date="09/25/2026"
    )
    screen_entity(entity=amber, now=now)
    hit.refresh_from_db()
    assert (hit.standing, hit.state, hit.note) == (True, "true-match", "It is listed again, unchanged.")


def test_of_two_people_one_wins_and_the_other_is_told(hit, person):
    other, seen = UserFactory(rights=["decide_screeninghit"]), hit.revision
    decide(hit, person, revision=seen)
    with pytest.raises(OutOfDate, match="decided by somebody else"):
        decide(hit, other, "true-match", revision=seen)
    assert [one.actor for one in ScreeningDecision.objects.all()] == [person]


def test_a_decision_on_what_has_changed_since_is_refused(hit, person, amber, now):
    seen = hit.revision
    amber.aliases = [{"name": "Amber Export"}]
    amber.save()
    screen_entity(entity=amber, now=now)
    with pytest.raises(OutOfDate):
        decide(hit, person, revision=seen)


@pytest.mark.parametrize(
    ("rights", "verdict", "reason", "error"),
    [
        ([], "unsure", "why", NotAllowed),
        (["decide_screeninghit"], "unsure", "  ", RefusedWrite),
        (["decide_screeninghit"], "open", "why", RefusedWrite),
        (["decide_screeninghit"], "clear", "why", RefusedWrite),
    ],
)
def test_it_needs_the_right_a_reason_and_a_verdict(hit, rights, verdict, reason, error):
    with pytest.raises(error):
        decide(hit, UserFactory(rights=rights), verdict, reason)
    assert not ScreeningDecision.objects.exists()


def test_decisions_are_never_changed(hit, person):
    decision = decide(hit, person)
    with pytest.raises(DatabaseError), transaction.atomic():
        ScreeningDecision.objects.filter(pk=decision.pk).update(verdict="true-match")


def test_all_of_memory_is_screened_and_a_run_that_broke_off_goes_on(listed, now, monkeypatch):
    monkeypatch.setattr(screening, "BATCH", 2)
    for number in range(5):
        EntityFactory(name=f"Plain Company {number}", slug=f"plain-{number}")
    EntityFactory(name="Northern Amber Trading", slug="amber")
    done = []

    def stop(count, total):
        done.append((count, total))
        if len(done) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        screen_memory(now=now, report=stop)
    assert ScreeningRun.objects.get().state == "running"
    run = screen_memory(now=now)
    assert (ScreeningRun.objects.get(), run.state, run.outcome) == (run, "done", "hits")
    assert {key: run.counts[key] for key in ("entities", "hits", "new")} == {
        "entities": 6,
        "hits": 1,
        "new": 1,
    }


def test_a_run_without_hits_over_missing_lists_is_unknown(amber, now):
    run = screen_memory(now=now)
    assert (run.outcome, run.counts["hits"]) == ("unknown", 0)


def test_owners_are_screened_with_what_they_own(listed, now):
    owner = EntityFactory(
        name="Sergei Karelov", slug="karelov", type="person", metadata={"date-of-birth": "1972-03"}
    )
    company = EntityFactory(name="Plain Company", slug="plain")
    record_interest(subject=company, holder=owner, type=InterestType.SHAREHOLDING)
    (first, alone), (second, screened) = screen_with_owners(entity=company, now=now)
    assert (first, second) == (company, owner)
    assert (len(alone.hits), [hit.entry.key for hit in screened.hits]) == (0, ["7001"])
    assert ScreeningHit.objects.get().entity == owner
    assert ScreeningHit.objects.get().subject["births"] == ["1972-03"]
