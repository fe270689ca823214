"""``manage.py audit``: is the audit trail whole?"""

from common.commands.base import Actions, Options
from research.audit import seal_all, verify_chain
from research.management.base import ResearchCommand


class Command(ResearchCommand):
    help = "Check the audit trail."

    def add_actions(self, actions: Actions) -> None:
        actions.add("verify", self.verify, "recompute the hash chain over every sealed event")
        actions.add("seal", self.seal, "seal the events that wait for it now (beat does so every minute)")

    def verify(self, options: Options) -> bool:
        """False when an event was changed, removed or reordered after it was sealed."""
        report = verify_chain()
        document = {
            "ok": report.ok,
            "sealed": report.sealed,
            "unsealed": report.unsealed,
            "fault": report.fault,
        }
        word = ("the chain holds", "SUCCESS") if report.ok else (f"broken: {report.fault}", "ERROR")
        self.answer(document, [word, f"  {report.sealed} sealed, {report.unsealed} not sealed yet"])
        return report.ok

    def seal(self, options: Options) -> None:
        count = seal_all(everything=True)
        self.answer({"sealed": count}, [f"{count} sealed"])
