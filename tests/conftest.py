"""Fixtures that every room shares."""

import gc
import time
from collections.abc import Iterator
from socketserver import StreamRequestHandler

import pytest
from django.core.cache.backends.locmem import LocMemCache
from django.core.management.commands import flush
from django.db import connection
from django.test import SimpleTestCase, TransactionTestCase, override_settings
from hypothesis import settings as hypothesis_settings

from common import append_only
from common.outside.client import TRAFFIC, Traffic
from entities import database
from entities.memory import fill_types
from entities.registers.setup import KINDS as REGISTER_KINDS
from research.append_only import TABLES
from research.web.search.setup import NEEDS as SEARCH_NEEDS

# A double writes head and body of an answer apart. Held back until the head is acknowledged, the body comes 40 ms late.
StreamRequestHandler.disable_nagle_algorithm = True
# What is loaded and collected stays until the end: nobody need look through it for garbage, again and again.
gc.disable()

GUARDED = (*TABLES, *database.APPEND_ONLY)

# A busy machine is not a fault, and a suite that passed passes again: the same examples each time.
# "make explore" looks for new ones.
hypothesis_settings.register_profile("same", deadline=None, derandomize=True)
hypothesis_settings.register_profile("quick", hypothesis_settings.get_profile("same"), max_examples=15)
hypothesis_settings.register_profile("explore", deadline=None, max_examples=1_000)
if hypothesis_settings.get_current_profile_name() in ("default", "ci"):
    hypothesis_settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-database", action="store_true", help="leave out the tests that need a database")
    parser.addoption(
        "--servers", action="store_true", help="leave out what no server and no browser bears on"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out: list[pytest.Item] = []
    if config.getoption("--no-database"):
        left_out += [item for item in items if needs_database(item)]
    if config.getoption("--servers"):
        left_out += [item for item in items if not needs_servers(item)]
    if left_out:
        names = {item.nodeid for item in left_out}
        items[:] = [item for item in items if item.nodeid not in names]
        config.hook.pytest_deselected(items=left_out)
        if hasattr(config, "workeroutput"):  # pytest-xdist tells its main process nothing of them
            config.workeroutput["left out"] = len(left_out)


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def needs_database(item: pytest.Item) -> bool:
    by_fixture = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
    by_class = isinstance(item, pytest.Function) and issubclass(item.cls or object, SimpleTestCase)
    return bool(by_fixture or by_class or item.get_closest_marker("django_db"))


def needs_servers(item: pytest.Item) -> bool:
    """Whether PostgreSQL, Redis or a browser may make a difference; the others need not be tried once more."""
    return needs_database(item) or any(item.get_closest_marker(name) for name in ("browser", "redis"))


@pytest.fixture(autouse=True, scope="session")
def plain_settings(django_test_environment: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The demo register, fast passwords, nothing set up: no test talks to the internet. A test's own settings win.

    Set once for all tests: each setting that changes is told to a dozen listeners, and there are many tests.
    """
    needs = [*SEARCH_NEEDS.values(), *(kind.needs for kind in REGISTER_KINDS.values())]
    addresses = ("HELIUS", "BIRDEYE", "RUGCHECK", "X", "JUPITER", "ARXIV", "CROSSREF")
    courts = ("ENTSCHEIDSUCHE", "FEDLEX", "ONLINEKOMMENTAR")
    trail = tmp_path_factory.mktemp("trail")
    with override_settings(
        DOSSIER_TRAIL_HEADS=str(trail / "heads"),
        DOSSIER_TRAIL_KEY=str(trail / "key"),
        **{name: "" for names in needs for name in names},
        **{f"{source}_BASE_URL": "" for source in (*addresses, *courts)},
        DOSSIER_REGISTER="demo",
        DOSSIER_FOUR_EYES=False,
        DOSSIER_MODEL="register",
        DOSSIER_SEARCH=[],
        DOSSIER_REGISTERS=[],
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        SECURE_SSL_REDIRECT=False,
        WHITENOISE_AUTOREFRESH=True,  # looks for a file when it is asked for, not for all with every test client
    ):
        yield


@pytest.fixture
def trail_elsewhere(settings, tmp_path):
    """The heads and the key of the audit trail, in a folder of the test: what is rolled back forgets its heads."""
    settings.DOSSIER_TRAIL_HEADS = str(tmp_path / "trail" / "heads")
    settings.DOSSIER_TRAIL_KEY = str(tmp_path / "trail" / "key")
    return tmp_path / "trail"


@pytest.fixture(autouse=True)
def silent_doorbell(monkeypatch) -> list[tuple[str, tuple[object, ...]]]:
    """Rings are collected instead of sent; a test that wants the worker calls it."""
    rings: list[tuple[str, tuple[object, ...]]] = []
    monkeypatch.setattr("research.doorbell._ring", lambda task, args: rings.append((task, args)))
    return rings


@pytest.fixture(autouse=True)
def no_model_is_away(monkeypatch) -> None:
    """What one test has found out about a model is nothing to the next, nor to another process."""
    known = LocMemCache("outages", {})
    known.clear()
    monkeypatch.setattr("research.engine.outages._shared", lambda: known)
    monkeypatch.setattr("research.engine.outages.OUTAGES._read", {})


@pytest.fixture(autouse=True, scope="session")
def pauses_pass_at_once() -> None:
    """Where the client of outside sources would sleep, its clock goes forward instead."""
    slept = 0.0

    def sleep(seconds: float) -> None:
        nonlocal slept
        slept += seconds

    def clock() -> float:
        return time.monotonic() + slept

    TRAFFIC.clock, TRAFFIC.sleep = clock, sleep
    Traffic.__init__.__kwdefaults__.update(clock=clock, sleep=sleep)


@pytest.fixture(autouse=True)
def nothing_known_of_sources() -> Iterator[None]:
    """No source is left alone, or waited for, because of what another test did to it."""
    yield
    TRAFFIC.forget()


# Rows that follow from the models: no test writes them.
FROM_THE_CODE = {"django_content_type", "auth_permission"}


@pytest.fixture(autouse=True, scope="session")
def flushable_append_only_tables() -> None:
    """Tables are emptied with DELETE after a transactional test, which the append-only triggers refuse.

    What follows from the models stays, so that it need not be worked out anew after each of these tests.
    """
    teardown = TransactionTestCase._fixture_teardown

    def emptied(self: TransactionTestCase) -> None:
        on_postgresql = connection.vendor == "postgresql"
        deleting = emptying_postgresql if on_postgresql else connection.ops.sql_flush

        def flushed(style: object, tables: list[str], **options: object) -> list[str]:
            return deleting(style, [table for table in tables if table not in FROM_THE_CODE], **options)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(connection.ops, "sql_flush", flushed)
            patched.setattr(flush, "emit_post_migrate_signal", lambda *args, **options: None)
            if on_postgresql:
                teardown(self)
            else:
                append_only.remove(connection, GUARDED)
                teardown(self)
                append_only.install(connection, GUARDED)
        fill_types(connection.alias)

    TransactionTestCase._fixture_teardown = emptied


def emptying_postgresql(style: object, tables: list[str], **options: object) -> list[str]:
    """Statements that remove every row. Django's TRUNCATE makes hundreds of files anew for a handful of rows.

    Like TRUNCATE they wait for whoever is still writing, and it is one DELETE, so that no key points to nothing.
    """
    names = [connection.ops.quote_name(table) for table in tables]
    emptied = ", ".join(f"emptied{n} AS (DELETE FROM {name})" for n, name in enumerate(names))
    return [
        f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE",
        "SET CONSTRAINTS ALL IMMEDIATE",
        *(f"ALTER TABLE {table} DISABLE TRIGGER USER" for table in GUARDED),
        f"WITH {emptied} SELECT 1",
        *(
            f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_{name}"
            for table in GUARDED
            for name in ("append_only", "no_truncate")
        ),
    ]
