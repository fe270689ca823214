"""What a search provider is, and what it finds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

from research.jsontext import Json

MAX_URL = 2000
MAX_TITLE = 300
MAX_SNIPPET = 1_000
MAX_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing found. ``published`` is ISO 8601 as far as it is known (year, month or day) or empty; ``text`` is an
    abstract or passage the provider gave; ``score`` is the provider's own and compares only within one answer."""

    url: str
    title: str
    snippet: str
    text: str = ""
    published: str = ""
    score: float | None = None
    provider: str = ""
    extra: Mapping[str, Json] = field(default_factory=dict)


class Provider(Protocol):
    """Something that can be searched. One call is one attempt: no retry, no waiting."""

    @property
    def name(self) -> str: ...

    def search(self, query: str, max_results: int, *, seconds: float) -> list[Hit]:
        """At most ``max_results`` hits, best first, within ``seconds``.

        Raises:
            SourceFault: no answer, or one that is not the provider's.
        """
        ...


def usable_url(value: object) -> str:
    """The address if it is one a person could open (http or https, with a host, of bounded length), else empty."""
    if not isinstance(value, str) or len(value) > MAX_URL:
        return ""
    value = value.strip()
    try:
        parts = urlsplit(value)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return ""
    return value if usable else ""
