"""What the documents list is what there is."""

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest

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
