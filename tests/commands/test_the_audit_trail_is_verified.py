import pytest
from django.db import connection

from common import append_only
from research.append_only import TABLES
from research.audit import record
from research.audit.checkpoint import read_key, read_note
from research.models import AuditEvent
from tests.factories import RunFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("trail_elsewhere")]


@pytest.fixture
def events():
    research = RunFactory()
    return [record(f"test.{number}", research, None, research.macro) for number in range(3)]


def test_it_says_how_much_is_sealed_and_kept_elsewhere(run, events):
    assert run("audit", "verify", "--json").document == {
        "ok": True, "sealed": 0, "unsealed": 3, "heads": 0, "kept": 0, "rows": 1,
        "erased": [], "faults": [], "warnings": [],
    }  # fmt: skip
    assert run("audit", "seal", "--json").document == {"sealed": 3, "head": 3}
    outcome = run("audit", "verify")
    assert outcome.code == 0
    assert "The trail is whole." in outcome.out
    assert "3 entries, 3 of them under a head that is kept outside the database; 0 events wait" in outcome.out


def test_it_names_the_event_that_was_changed(run, events):
    run("audit", "seal")
    connection.check_constraints()  # PostgreSQL changes no table while it has them to check
    append_only.remove(connection, TABLES)
    AuditEvent.objects.filter(pk=events[1].pk).update(action="test.forged")
    append_only.install(connection, TABLES)
    outcome = run("audit", "verify", "--json")
    assert (outcome.code, outcome.document["ok"]) == (1, False)
    (fault,) = outcome.document["faults"]
    assert fault.startswith(f"Entry 2 (event {events[1].pk}, test.forged at ")
    assert fault.endswith("was changed after it was sealed.")


def test_a_head_is_printed_to_be_kept_and_holds_later(run, events, tmp_path):
    assert "No head has been signed yet" in run("audit", "head").err
    run("audit", "seal")
    (tmp_path / "kept").write_text(run("audit", "head").out, encoding="utf-8")
    key = read_key(run("audit", "key").out)
    assert read_note(run("audit", "head", "--json").document["note"], [key]).size == 3
    record("test.3", RunFactory(macro=events[0] and RunFactory().macro))
    outcome = run("audit", "verify", "--head", str(tmp_path / "kept"), "--json")
    assert outcome.document["heads"] == 3  # in the file, brought along, in the database


def test_a_lost_file_of_heads_is_begun_anew_from_the_database(run, events, trail_elsewhere):
    run("audit", "seal")
    record("test.3", RunFactory())
    run("audit", "seal")
    heads = trail_elsewhere / "heads"
    lost = heads.read_text(encoding="utf-8")
    heads.unlink()
    assert run("audit", "verify").code == 1
    heads.write_text(run("audit", "head", "--all").out, encoding="utf-8")
    assert heads.read_text(encoding="utf-8").split() == lost.split()
    assert run("audit", "verify", "--json").document["kept"] == 4


def test_proofs_are_printed(run, events, tmp_path):
    run("audit", "seal")
    kept = tmp_path / "kept"
    kept.write_text(run("audit", "head").out, encoding="utf-8")
    record("test.3", RunFactory())
    assert (
        "is not under a signed head yet"
        in run("audit", "prove", "--event", str(AuditEvent.objects.first().pk)).err
    )
    run("audit", "seal")
    assert run("audit", "prove", "--event", str(events[1].pk), "--json").document["index"] == 1
    grown = run("audit", "prove", "--since", str(kept), "--json").document
    assert (grown["from"], grown["size"]) == (3, 4)
    kept.write_text("nonsense", encoding="utf-8")
    assert "No proof" in run("audit", "prove", "--since", str(kept)).err


def test_a_key_that_cannot_sign_is_told(run, events, trail_elsewhere):
    trail_elsewhere.mkdir()
    (trail_elsewhere / "key").write_text("bm8=", encoding="utf-8")
    outcome = run("audit", "seal")
    assert outcome.code == 1
    assert "3 events are sealed, but the head cannot be signed" in outcome.err


def test_a_command_may_sign_in_place_of_a_key(run, events, settings, tmp_path):
    """As where the key never leaves a device of its own."""
    run("audit", "seal")
    settings.DOSSIER_TRAIL_PUBLIC_KEY = run("audit", "key").out.strip()
    settings.DOSSIER_TRAIL_SIGNER = "false"
    record("test.4", RunFactory())
    assert "DOSSIER_TRAIL_SIGNER gave no signature" in run("audit", "seal").err
    settings.DOSSIER_TRAIL_SIGNER = "head -c 64 /dev/zero"
    assert "gave no signature" in run("audit", "seal").err


def test_a_former_key_still_checks_what_it_signed(run, events, settings, tmp_path):
    run("audit", "seal")
    former = run("audit", "key").out.strip()
    settings.DOSSIER_TRAIL_KEY = str(tmp_path / "new")
    assert "none of the known keys" in run("audit", "verify").out
    settings.DOSSIER_TRAIL_FORMER_KEYS = [former]
    assert run("audit", "verify").code == 0
