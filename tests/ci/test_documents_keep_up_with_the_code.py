"""What the documents list is what there is."""

import argparse
import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from tests.shell import variables

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def names(requirements):
    return [re.split(r"[\[<>=~! ]", requirement, maxsplit=1)[0] for requirement in requirements]


RUNTIME = names(PROJECT["project"]["dependencies"])
EXTRAS = names(chain.from_iterable(PROJECT["project"]["optional-dependencies"].values()))
DEV = names(PROJECT["dependency-groups"]["dev"])


def test_it_finds_the_settings_at_all():
    assert {"DATABASE_URL", "DOSSIER_SECRET_KEY", "POSTGRES_PASSWORD", "DOSSIER_USER"} <= variables()


def test_it_documents_every_environment_variable():
    documented = text("docs/settings.md")
    assert sorted(name for name in variables() if f"`{name}`" not in documented) == []


@pytest.mark.parametrize("name", sorted({*RUNTIME, *EXTRAS, *DEV}))
def test_it_gives_a_reason_for_every_dependency(name):
    known = text("docs/dependencies.md")
    assert re.search(rf"^\|.*\b{re.escape(name)}\b", known, re.MULTILINE) or name.startswith("types-")


@pytest.mark.parametrize(
    ("lock", "direct"), [("requirements.lock", RUNTIME), ("requirements-dev.lock", [*RUNTIME, *DEV])]
)
def test_it_locks_every_direct_dependency_with_hashes(lock, direct):
    locked = dict(re.findall(r"^([a-z0-9.-]+)==\S+.*?\\\n +--hash=(sha256):", text(lock), re.MULTILINE))
    assert set(direct) - set(locked) == set()


def test_it_installs_the_same_versions_for_work_and_for_use():
    runtime, dev = (
        dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", text(name), re.MULTILINE))
        for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert {name: dev.get(name) for name in runtime} == runtime


PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_its_links_lead_somewhere(page):
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_readme_leads_to_every_page():
    assert [
        page.name for page in ROOT.glob("docs/*.md") if f"docs/{page.name}" not in text("README.md")
    ] == []


def test_every_extra_they_name_can_be_installed():
    extras = set(PROJECT["project"]["optional-dependencies"])
    table = text("docs/dependencies.md").partition("## Extras")[2].partition("\n## ")[0]
    named = set(re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE))
    for page in PAGES:
        named |= set(re.findall(r"dossier\[([\w-]+)\]", page.read_text(encoding="utf-8")))
    assert named == extras


def test_every_command_they_name_exists():
    faults = []
    for page in PAGES:
        said = page.read_text(encoding="utf-8")
        targets = re.findall(r"^([a-z][\w-]*):", text("Makefile"), re.MULTILINE)
        faults += [
            f"{page.name}: make {name}"
            for name in re.findall(r"`make ([a-z]+)\b", said)
            if name not in targets
        ]
        for name, action in re.findall(
            r"(?:manage\.py|dossier) (?!dossier\b)([a-z][\w-]*)(?![\w/-])(?: ([a-z][a-z-]+)\b)?",
            code_of(said),
        ):
            faults += [f"{page.name}: manage.py {name} {action}"] * (not is_command(name, action))
    assert faults == []


def code_of(said):
    """What a page shows as typed: blocks and spans of code."""
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```", said, re.MULTILINE | re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"`([^`\n]+)`", said)])


def is_command(name, action):
    if name == "version":
        return True
    if name not in get_commands():
        return False
    command = get_commands()[name]
    if not isinstance(command, str) or not command.startswith(("citations", "entities", "research")):
        return True
    parser = load_command_class(command, name).create_parser("manage.py", name)
    choices = [each.choices for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    return not choices or not action or action in choices[0]
