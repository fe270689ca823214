"""The files of ``deploy/`` that people copy: they must name what there is, and each process the same way."""

import re
from configparser import ConfigParser
from importlib import import_module
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
UNITS = {path.stem.removeprefix("dossier-"): path for path in (ROOT / "deploy/systemd").glob("*.service")}
PROCESSES = ("web", "mcp", "worker", "beat", "alarms")


def service(name):
    unit = ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str
    unit.read(UNITS[name], encoding="utf-8")
    return dict(unit["Service"])


def test_all_processes_have_the_same_user_variables_and_limits():
    own = {"Type", "ExecStart", "ExecReload", "KillMode", "TimeoutStopSec"}
    shared = [{key: value for key, value in service(name).items() if key not in own} for name in PROCESSES]
    assert shared == [shared[0]] * len(PROCESSES)
    assert shared[0]["User"] == "dossier"
    assert shared[0]["EnvironmentFile"] == "/etc/dossier/dossier.env"


def test_the_target_starts_all_of_them():
    target = (ROOT / "deploy/systemd/dossier.target").read_text(encoding="utf-8")
    assert set(re.findall(r"dossier-(\w+)\.service", target)) == set(PROCESSES)
    assert set(UNITS) == {*PROCESSES, "backup"}


def test_a_worker_is_the_same_by_hand_and_in_a_container():
    containers = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    for name in ("worker", "beat"):
        assert service(name)["ExecStart"] == f"/opt/dossier/bin/{containers[name]['command']}"


def test_the_programs_that_are_served_are_there():
    import_module("config.wsgi")
    assert "gunicorn config.wsgi" in service("web")["ExecStart"]
    assert "uvicorn config.mcp:app" in service("mcp")["ExecStart"]
    assert (ROOT / "config/mcp.py").is_file()


def test_the_variables_are_documented():
    documented = (ROOT / "docs/settings.yaml").read_text(encoding="utf-8")
    example = (ROOT / "deploy/dossier.env").read_text(encoding="utf-8")
    named = re.findall(r"^(?:# )?([A-Z_]+)=", example, re.MULTILINE)
    assert {"DOSSIER_SECRET_KEY", "DATABASE_URL", "DOSSIER_URL"} <= set(named)
    assert [name for name in named if f"  {name}:" not in documented] == []


def test_the_page_copies_files_that_there_are():
    page = (ROOT / "docs/tasks/install-on-a-server.md").read_text(encoding="utf-8")
    copied = re.findall(r"install [^\n]*?(deploy/\S+)", page)
    assert len(copied) >= 4
    assert [name for name in copied if not list(ROOT.glob(name))] == []
