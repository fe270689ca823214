"""What a file says of itself beside its entries, and which of them could not be read."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from entities.screening.errors import BadList
from entities.screening.records import Entry, make_entry

MOST_LEFT_OUT = 100  # more is a broken file


@dataclass
class Told:
    """Filled while a file is read: when it was published, how many entries it states, how many it calls delisted."""

    published: datetime | None = None
    stated: int | None = None
    delisted: int = 0
    left_out: list[str] = field(default_factory=list)

    def entry(self, **values: Any) -> Entry | None:
        """An entry, or None after putting down why there is none. Raises BadList when too many are wrong."""
        try:
            return make_entry(**values)
        except ValueError as error:
            self.left_out.append(str(error))
            if len(self.left_out) > MOST_LEFT_OUT:
                raise BadList(
                    f"More than {MOST_LEFT_OUT} entries cannot be read; the first: {self.left_out[0]}"
                ) from None
            return None


def moment(text: str, *formats: str) -> datetime | None:
    """A date or time of a file in UTC: ISO 8601, or one of ``formats``; None when it cannot be read."""
    plain = text.strip()
    for form in ("", *formats):
        try:
            found = datetime.strptime(plain, form) if form else datetime.fromisoformat(plain)  # noqa: DTZ007
        except ValueError:
            continue
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    return None
