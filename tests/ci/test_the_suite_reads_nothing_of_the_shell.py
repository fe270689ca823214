"""A shell in which somebody works with Dossier names a database and keys: the suite reads neither."""

import os

from tests import shell

WORK = {
    "DATABASE_URL": "postgresql://me:secret@db.example.org/clients",
    "REDIS_URL": "redis://db.example.org/0",
    "DOSSIER_MODEL": "anthropic:some-model",
    "DOSSIER_SECRET_KEY_FILE": "/run/secrets/key",
    "DOSSIER_SOMETHING_OF_TOMORROW": "1",
    "ANTHROPIC_API_KEY_FILE": "/run/secrets/anthropic",
    "TAVILY_API_KEY": "secret",
    "COMPANY": "Shell plc",
    "DJANGO_SETTINGS_MODULE": "other.settings",
}
KEPT = {
    "PATH": "/usr/bin",
    "HOME": "/srv/me",
    "SSL_CERT_FILE": "/etc/ca.pem",
    "DOSSIER_REQUIRE_BROWSER": "1",
}


def test_it_takes_out_what_dossier_reads_and_nothing_else():
    environment = {**WORK, **KEPT}
    assert shell.forget(environment) == sorted(WORK)
    assert environment == KEPT


def test_it_uses_the_servers_that_are_named_for_tests():
    environment = {
        **WORK,
        "TEST_DATABASE_URL": "postgresql://127.0.0.1/spare",
        "TEST_REDIS_URL": "redis://127.0.0.1/9",
    }
    shell.forget(environment)
    assert environment["DATABASE_URL"] == "postgresql://127.0.0.1/spare"
    assert environment["REDIS_URL"] == "redis://127.0.0.1/9"


def test_it_does_so_before_the_settings_are_read(pytestconfig):
    assert pytestconfig.pluginmanager.has_plugin("tests.shell")
    assert os.environ.get("DATABASE_URL") == os.environ.get("TEST_DATABASE_URL")


def test_the_header_tells_servers_without_their_passwords(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://me:secret@127.0.0.1:5432/spare")
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setattr(shell, "FORGOTTEN", ["DOSSIER_MODEL"])
    assert shell.pytest_report_header() == [
        "database: postgresql://127.0.0.1:5432/spare",
        "broker: a folder; TEST_REDIS_URL names a Redis",
        "not read from this shell: DOSSIER_MODEL",
    ]
