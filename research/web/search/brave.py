"""Brave: ``GET /web/search``. Shape from its public documentation; not verified live."""

from dataclasses import dataclass, field

from common.outside.faults import FaultCode
from research.jsontext import Json, JsonObject
from research.web.search.base import MAX_SNIPPET, MAX_TITLE, Hit
from research.web.search.client import ask
from research.web.search.reading import day, inside, items, plain

MAX_WORDS = 50  # of a question; more are refused
MAX_EXCERPTS = 5


@dataclass(frozen=True)
class Brave:
    """``web.results`` of ``{title, url, description, page_age?, age?, extra_snippets?}``, whose texts hold entities
    and, unless asked not to, ``<strong>``."""

    base_url: str
    key: str = field(repr=False)
    name: str = "brave"

    def search(self, query: str, max_results: int, *, seconds: float) -> list[Hit]:
        document = ask(
            self.name,
            f"{self.base_url.rstrip('/')}/web/search",
            headers={"X-Subscription-Token": self.key},
            params={
                "q": " ".join(query.split()[:MAX_WORDS]),
                "count": min(max_results, 20),
                "result_filter": "web",
                "text_decorations": "false",
            },
            refine=_refine,
            seconds=seconds,
        )
        found = [self._hit(item) for item in items(document, "web", "results", provider=self.name)]
        return found[:max_results]

    def _hit(self, item: JsonObject) -> Hit:
        more = item.get("extra_snippets")
        excerpts = (
            [text for each in more[:MAX_EXCERPTS] if (text := plain(each, MAX_SNIPPET))]
            if isinstance(more, list)
            else []
        )
        return Hit(
            url=item.get("url", ""),
            title=plain(item.get("title"), MAX_TITLE),
            snippet=plain(item.get("description"), MAX_SNIPPET),
            published=day(item.get("page_age")),
            provider=self.name,
            extra={"excerpts": excerpts} if excerpts else {},
        )


def _refine(status: int, document: Json) -> FaultCode | None:
    """The code of ``{"error": {code}}`` or ``{"errors": [{code}]}``: a wrong key is a 422 here."""
    errors = document.get("errors") if isinstance(document, dict) else None
    first = errors[0] if isinstance(errors, list) and errors else inside(document, "error")
    code = inside(first, "code")
    kinds: dict[Json, FaultCode] = {
        "SUBSCRIPTION_TOKEN_INVALID": "denied",
        "SUBSCRIPTION_TOKEN_MISSING": "denied",
        "OPTION_NOT_IN_PLAN": "denied",
        "QUOTA_LIMITED": "quota",
        "USAGE_LIMIT_EXCEEDED": "quota",
    }
    return kinds.get(code) if isinstance(code, str) else None
