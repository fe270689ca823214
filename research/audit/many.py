"""Rows that are too many to remember: each is held against the event about it as events are read.

What is remembered is one bit for each row that an event vouches for. Rows of these kinds never change, so one event
about each is enough, and every later one has to say the same.
"""

from collections.abc import Iterator

from research.audit import witness
from research.models import AuditEvent

AT_ONCE = 500  # rows
BLOCK = 1 << 16  # bits
LATE = 1_000  # events that may end after a later one has
MOST = 200  # sentences of one kind: a table that was emptied is not told row by row


class Many:
    """Holds the rows of one kind against events; call ``hear`` for each, then take ``faults``."""

    def __init__(self, kind: str) -> None:
        self.kind, self.rows, self.unnamed = kind, 0, 0
        self._heard: dict[int, bytearray] = {}
        self._waiting: dict[str, tuple[str, str, bool]] = {}
        self._faults: list[str] = []
        self._last = 0

    def hear(self, key: str, fingerprint: str, event: int, label: str, *, anew: bool) -> None:
        """An event vouches for the row with this key; ``anew`` when it tells what an erasure left of it."""
        self._last = max(self._last, event)
        if key in self._waiting or len(self._waiting) >= AT_ONCE:
            self._compare()
        self._waiting[key] = label, fingerprint, anew

    def faults(self) -> Iterator[str]:
        """Sentences about what is wrong, when every event has been heard."""
        self._compare()
        yield from self._faults
        for key in witness.KINDS[self.kind].rows().order_by("pk").values_list("pk", flat=True).iterator():
            self.rows += 1
            if not self._is_heard(key) and not self._is_new(key):
                yield from self._told(
                    f"{self._name(key)} stands in the database, and no event vouches for it."
                )
        if self.unnamed:
            yield f"The same is wrong with {self.unnamed:,} more rows of this kind."

    def _compare(self) -> None:
        waiting, self._waiting = self._waiting, {}
        now = witness.KINDS[self.kind].read([key for key in waiting if key.isdecimal() and len(key) < 19])
        gone = witness.erased_among(self.kind, [key for key in waiting if key not in now])
        for key, (label, fingerprint, anew) in waiting.items():
            if key in gone:
                continue
            if key not in now:
                self._faults += self._told(f"{self._name(key)} is gone; {label} vouches for it.")
                continue
            block, bit = divmod(int(key), BLOCK)
            self._heard.setdefault(block, bytearray(BLOCK // 8))[bit >> 3] |= 1 << (bit & 7)
            if witness.fingerprint(self.kind, key, now[key]) == fingerprint:
                continue
            if anew or not witness.erased(self.kind, key, deleted=False):
                self._faults += self._told(
                    f"{self._name(key)} is not as {label} recorded it: it was changed past Dossier."
                )

    def _is_heard(self, key: int) -> bool:
        block, bit = divmod(key, BLOCK)
        return block in self._heard and bool(self._heard[block][bit >> 3] & 1 << (bit & 7))

    def _is_new(self, key: int) -> bool:
        """Whether an event of which nothing was heard yet vouches for the row: it was written meanwhile."""
        since = AuditEvent.objects.filter(pk__gt=self._last - LATE)
        return since.filter(witnessed__has_key=f"{self.kind}:{key}").exists()

    def _told(self, sentence: str) -> list[str]:
        if len(self._faults) < MOST:
            return [sentence]
        self.unnamed += 1
        return []

    def _name(self, key: object) -> str:
        return witness.name_of(self.kind, key)
