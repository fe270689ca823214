"""Each fault is made for real, and named with what to do."""

import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import caches
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from common import append_only
from entities import database as memory
from research import audit
from research.append_only import TABLES
from research.doctor import database, machine, processes
from research.doctor.heartbeats import EVERY, STALE, Heart
from research.services.people import ensure_admin
from tests.factories import RunFactory

SQLITE = connection.vendor == "sqlite"
GUARDED = (TABLES[0], memory.APPEND_ONLY[-1])


@pytest.fixture
def signs(tmp_path, settings):
    """Signs of life of nobody yet, in a folder as without Redis."""
    backend = "django.core.cache.backends.filebased.FileBasedCache"
    settings.CACHES = {**settings.CACHES, "signs": {"BACKEND": backend, "LOCATION": str(tmp_path / "signs")}}
    caches.settings = caches.configure_settings(settings.CACHES)
    return tmp_path


def told(finding):
    return finding.state, f"{finding.seen} {finding.todo}"


@pytest.mark.django_db
def test_a_trigger_that_is_gone_is_named_and_migrate_brings_it_back():
    everything_guards()
    names = [f"{table}_{'no_delete' if SQLITE else 'append_only'}" for table in GUARDED]
    with connection.cursor() as cursor:
        for table, name in zip(GUARDED, names, strict=True):
            cursor.execute(f"DROP TRIGGER {name}" + ("" if SQLITE else f" ON {table}"))
    state, words = told(database.guarded())
    assert state == "broken"
    assert [name for name in names if f"the trigger {name} is missing" not in words] == []
    assert "migrate" in words
    restore_triggers()
    everything_guards()


@pytest.mark.django_db
def test_a_trail_that_is_not_sealed_or_not_kept_elsewhere_is_named(trail_elsewhere):
    assert told(database.sealed()) == ("ok", "Nothing is sealed yet. ")
    event = audit.about("tested", RunFactory())
    event.at = timezone.now() - timedelta(minutes=11)
    event.save()
    assert told(database.sealed())[0] == "warning"
    audit.seal_all()
    audit.keep_head()
    assert told(database.sealed())[0] == "ok"
    heads = trail_elsewhere / "heads"
    kept = heads.read_text()
    heads.write_text("")
    state, words = told(database.sealed())
    assert (state, "Put the file back from a backup" in words) == ("broken", True)
    heads.write_text(kept)
    assert told(database.sealed())[0] == "ok"


@pytest.mark.django_db
def test_migrations_that_are_missing_or_unknown_are_told_apart():
    assert database.migrated().state == "ok"
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'research' AND name = '0001_initial'")
        assert "1 migrations are not applied" in database.migrated().seen
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('entities', '0099_of_yore', CURRENT_TIMESTAMP)"
        )
    state, words = told(database.migrated())
    assert state == "broken"
    assert "entities.0099_of_yore" in words
    assert "before 0.1.0" in words


def test_a_database_that_does_not_answer_is_named(monkeypatch):
    """By a name that cannot be opened: no folder, no server."""

    def refuse():
        raise database.DatabaseError("connection refused\nsecond line")

    monkeypatch.setattr(connection, "ensure_connection", refuse)
    state, words = told(database.connected())
    assert state == "broken"
    assert "connection refused" in words
    assert "DATABASE_URL" in words


@pytest.mark.django_db
def test_it_says_what_database_it_is():
    assert ("SQLite" if SQLITE else "PostgreSQL") in database.connected().seen


def test_a_broker_that_is_down_is_named(settings, monkeypatch, tmp_path):
    settings.REDIS_URL, settings.QUEUE_DIR = "", tmp_path / "nowhere"
    assert told(processes.broker())[0] == "broken"
    settings.QUEUE_DIR = tmp_path
    for number in range(3):
        (tmp_path / f"{number}.celery.msg").touch()
    assert "3 messages waiting" in processes.broker().seen
    monkeypatch.setattr(processes, "MANY", 2)
    assert told(processes.broker())[0] == "warning"

    settings.REDIS_URL = "redis://:pa55@127.0.0.1:1/0"
    monkeypatch.setattr(processes.current_app.conf, "broker_url", settings.REDIS_URL)
    monkeypatch.setattr(processes.current_app.conf, "broker_write_url", settings.REDIS_URL)
    state, words = told(processes.broker())
    assert state == "broken"
    assert "does not answer" in words
    assert "pa55" not in words


