"""Whoever owns the database can write anything into it. What they wrote is found, and named."""

import shutil
from pathlib import Path

import pytest
from django.db import IntegrityError, connection, transaction

from common import append_only
from research import audit
from research.append_only import TABLES
from research.audit.seals import entry_of
from research.audit.seals import sealed as sealed_anew
from research.audit.verification import verify_trail
from research.models import AuditEvent, AuditHead, AuditSeal, Decision, VerbCall, VerbEffect
from tests.factories import DocumentFactory, UserFactory

pytestmark = pytest.mark.django_db
SQLITE = connection.vendor == "sqlite"


def one_fault(report) -> str:
    assert len(report.faults) == 1, report.faults
    return report.faults[0]


def test_what_was_done_by_the_services_holds(sealed):
    report = verify_trail()
    assert report.ok
    assert report.sealed == report.kept == AuditEvent.objects.count() > 10
    assert report.unsealed == 0
    assert report.rows >= 9  # two results, two decisions, a call, a memo, two macros, a person, a group


def test_changed_rows_are_named_with_the_event_that_recorded_them(sealed, forge):
    decision, call = sealed.decision, sealed.decision.verb_calls.get()
    other = UserFactory()
    changes = {
        f"Decision {decision.pk} is not as event": [
            f'UPDATE research_decision SET data = \'{{"name": "Forged AG"}}\' WHERE id = {decision.pk}',
            f"UPDATE research_decision SET reason = 'Forged' WHERE id = {decision.pk}",
            f"UPDATE research_decision SET reviewer_id = {other.pk} WHERE id = {decision.pk}",
            f"UPDATE research_decision SET verbs = '' WHERE id = {decision.pk}",
            f"UPDATE research_decision SET checks = '[]' WHERE id = {decision.pk}",
        ],
        f"Verb call {call.pk} is not as event": [
            f"UPDATE research_verbcall SET output = '{{}}' WHERE id = {call.pk}",
            f"UPDATE research_verbcall SET text = '(forged)' WHERE id = {call.pk}",
            f"UPDATE research_verbeffect SET what = 'forged' WHERE call_id = {call.pk}",
            f"DELETE FROM research_verbeffect WHERE call_id = {call.pk}",
        ],
        f"Research result {decision.result_id} is not as event": [
            "UPDATE research_researchresult SET state = 'rejected' WHERE state = 'executed'",
            "UPDATE research_researchresult SET data = '{\"name\": \"Forged AG\"}' WHERE state = 'executed'",
        ],
        f"Research result {sealed.rejected.pk} is not as event": [
            f"UPDATE research_researchresult SET {what} WHERE state = 'rejected'"
            for what in (
                "limitations = '[\"Forged.\"]'",
                "search_quality = 'high'",
                "suggested_verbs = '(forged)'",
            )
        ],
        f"Memo {sealed.memo.pk} is not as event": [
            f"UPDATE research_memo SET body = {'X' if SQLITE else ''}'00' WHERE id = {sealed.memo.pk}",
        ],
        f"Macro {decision.macro_id} is not as event": [
            f"UPDATE research_macro SET text = 'macro: forged' WHERE id = {decision.macro_id}",
        ],
        f"User {other.pk} is not as event": [
            f"UPDATE auth_user SET is_superuser = true WHERE id = {other.pk}",
            "INSERT INTO auth_user_user_permissions (user_id, permission_id) "
            f"SELECT {other.pk}, min(id) FROM auth_permission",
        ],
        f"Group {decision.reviewer.groups.get().pk} is not as event": [
            "INSERT INTO auth_group_permissions (group_id, permission_id) SELECT g.id, max(p.id) FROM auth_group g, "
            "auth_permission p GROUP BY g.id",
        ],
    }
    assert VerbEffect.objects.filter(call=call).exists()
    wrong = []
    for expected, statements in changes.items():
        for statement in statements:
            with transaction.atomic():
                faults = forge(statement).faults
                transaction.set_rollback(True)
            if len(faults) != 1 or not faults[0].startswith(expected):
                wrong.append((statement, faults))
    assert wrong == []
    assert verify_trail().ok


def test_an_event_that_was_put_in_vouches_for_no_other_decision(sealed, forge):
    """A decision never changes, so the first event about it and any later one must say the same."""
    decision = sealed.decision
    forge(f"UPDATE research_decision SET reason = 'Forged' WHERE id = {decision.pk}")
    event = audit.record("tested", decision.result, None, decision)
    expected = f"tells of another decision {decision.pk} than event"
    assert expected in one_fault(verify_trail())
    audit.seal_all()
    audit.keep_head()
    assert f"Event {event.pk}, tested at" in one_fault(verify_trail())


def test_a_text_of_the_archive_that_was_changed_is_named(sealed, forge):
    document = DocumentFactory()
    assert verify_trail().ok
    report = forge(f"UPDATE research_document SET text = 'Forged.' WHERE id = {document.pk}")
    assert one_fault(report).startswith(f"Document {document.pk} is not the text of its digest")


