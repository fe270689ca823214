"""The audit trail: append-only events, which vouch for the rows they speak of, in a Merkle log with signed heads.

``events`` records, ``sealing`` gives events their places in the log and keeps its heads, ``verification`` says whether
all of it is whole, ``bundle`` hands it to strangers. docs/concepts/trail.md says what it proves and what it does not.
"""

from research.audit.events import about, record, record_erased, record_restored, record_written
from research.audit.seals import keep_head, seal_all, seal_events

__all__ = [
    "about",
    "keep_head",
    "record",
    "record_erased",
    "record_restored",
    "record_written",
    "seal_all",
    "seal_events",
]
