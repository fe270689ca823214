"""compose.yaml, read with its anchors: what reaches one process of Dossier reaches all of them."""

import re
from pathlib import Path

import pytest
import yaml

from config import alive

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "compose.yaml").read_text(encoding="utf-8")
SERVICES = yaml.safe_load(TEXT)["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "dossier"}


def test_it_runs_all_of_dossier():
    assert set(OURS) == {"prepare", "web", "mcp", "worker", "beat", "alarms"}


@pytest.mark.parametrize(
    "key", ["env_file", "environment", "volumes", "read_only", "tmpfs", "cap_drop", "security_opt", "build"]
)
def test_each_of_them_is_given_the_same(key):
    given = [service[key] for service in OURS.values()]
    assert given == [given[0]] * len(OURS)


def test_all_of_the_file_of_variables_reaches_them_and_none_is_overruled():
    web = OURS["web"]
    assert web["env_file"] == [{"path": ".env", "required": False}]
    fixed = {name for name, value in web["environment"].items() if f"${{{name}" not in value}
    assert fixed == {"DOSSIER_ENV"}


def test_nothing_starts_before_the_database_is_migrated():
    assert OURS["prepare"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert "dossier migrate" in OURS["prepare"]["command"]
    assert "dossier macros sync" in OURS["prepare"]["command"]
    assert OURS["prepare"]["restart"] == "no"
    for name in set(OURS) - {"prepare"}:
        assert OURS[name]["depends_on"]["prepare"] == {"condition": "service_completed_successfully"}


def test_every_process_that_stays_is_watched():
    for name in set(OURS) - {"prepare", "web"}:  # the image watches web
        assert OURS[name]["healthcheck"]["test"] == ["CMD", "python", "-m", "config.alive", name]
    assert {"web", "mcp"} <= set(alive.SERVERS)
    assert OURS["prepare"]["healthcheck"] == {"disable": True}


def test_only_this_machine_reaches_a_port():
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert len(ports) == 2
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_the_example_names_variables_that_there_are():
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    documented = (ROOT / "docs" / "settings.yaml").read_text(encoding="utf-8")
    named = re.findall(r"^(?:# )?([A-Z_]+)=", example, re.MULTILINE)
    assert {"DOSSIER_URL", "DOSSIER_ALLOWED_HOSTS", "DOSSIER_SECRET_KEY", "POSTGRES_PASSWORD"} <= set(named)
    assert [name for name in named if f"  {name.removesuffix('_FILE')}:" not in documented] == []
    assert set(re.findall(r"\$\{(\w+):\?", TEXT)) <= set(named)


def test_git_keeps_no_secret():
    assert "/.env\n" in (ROOT / ".gitignore").read_text(encoding="utf-8")
    assert "*\n!.gitignore" in (ROOT / "secrets" / ".gitignore").read_text(encoding="utf-8")
