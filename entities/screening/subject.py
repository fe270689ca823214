"""Who is screened: what can be compared with an entry of a list. Values only."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from entities.screening.dates import read_date, span_of
from entities.screening.places import country
from entities.screening.records import Identifier, clean, digest_of

MAX_NAMES = 50


@dataclass(frozen=True, slots=True)
class Subject:
    """``kind`` is person, entity or "" where nobody knows; names as they are written, the own one first."""

    kind: str
    names: tuple[str, ...]
    births: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    identifiers: tuple[Identifier, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {key: value for key, value in asdict(self).items() if value}

    @property
    def digest(self) -> str:
        """SHA-256 of the facts: another one is another version of the subject."""
        return digest_of(self.as_json())


def make_subject(
    *,
    names: Iterable[str],
    kind: str = "",
    births: Iterable[str] = (),
    countries: Iterable[str] = (),
    identifiers: Iterable[Identifier] = (),
) -> Subject:
    """A subject from what a person or a tool says. Raises ValueError without a name, or for a date that is none."""
    kept = tuple(dict.fromkeys(name for text in names if (name := clean(text))))[:MAX_NAMES]
    if not kept:
        raise ValueError("A name is needed to screen somebody.")
    stated = [text for text in births if text.strip()]
    read = [read_date(text) or (text if span_of(text) else "") for text in stated]
    if not all(read):
        raise ValueError(
            f"“{stated[read.index('')][:40]}” is no date of birth; write 1972, 1972-03 or 1972-03-08."
        )
    places = tuple(sorted({code for text in countries if (code := country(text))}))
    return Subject(kind, kept, tuple(read), places, tuple(identifiers))