def test_what_is_under_no_kept_head_in_time_is_told(sealed, forge, settings):
    """Whoever empties the log and the file of heads leaves events that nothing vouches for."""
    Path(settings.DOSSIER_TRAIL_HEADS).unlink()
    report = forge("DELETE FROM research_audithead", "DELETE FROM research_auditseal")
    assert report.ok  # as on a new installation in its first minutes
    report = forge("UPDATE research_auditevent SET at = '2026-01-01 00:00:00'")
    assert "is under no head that is kept outside the database" in one_fault(report)


def test_rows_that_are_gone_or_were_put_in_are_named(sealed, forge):
    call = sealed.decision.verb_calls.get()
    with transaction.atomic():
        report = forge(
            f"DELETE FROM research_verbeffect WHERE call_id = {call.pk}",
            f"DELETE FROM research_verbcall WHERE id = {call.pk}",
        )
        assert one_fault(report).startswith(f"Verb call {call.pk} is gone; event")
        transaction.set_rollback(True)
    put_in = VerbCall.objects.create(
        decision=sealed.decision, ordinal=2, verb="entity.ensure", text="(forged)"
    )
    assert f"Verb call {put_in.pk} stands in the database, and no event vouches for it." == one_fault(
        verify_trail()
    )


def test_events_that_were_changed_or_removed_are_named(sealed, forge):
    event = AuditEvent.objects.get(action="result.approved")
    place = event.seal.ordinal
    with transaction.atomic():
        report = forge(f"UPDATE research_auditevent SET actor_id = NULL WHERE id = {event.pk}")
        assert one_fault(report).startswith(f"Entry {place} (event {event.pk}, result.approved at ")
        transaction.set_rollback(True)
    report = forge(f"DELETE FROM research_auditseal WHERE ordinal = {place}")
    assert report.faults[0] == f"Entry {place} of the log is gone."
    assert not report.ok


def test_a_trail_that_was_cut_at_its_end_is_told(sealed, forge):
    last = AuditSeal.objects.latest("ordinal")
    report = forge(
        "DELETE FROM research_audithead",
        f"DELETE FROM research_auditseal WHERE id = {last.pk}",
        f"DELETE FROM research_auditevent WHERE id = {last.event_id}",
    )
    assert f"The log ends after {last.ordinal - 1} entries" in report.faults[0]
    assert "its end was removed" in report.faults[0]


@pytest.mark.parametrize("heads_too", [False, True])
def test_a_trail_without_any_seal_is_told(sealed, forge, heads_too):
    count = AuditSeal.objects.count()
    report = forge(
        "DELETE FROM research_auditseal", *(["DELETE FROM research_audithead"] if heads_too else [])
    )
    assert f"The log ends after 0 entries, and there is the head of {count} entries" in report.faults[0]
    audit.seal_all()  # what a forger would do next: other hashes only if an event was changed as well
    assert verify_trail().ok
    forge(f"UPDATE research_auditevent SET detail = '{{}}' WHERE id = {AuditEvent.objects.last().pk}")
    assert not verify_trail().ok


def test_events_that_were_rewritten_and_sealed_again_are_told(sealed, forge):
    connection.check_constraints()
    append_only.remove(connection, TABLES)
    event = AuditEvent.objects.get(action="result.approved")
    event.detail = {**event.detail, "edits": 7}
    event.save()
    AuditSeal.objects.all().delete()
    AuditHead.objects.all().delete()
    AuditSeal.objects.bulk_create(sealed_anew(list(AuditEvent.objects.order_by("id")), 0))
    connection.check_constraints()
    append_only.install(connection, TABLES)
    audit.keep_head()
    report = verify_trail()
    assert any("the log was written anew" in fault for fault in report.faults)
    assert (
        "event" not in " ".join(report.faults[:1]).split("(")[0]
    )  # the entries fit their seals; the head does not


def test_whoever_also_removes_the_file_is_told_by_a_head_that_was_kept_elsewhere(sealed, forge, settings):
    kept = AuditHead.objects.latest("size").note
    Path(settings.DOSSIER_TRAIL_HEADS).unlink()
    report = verify_trail()
    assert "No head is kept in" in one_fault(report)
    forge("DELETE FROM research_auditseal WHERE ordinal > 3", "DELETE FROM research_audithead")
    audit.keep_head()  # the forger has the key as well
    assert not any("The log ends" in fault for fault in verify_trail().faults)
    assert any("brought along" in fault for fault in verify_trail([kept]).faults)


def test_a_file_of_heads_that_lost_its_end_is_told(sealed, settings):
    heads = Path(settings.DOSSIER_TRAIL_HEADS)
    shutil.copy(heads, heads.with_suffix(".old"))
    audit.record("tested", sealed.decision.result.run)
    audit.seal_all()
    audit.keep_head()
    assert verify_trail().ok
    shutil.copy(heads.with_suffix(".old"), heads)
    assert "lost its end" in one_fault(verify_trail())


