"""The Dockerfile is read and its COPY lines are replayed, because no Docker runs here."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.ci.containers import Ignored, arguments, copied, instructions

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
IGNORE = (ROOT / ".dockerignore").read_text(encoding="utf-8")
PRIVATE = [
    ".env", ".git/config", "var/secret-key", "var/dossier.sqlite3", "secrets/secret-key", "config/__pycache__/env.pyc",
    "config/old.pyc", ".venv/bin/python", "server.pem",
]  # fmt: skip


@pytest.fixture(scope="module")
def tree():
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def words(kind):
    return [rest for word, rest in instructions(DOCKERFILE) if word == kind]


def test_it_holds_every_file_of_every_package_that_the_wheel_has(tree):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rooms = tuple(f"{room}/" for room in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    image = copied(DOCKERFILE, IGNORE, tree)
    ours = {name for name in tree if name.startswith(rooms)}
    assert sorted(ours - set(image.values()))[:20] == []
    assert all(image[f"/opt/dossier/{name}"] == name for name in ours)
    assert image["/usr/local/bin/dossier"] == "manage.py"
    assert "PYTHONPATH=/opt/dossier" in " ".join(words("ENV"))


def test_it_holds_nothing_private(tree):
    image = copied(DOCKERFILE, IGNORE, [*tree, *PRIVATE])
    assert set(PRIVATE) & set(image.values()) == set()
    assert not [line for line in words("ENV") + words("ARG") if re.search(r"KEY|PASSWORD|TOKEN|SECRET", line)]


def test_dependencies_are_a_layer_below_the_code():
    steps = [f"{word} {rest}" for word, rest in instructions(DOCKERFILE)]
    lock, install = "COPY requirements.lock ./", "-r requirements.lock"
    code = [steps.index(f"COPY {room} {room}") for room in ("citations", "config", "research")]
    installs = [number for number, step in enumerate(steps) if install in step]
    assert steps.index(lock) < installs[0] < min(code)
    assert "--require-hashes" in steps[installs[0]]


def test_it_runs_as_nobody_in_particular_and_is_watched():
    user, group = words("USER")[-1].split(":")
    assert int(user) > 0
    assert int(group) > 0
    assert f"-o {user} -g {group}" in " ".join(words("RUN"))
    assert '"config.alive", "web"' in words("HEALTHCHECK")[0]


def test_it_stands_on_a_version_that_is_named():
    [base] = words("FROM")
    assert re.fullmatch(r"python:3\.\d+(\.\d+)?-slim-\w+", base)
    assert not [line for line in words("RUN") if "apt" in line]


def test_its_server_writes_where_it_may():
    [command] = words("CMD")
    assert arguments(command)[0] == "gunicorn"
    assert "--no-control-socket" in arguments(command)  # it would lie in a home that is not there
    assert arguments(command)[arguments(command).index("--worker-tmp-dir") + 1] == "/dev/shm"


EXAMPLES = {  # from Docker's reference of .dockerignore
    "*/temp*": (["a/temporary.txt", "a/temp/x"], ["temporary.txt", "a/b/temporary.txt"]),
    "*/*/temp*": (["a/b/temporary.txt"], ["a/temporary.txt"]),
    "temp?": (["tempa", "tempb/x"], ["temp", "tempab"]),
    "**/*.go": (["x.go", "a/b/x.go"], ["x.gone"]),
    "a/**/z": (["a/z", "a/b/c/z"], ["a/bz", "z"]),
    "/foo/bar": (["foo/bar", "foo/bar/x"], ["a/foo/bar"]),
    "*.md\n!README.md": (["a.md"], ["README.md", "docs/a.md"]),
    "*.md\n!README*.md\nREADME-secret.md": (["a.md", "README-secret.md"], ["README-x.md"]),
    "*.md\nREADME-secret.md\n!README*.md": (["a.md"], ["README-secret.md"]),
    "*\n!keep\n**/__pycache__": (["x", "keep/a/__pycache__/y.pyc"], ["keep", "keep/a/y.py"]),
    "# *\n[ab]": (["a", "b/x"], ["c", "# x"]),
    "a.c": (["a.c"], ["abc"]),
}


def test_what_is_kept_out_is_told_as_docker_tells_it():
    wrong = [
        (rules, path)
        for rules, (out, kept) in EXAMPLES.items()
        for path in (*out, *kept)
        if (path in Ignored(rules)) != (path in out)
    ]
    assert wrong == []


def test_it_notices_a_package_that_does_not_reach_the_build(tree):
    with pytest.raises(AssertionError, match="COPY common"):
        copied(DOCKERFILE, IGNORE.replace("!common\n", ""), tree)
