"""What the backup service writes holds everything that Dossier knows: nobody else on the machine reads it."""

import os
import re
import stat
import subprocess
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_copies_are_0600_in_a_folder_of_0700_whatever_was_open_before(tmp_path):
    unit = ConfigParser(interpolation=None)
    unit.read(ROOT / "deploy/systemd/dossier-backup.service", encoding="utf-8")
    service = unit["Service"]
    assert (service["StateDirectoryMode"], service["UMask"]) == ("0700", "0077")
    folder, trail, tools = (tmp_path / name for name in ("copies", "trail", "bin"))
    for made in (folder, trail / "former", tools):
        made.mkdir(parents=True)
    (trail / "heads").write_text("heads")
    (trail / "former" / "key").write_text("a key")
    (folder / "dossier-20260101T000000Z.dump").write_text("of an earlier version")
    for path in (trail, *trail.rglob("*"), *folder.rglob("*")):
        path.chmod(0o777)
    dump = tools / "pg_dump"
    dump.write_text(
        '#!/bin/sh\nfor word; do case $word in --file=*) echo dump > "${word#--file=}";; esac; done\n'
    )
    dump.chmod(0o755)
    script = (
        re.fullmatch(r"/bin/sh -ec '(.*)'", service["ExecStart"])[1].replace("$$", "$").replace("%%", "%")
    )
    script = script.replace("/var/lib/dossier-backup", str(folder)).replace(
        "/var/lib/dossier/trail", str(trail)
    )
    path = f"{tools}:{os.environ['PATH']}"
    subprocess.run(["/bin/sh", "-ec", f"umask 022; {script}"], check=True, env={"PATH": path})

    written = {str(path.relative_to(folder)): path for path in folder.rglob("*")}
    assert len([name for name in written if re.fullmatch(r"dossier-\d{8}T\d{6}Z\.dump", name)]) == 2
    assert {"trail/heads", "trail/former/key"} <= set(written)
    modes = {name: oct(stat.S_IMODE(path.stat().st_mode)) for name, path in written.items()}
    assert {name: mode for name, mode in modes.items() if int(mode, 8) & 0o077} == {}
    assert modes["trail/heads"] in ("0o600", "0o700")  # its owner's rights are as they were
    assert {mode for name, mode in modes.items() if name.endswith(".dump") and "2026010" not in name} == {
        "0o600"
    }
