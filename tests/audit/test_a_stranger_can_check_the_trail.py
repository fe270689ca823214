"""What is exported is checked by one script that knows nothing of Dossier: here by a process without its packages."""

import hashlib
import json
import re
import subprocess
import sys
from zipfile import ZipFile

import pytest

from research import audit
from research.audit.bundle import write_bundle
from research.models import AuditEvent, AuditHead

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(sealed, tmp_path):
    with (tmp_path / "trail.zip").open("xb") as file:
        entries, rows = write_bundle(file)
    assert entries == AuditEvent.objects.count()
    assert rows >= 7
    ZipFile(tmp_path / "trail.zip").extractall(tmp_path / "bundle")
    return tmp_path / "bundle"


def check(folder, *arguments):
    command = [sys.executable, "-I", "-S", str(folder / "verify.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_whole_trail_holds_and_nothing_private_is_in_it(folder, sealed):
    done = check(folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "The trail is whole" in done.stdout
    rows = (folder / "rows.jsonl").read_text(encoding="utf-8")
    assert sealed.decision.reason in rows
    assert '"kind":"user"' not in rows
    assert "password" not in rows


def test_every_forgery_of_a_bundle_is_found(folder):
    entries, rows = folder / "entries.jsonl", folder / "rows.jsonl"
    heads, keys = folder / "heads.txt", folder / "keys.txt"
    lines = entries.read_text("utf-8").splitlines(keepends=True)
    changed = json.loads(lines[0]) | {"actor": 99}
    decision = next(
        line for line in rows.read_text("utf-8").splitlines(keepends=True) if '"decision"' in line
    )
    forgeries = {
        "an entry changed": (entries, "".join([json.dumps(changed) + "\n", *lines[1:]])),
        "an entry removed": (entries, "".join(lines[1:])),
        "the last entries removed": (entries, "".join(lines[:-3])),
        "two entries swapped": (entries, "".join([lines[1], lines[0], *lines[2:]])),
        "a row changed": (rows, rows.read_text("utf-8").replace("As the register says.", "As I say.")),
        "a row removed": (rows, rows.read_text("utf-8").replace(decision, "")),
        "a row put in": (rows, rows.read_text("utf-8") + re.sub(r'"key":"\d+"', '"key":"999"', decision)),
        "a head changed": (heads, heads.read_text("utf-8").replace(f"\n{len(lines)}\n", "\n1\n")),
        "no head": (heads, ""),
        "another key": (keys, keys.read_text("utf-8").replace("A", "B", 1)),
    }  # fmt: skip
    held = []
    for name, (path, text) in forgeries.items():
        before = path.read_text("utf-8")
        assert text != before, name
        path.write_text(text, "utf-8")
        done = check(folder)
        if done.returncode == 0 or ("FAULT" not in done.stdout and "not a public key" not in done.stderr):
            held.append((name, done.stdout, done.stderr))
        path.write_text(before, "utf-8")
    assert held == []
    assert check(folder).returncode == 0


def test_what_follows_the_newest_head_proves_nothing(folder, sealed):
    """Whoever has no key can keep the heads as they are, and let entries follow that nobody has signed."""
    rows = (folder / "rows.jsonl").read_text("utf-8")
    forged = rows.replace("As the register says.", "As I say.")
    (line,) = (each for each in forged.splitlines() if "As I say." in each)
    digest = hashlib.sha256(line.encode()).hexdigest()
    entry = {"id": 999, "action": "forged", "witnessed": {f"decision:{sealed.decision.pk}": digest}}
    with (folder / "entries.jsonl").open("a", encoding="utf-8") as entries:
        entries.write(json.dumps(entry) + "\n")
    (folder / "rows.jsonl").write_text(forged, "utf-8")
    done = check(folder)
    assert done.returncode == 1
    assert "1 entries follow the newest head" in done.stdout
    assert f"event 999 tells of another decision:{sealed.decision.pk} than event" in done.stdout


def test_a_head_that_was_kept_is_the_beginning_of_the_log(folder, sealed, tmp_path):
    kept = tmp_path / "kept"
    kept.write_text(AuditHead.objects.latest("size").note, "utf-8")
    assert check(folder, "--head", kept).returncode == 0
    audit.record("tested", sealed.decision.result.run)
    audit.seal_all()
    later = audit.keep_head()
    kept.write_text(later.note, "utf-8")
    done = check(folder, "--head", kept)
    assert done.returncode == 1
    assert (
        f"the log ends after {later.size - 1} entries, and a head of {later.size} was signed" in done.stdout
    )


def test_a_key_that_one_was_given_counts_for_more_than_that_in_the_bundle(folder, settings, tmp_path):
    settings.DOSSIER_TRAIL_KEY = str(tmp_path / "other")
    other = audit.keys.signing_key()[1].text
    done = check(folder, "--key", other)
    assert done.returncode == 1
    assert "no known key has signed the head" in done.stdout