def test_workers_are_alive_by_their_signs(signs, settings):
    settings.PRODUCTION = False
    assert processes.workers().state == "skipped"
    settings.PRODUCTION = True
    assert processes.workers().state == "broken"

    moment = time.time()
    old, young = (
        Heart("worker", "old:1", lambda: moment - 2 * STALE),
        Heart("worker", "young:2", lambda: moment),
    )
    old.beat()
    state, words = told(processes.workers())
    assert (state, "old:1" in words) == ("broken", True)

    young.work()
    young.beat()
    state, words = told(processes.workers())
    assert state == "warning"
    assert "1 alive" in words
    assert "1 other ended without a word: old:1" in words

    old.end()
    assert processes.workers().state == "ok"
    young.end()
    assert processes.workers().state == "broken"


def test_a_sign_is_written_only_now_and_then(signs):
    moment = [1_000.0]
    heart = Heart("beat", "one:1", lambda: moment[0])
    heart.beat()
    written = caches["signs"].get("beat")
    moment[0] += EVERY - 1
    heart.beat()
    assert caches["signs"].get("beat") == written
    moment[0] += 2
    heart.beat()
    assert caches["signs"].get("beat") != written


def test_two_beats_are_one_too_many(signs):
    for number in (1, 2):
        heart = Heart("beat", f"one:{number}")
        heart.work()
        heart.beat()
    assert told(processes.beat())[0] == "warning"


@pytest.mark.django_db
def test_a_run_that_nobody_takes_up_is_named():
    assert processes.queue().state == "ok"
    run = RunFactory(state="queued", started_at=None)
    type(run).objects.update(created_at="2020-01-01T00:00Z")
    assert told(processes.queue())[0] == "warning"


def test_settings_are_judged(settings, tmp_path, monkeypatch):
    good = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    key = tmp_path / "secret-key"
    key.write_text(good)
    key.chmod(0o644)
    table = [
        (machine.secret_key, {"SECRET_KEY": "short"}, "warning", "DOSSIER_SECRET_KEY"),
        (machine.secret_key, {"SECRET_KEY": "short", "PRODUCTION": True}, "broken", "DOSSIER_SECRET_KEY"),
        (machine.secret_key, {"SECRET_KEY": good, "VAR_DIR": tmp_path}, "broken", "chmod 600"),
        (machine.secret_key, {"SECRET_KEY": good, "VAR_DIR": tmp_path / "x"}, "ok", ""),
        (machine.address, {"DOSSIER_URL": "dossier.example.org"}, "broken", "no address"),
        (machine.address, {"DOSSIER_URL": "http://127.0.0.1:8000"}, "ok", ""),
        (machine.address, {"DOSSIER_URL": "http://localhost", "PRODUCTION": True}, "broken", "lead nowhere"),
        (
            machine.address,
            {"DOSSIER_URL": "https://x.example", "PRODUCTION": True},
            "broken",
            "ALLOWED_HOSTS",
        ),
        (
            machine.address,
            {"DOSSIER_URL": "http://x.example", "PRODUCTION": True, "ALLOWED_HOSTS": ["x.example"]},
            "warning",
            "https",
        ),
        (
            machine.static_files,
            {"WHITENOISE_USE_FINDERS": False, "STATIC_ROOT": tmp_path},
            "broken",
            "collectstatic",
        ),
        (
            machine.system_checks,
            {"DOSSIER_MODEL": "antropic:some-model"},
            "broken",
            "is: anthropic:some-model",
        ),
    ]
    wrong = []
    for look, given, state, said in table:
        defaults = {"PRODUCTION": False, "ALLOWED_HOSTS": ["testserver"]}
        for name, value in {**defaults, **given}.items():
            setattr(settings, name, value)
        finding = told(look())
        if finding[0] != state or said not in finding[1]:
            wrong.append(f"{look.__name__} {given}: {finding}")
    assert wrong == []


def test_room_on_the_disk_is_looked_at(monkeypatch):
    usage = machine.shutil.disk_usage(Path.cwd())
    for free, state in ((10**11, "ok"), (10**9, "warning"), (10**7, "broken")):
        monkeypatch.setattr(machine.shutil, "disk_usage", lambda path, free=free: usage._replace(free=free))
        assert machine.disk().state == state


def test_a_clock_that_is_wrong_is_named():
    assert machine.skewed([]).state == "skipped"
    assert machine.skewed([1.0, -600.0, 2.0]).state == "ok"  # one source may be wrong
    assert "600 s later" in machine.skewed([599.0, 600.0, 601.0]).seen


@pytest.mark.django_db
def test_an_empty_house_is_told_what_to_do_first():
    assert told(machine.people())[0] == told(machine.macros())[0] == "warning"
    ensure_admin()
    call_command("macros", "sync", verbosity=0)
    assert told(machine.people())[0] == told(machine.macros())[0] == "ok"


def everything_guards():
    assert database.guarded().state == "ok"


def restore_triggers():
    """As after every migrate."""
    append_only.install(connection, TABLES)
    memory.install(connection)
