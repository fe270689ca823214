"""``manage.py audit``: is the audit trail whole, and what can be shown to somebody else?"""

import json
import sys
from pathlib import Path

from django.core.management.base import CommandParser

from common.commands.base import Actions, Options, Refusal
from common.commands.progress import Bar
from common.program import typed
from research.audit import keep_head, seal_all
from research.audit.bundle import write_bundle
from research.audit.checkpoint import NoteRefused, read_note, read_notes
from research.audit.keys import known_keys
from research.audit.proofs import NoProof, prove_consistency, prove_inclusion
from research.audit.verification import verify_trail
from research.management.base import ResearchCommand
from research.models import AuditEvent, AuditHead

SHOWN = 20


class Command(ResearchCommand):
    help = "Check the audit trail, sign its head, and hand it to somebody who can check it too."

    def add_actions(self, actions: Actions) -> None:
        verify = actions.add(
            "verify", self.verify, "hold the log and every row it vouches for against its heads"
        )
        verify.add_argument(
            "--head", action="append", default=[], metavar="FILE", help="a head that was kept elsewhere"
        )
        actions.add("seal", self.seal, "seal what waits, and sign the head (beat does so every minute)")
        head = actions.add("head", self.head, "print the newest signed head, to be kept elsewhere")
        head.add_argument("--all", action="store_true", help="every head, as the file of heads has them")
        actions.add("key", self.key, "print the public key that checks heads")
        prove = actions.add(
            "prove", self.prove, "show that an event is in the log, or that the log has only grown"
        )
        what = prove.add_mutually_exclusive_group(required=True)
        what.add_argument(
            "--event", type=int, metavar="ID", help="prints the entry and its path to a signed head"
        )
        what.add_argument(
            "--since", type=Path, metavar="FILE", help="a head that was kept: prints the path to the newest"
        )
        export: CommandParser = actions.add(
            "export", self.export, "write a ZIP that one script checks without Dossier"
        )
        export.add_argument("file", type=Path, help="for example trail.zip; an existing file is refused")

    def verify(self, options: Options) -> bool:
        """False when anything was changed, removed or put in past Dossier, or when that cannot be known."""
        bar = Bar(sys.stderr)
        brought = [note for name in options["head"] for note in read_notes(_read(Path(name)))]
        report = verify_trail(brought, lambda done, total: bar.show(done, total, "entries"))
        bar.close()
        counts = {name: getattr(report, name) for name in ("sealed", "unsealed", "heads", "kept", "rows")}
        word = ("The trail is whole.", "SUCCESS") if report.ok else ("The trail is broken.", "ERROR")
        self.answer(
            {
                "ok": report.ok,
                **counts,
                "erased": report.erased,
                "faults": report.faults,
                "warnings": report.warnings,
            },
            [word],
            *([("  " + erased, "WARNING")] for erased in report.erased[-SHOWN:]),
            *([("  " + warning, "WARNING")] for warning in report.warnings[-SHOWN:]),
            *([("  " + fault, "ERROR")] for fault in report.faults[:SHOWN]),
            *([[f"  and {len(report.faults) - SHOWN} more"]] if len(report.faults) > SHOWN else []),
            [
                f"{report.sealed} entries, {report.kept} of them under a head that is kept outside the database; "
                f"{report.unsealed} events wait to be sealed; {report.rows} rows compared; {report.heads} heads."
            ],
        )
        return report.ok

    def seal(self, options: Options) -> None:
        count = seal_all(everything=True)
        try:
            head = keep_head()
        except (OSError, NoteRefused) as error:
            raise Refusal(
                f"{count} events are sealed, but the head cannot be signed and kept: {error}"
            ) from error
        told = {"sealed": count, "head": head.size if head else None}
        self.answer(told, [f"{count} sealed" + (f", head of {head.size} entries signed" if head else "")])

    def head(self, options: Options) -> None:
        heads = AuditHead.objects.order_by("-size")
        if not heads:
            raise Refusal(f"No head has been signed yet; run: {typed('audit seal')}")
        for head in reversed(heads if options["all"] else heads[:1]):
            if self.as_json:
                self.print_json({"size": head.size, "at": head.at.isoformat(), "note": head.note})
            else:
                self.stdout.write(f"{head.note}\n", ending="")  # notes stand apart by a blank line

    def key(self, options: Options) -> None:
        keys = [key.text for key in known_keys()]
        self.answer({"keys": keys}, *([key] for key in keys))

    def prove(self, options: Options) -> None:
        try:
            if options["since"]:
                (note, *_) = read_notes(_read(options["since"])) or [""]
                proof = prove_consistency(read_note(note, known_keys()))
            else:
                proof = prove_inclusion(AuditEvent.objects.get(pk=options["event"]))
        except (NoProof, NoteRefused, AuditEvent.DoesNotExist) as error:
            raise Refusal(f"No proof: {error}") from error
        self.stdout.write(json.dumps(proof, ensure_ascii=False, indent=None if self.as_json else 2))

    def export(self, options: Options) -> None:
        seal_all(everything=True)
        keep_head()
        try:
            with options["file"].open("xb") as file:
                entries, rows = write_bundle(file)
        except OSError as error:
            raise Refusal(f"{options['file']} cannot be written: {error.strerror}") from error
        name = str(options["file"])
        self.answer(
            {"file": name, "entries": entries, "rows": rows},
            [f"{name}: {entries} entries and {rows} rows. To check it, unpack it and run: python3 verify.py"],
        )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal(f"{path} cannot be read: {error}") from error
