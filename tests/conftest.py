"""Fixtures that every room shares."""

import pytest
from django.db import connection
from django.test import TransactionTestCase
from hypothesis import settings as hypothesis_settings

from entities import database
from entities.registers.setup import KINDS as REGISTER_KINDS
from research import append_only
from research.web.search.setup import NEEDS as SEARCH_NEEDS

# A busy machine is not a fault. CI keeps the profile hypothesis brings for it: the same examples each time.
hypothesis_settings.register_profile("patient", deadline=None)
if hypothesis_settings.get_current_profile_name() == "default":
    hypothesis_settings.load_profile("patient")


@pytest.fixture(autouse=True)
def plain_settings(settings, tmp_path):
    """The demo register, a broker folder of its own, fast passwords: no test talks to the internet."""
    settings.DOSSIER_REGISTER = "demo"
    settings.DOSSIER_FOUR_EYES = False
    settings.DOSSIER_MODEL = "register"
    settings.DOSSIER_SEARCH = []
    settings.DOSSIER_REGISTERS = []
    for kind in REGISTER_KINDS.values():
        for name in kind.needs:
            setattr(settings, name, "")
    for needs in SEARCH_NEEDS.values():
        for name in needs:
            setattr(settings, name, "")
    for source in ("HELIUS", "BIRDEYE", "RUGCHECK", "X", "JUPITER"):
        setattr(settings, f"{source}_BASE_URL", "")
    settings.ARXIV_BASE_URL = settings.CROSSREF_BASE_URL = ""
    for source in ("ENTSCHEIDSUCHE", "FEDLEX", "ONLINEKOMMENTAR"):
        setattr(settings, f"{source}_BASE_URL", "")
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SECURE_SSL_REDIRECT = False


@pytest.fixture(autouse=True)
def silent_doorbell(monkeypatch) -> list[tuple[str, tuple[object, ...]]]:
    """Rings are collected instead of sent; a test that wants the worker calls it."""
    rings: list[tuple[str, tuple[object, ...]]] = []
    monkeypatch.setattr("research.doorbell._ring", lambda task, args: rings.append((task, args)))
    return rings


@pytest.fixture(autouse=True, scope="session")
def flushable_append_only_tables() -> None:
    """SQLite empties tables with DELETE after a transactional test, which the append-only triggers refuse."""
    teardown = TransactionTestCase._fixture_teardown

    def emptied(self: TransactionTestCase) -> None:
        sqlite = connection.vendor == "sqlite"
        if sqlite:
            append_only.remove(connection)
            database.remove(connection)
        teardown(self)
        if sqlite:
            append_only.install(connection)
            database.install(connection)

    TransactionTestCase._fixture_teardown = emptied
