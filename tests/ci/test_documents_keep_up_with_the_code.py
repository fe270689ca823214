"""What the documents list is what there is."""

import argparse
import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
import yaml
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
DOCS = names(PROJECT["dependency-groups"]["docs"])


def test_it_finds_the_settings_at_all():
    assert {"DATABASE_URL", "DOSSIER_SECRET_KEY", "POSTGRES_PASSWORD", "DOSSIER_USER"} <= variables()


def test_it_documents_every_environment_variable():
    sections = yaml.safe_load(text("docs/settings.yaml")).values()
    documented = {name: meaning for section in sections for name, meaning in section.items()}
    assert set(documented) == variables()
    assert all(documented.values())


@pytest.mark.parametrize("name", sorted({*RUNTIME, *EXTRAS, *DEV, *DOCS}))
def test_it_gives_a_reason_for_every_dependency(name):
    known = text("docs/dependencies.md")
    assert re.search(rf"^\|.*\b{re.escape(name)}\b", known, re.MULTILINE) or name.startswith("types-")


@pytest.mark.parametrize(
    ("lock", "direct"),
    [
        ("requirements.lock", RUNTIME),
        ("requirements-dev.lock", [*RUNTIME, *DEV]),
        ("requirements-docs.lock", DOCS),
    ],
)
def test_it_locks_every_direct_dependency_with_hashes(lock, direct):
    locked = dict(re.findall(r"^([a-z0-9.-]+)==\S+.*?\\\n +--hash=(sha256):", text(lock), re.MULTILINE))
    assert set(direct) - set(locked) == set()


def versions(lock):
    return dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", text(lock), re.MULTILINE))


def test_it_installs_the_same_versions_for_work_and_for_use():
    runtime, dev, docs = map(
        versions, ("requirements.lock", "requirements-dev.lock", "requirements-docs.lock")
    )
    assert {name: dev.get(name) for name in runtime} == runtime
    assert [name for name, version in docs.items() if dev.get(name, version) != version] == []


PAGES = sorted(
    page for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")) if "reference" not in page.parts
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_its_links_lead_somewhere(page):
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8"))
    kept = [link for link in links if "reference/" not in link]  # which make docs writes, and verifies
    assert [link for link in kept if not (page.parent / link).exists()] == []


def paths_in(page):
    """What stands in backticks and looks like a file or folder of this repository."""
    rooms = r"config|common|citations|entities|research|tests|bench|deploy|docs|\.ci"
    return re.findall(rf"`((?:{rooms})/(?:[\w./-]*/|[\w./-]+\.\w+)?)`", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_it_names_exist(page):
    assert [path for path in paths_in(page) if not (ROOT / path).exists()] == []


def test_pages_that_the_code_names_exist():
    folders = ("config", "common", "citations", "entities", "research", "deploy", "bench", ".ci")
    files = [
        file
        for folder in folders
        for file in (ROOT / folder).rglob("*")
        if file.suffix in {".py", ".html", ".yaml", ".env", ".po"}
    ]
    faults = [
        f"{file.relative_to(ROOT)}: {page}"
        for file in [*files, ROOT / "compose.yaml", ROOT / ".env.example"]
        for page in re.findall(r"\bdocs/[\w/-]+\.(?:md|yaml)", file.read_text(encoding="utf-8"))
        if not (ROOT / page).exists()
    ]
    assert faults == []


def test_the_architecture_names_every_package():
    page = text("docs/ARCHITECTURE.md")
    packages = {
        f"{file.parent.relative_to(ROOT).as_posix()}/"
        for room in ("common", "citations", "entities", "research")
        for file in (ROOT / room).rglob("*.py")
    }
    inner = re.compile(r"/(?:migrations|commands|library|seed)/$")
    shown = {name for name in packages if name == "common/commands/" or not inner.search(name)}
    assert len(shown) > 40
    assert sorted(name for name in shown if f"`{name}`" not in page) == []


def glossary():
    rows = re.findall(r"^\| ([a-z].*?) \|$", text("docs/glossary.md"), re.MULTILINE)
    return {cells[0]: cells[1:4] for cells in (row.split(" | ") for row in rows)}


def translations():
    """(English, German, French, Italian) of every label and field of memos."""
    labels = yaml.safe_load(text("research/memo/labels.yaml")).values()
    fields = yaml.safe_load(text("research/memo/fields.yaml"))
    return [*map(tuple, labels), *((name, *words) for name, words in fields.items())]


def test_the_glossary_has_forty_terms_in_four_languages():
    assert len(glossary()) == 40
    assert all(len(words) == 3 and all(words) for words in glossary().values())


def test_memos_use_the_words_of_the_glossary():
    terms = glossary()
    compared, faults = set(), []
    for english, *others in translations():
        term = english.lower() if english.lower() in terms else english.lower().removesuffix("s")
        if term in terms:
            compared.add(term)
            faults += [
                f"{english}: {word}, but the glossary says {known}"
                for word, known in zip(others, terms[term], strict=True)
                if known.lower()[:4] not in word.lower()
            ]
    assert len(compared) >= 10
    assert faults == []


@pytest.mark.parametrize(("language", "column"), [("de", 0), ("fr", 1), ("it", 2)])
def test_the_log_in_uses_the_words_of_the_glossary(language, column):
    catalogue = text(f"config/locale/{language}/LC_MESSAGES/django.po")
    said = dict(re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', catalogue, re.MULTILINE))
    known = glossary()["second factor"][column]
    assert said["Second factor"].lower() == known.lower()


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
