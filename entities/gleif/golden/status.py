"""What there is to say of the imported register: per kind what is live, what was last tried, what is running."""

from dataclasses import dataclass

from entities.gleif.golden.importing import is_dead, newest
from entities.models import GoldenCopyImport


@dataclass(frozen=True)
class KindStatus:
    """One of the three files: the import that is live, the last full one, a delta since, and what failed after."""

    kind: str
    label: str
    live: GoldenCopyImport | None
    full: GoldenCopyImport | None
    delta: GoldenCopyImport | None
    failed: GoldenCopyImport | None

    @property
    def held(self) -> int:
        """Records that are live."""
        return int(self.live.counts.get("held", 0)) if self.live else 0


@dataclass(frozen=True)
class RunningImport:
    """An import under way; ``percent`` of the file that is read."""

    account: GoldenCopyImport
    percent: int
    dead: bool


def kinds() -> list[KindStatus]:
    return [_status(kind) for kind in GoldenCopyImport.Kind]


def running() -> RunningImport | None:
    account = GoldenCopyImport.objects.filter(state=GoldenCopyImport.State.RUNNING).first()
    if account is None:
        return None
    return RunningImport(
        account, round(100 * account.done / account.total) if account.total else 0, is_dead(account)
    )


def _status(kind: GoldenCopyImport.Kind) -> KindStatus:
    live = newest(kind.value)
    imports = GoldenCopyImport.objects.filter(kind=kind).order_by("-id")
    done = imports.filter(state=GoldenCopyImport.State.LIVE)
    full = done.filter(scope=GoldenCopyImport.Scope.FULL).first()
    deltas = done.exclude(scope=GoldenCopyImport.Scope.FULL)
    failed = imports.filter(state=GoldenCopyImport.State.FAILED)
    return KindStatus(
        kind.value,
        str(kind.label),
        live,
        full,
        deltas.filter(pk__gt=full.pk).first() if full else None,
        failed.filter(pk__gt=live.pk if live else 0).first(),
    )
