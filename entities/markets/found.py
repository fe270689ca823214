"""What a question to the markets gives: the data, who said it, and what could not be had."""

from dataclasses import dataclass, field

from common.outside.faults import SourceFault
from entities.markets.values import JsonObject


@dataclass(frozen=True)
class Found:
    """``sources`` gave the data. ``failed`` are those that were asked in vain, with their faults."""

    data: JsonObject
    sources: tuple[str, ...]
    failed: dict[str, SourceFault] = field(default_factory=dict)

    def as_data(self) -> JsonObject:
        """The data; its fields that nobody knows by name under ``unknown``; and ``failed`` sources in sentences."""
        unknown = [name for name, value in self.data.items() if _is_unknown(value)]
        failed = [
            {"source": name, "code": fault.code, "message": fault.message}
            for name, fault in self.failed.items()
        ]
        return {**self.data, "unknown": unknown, "sources": list(self.sources), "failed": failed}


def _is_unknown(value: object) -> bool:
    return (
        value is None or value == "unknown" or (isinstance(value, dict) and value.get("state") == "unknown")
    )