def test_a_forged_head_does_not_hold(sealed, settings):
    heads = Path(settings.DOSSIER_TRAIL_HEADS)
    size = AuditSeal.objects.count()
    heads.write_text(heads.read_text().replace(f"\n{size}\n", f"\n{size - 1}\n"))
    faults = verify_trail().faults
    assert (
        "A head that is kept in the file does not hold: the signature of a head does not fit its words."
        in faults
    )


def test_missing_and_disabled_triggers_are_told(sealed):
    with connection.cursor() as cursor:
        if SQLITE:
            cursor.execute("DROP TRIGGER research_decision_no_replace")
            cursor.execute("DROP TRIGGER research_auditseal_no_delete")
            cursor.execute(
                "CREATE TRIGGER research_auditseal_no_delete BEFORE DELETE ON research_auditseal BEGIN SELECT 1; END"
            )
        else:
            cursor.execute("ALTER TABLE research_decision DISABLE TRIGGER research_decision_append_only")
            cursor.execute("ALTER TABLE research_auditseal ENABLE TRIGGER research_auditseal_append_only")
            cursor.execute("DROP TRIGGER research_audithead_no_truncate ON research_audithead")
    assert verify_trail().faults == (
        [
            "the trigger research_decision_no_replace is missing",
            "the trigger research_auditseal_no_delete does something else than refuse",
        ]
        if SQLITE
        else [
            "the trigger research_decision_append_only is disabled",
            "the trigger research_auditseal_append_only is skipped by a session that plays a replica",
            "the trigger research_audithead_no_truncate is missing",
        ]
    )
    append_only.install(connection, TABLES)
    assert verify_trail().ok


@pytest.mark.skipif(SQLITE, reason="SQLite compares the whole text of a trigger")
@pytest.mark.parametrize(
    "trigger",
    [
        "append_only BEFORE UPDATE OR DELETE ON research_decision FOR EACH ROW WHEN (false)",
        "append_only BEFORE UPDATE OF id OR DELETE ON research_decision FOR EACH ROW",
        "no_truncate BEFORE TRUNCATE ON research_decision FOR EACH STATEMENT WHEN (false)",
    ],
)
def test_a_trigger_with_a_condition_is_told(sealed, trigger):
    name = f"research_decision_{trigger.split()[0]}"
    with connection.cursor() as cursor:
        connection.check_constraints()
        function = "EXECUTE FUNCTION dossier_append_only()"
        cursor.execute(f"CREATE OR REPLACE TRIGGER research_decision_{trigger} {function}")
        cursor.execute(f"ALTER TABLE research_decision ENABLE ALWAYS TRIGGER {name}")
    assert one_fault(verify_trail()) == f"the trigger {name} does something else than refuse"
    append_only.install(connection, TABLES)
    assert verify_trail().ok


@pytest.mark.skipif(not SQLITE, reason="only SQLite has INSERT OR REPLACE")
def test_no_row_takes_the_place_of_another(sealed):
    """Neither with the same key nor with another that is unique, whatever the connection is set to."""
    decision = sealed.decision
    names = ", ".join(field.column for field in Decision._meta.concrete_fields)
    for key in ("id", "1000"):
        values = names.replace("id", key, 1)
        statement = (
            f"INSERT OR REPLACE INTO research_decision ({names}) SELECT {values} FROM research_decision"
        )
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA recursive_triggers=OFF")
            with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
                cursor.execute(statement)
            cursor.execute("PRAGMA recursive_triggers=ON")
    assert Decision.objects.filter(pk=decision.pk).exists()
    assert verify_trail().ok


@pytest.mark.skipif(SQLITE, reason="only PostgreSQL has TRUNCATE and replicas")
def test_neither_truncate_nor_a_replica_gets_past_the_triggers(sealed):
    for statements in (
        ["TRUNCATE research_auditseal"],
        ["TRUNCATE research_auditevent CASCADE"],
        ["SET LOCAL session_replication_role = replica", "DELETE FROM research_auditseal"],
        ["SET LOCAL session_replication_role = replica", "UPDATE research_decision SET reason = 'Forged'"],
        ["SET LOCAL session_replication_role = replica", "TRUNCATE research_audithead"],
    ):
        with (
            connection.cursor() as cursor,
            pytest.raises(IntegrityError, match="append-only"),
            transaction.atomic(),
        ):
            cursor.execute("; ".join(statements))
    assert verify_trail().ok


def test_the_entry_of_an_event_is_the_same_whenever_it_is_read(sealed):
    event = audit.record("tested", sealed.decision.result, None, number=1.5, text="“ü”", list=[1, None])
    assert entry_of(event) == entry_of(AuditEvent.objects.get(pk=event.pk))
