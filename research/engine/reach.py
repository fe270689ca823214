"""What a run may request: its horizon of addresses and words from people, registers, searches and pages.

The model is not among them. Whatever it was made to say by a page that it read, it can neither ask for an address of
its own making nor carry what it knows into the words of a search. A macro with ``reach: open`` lifts this.
"""

import re
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from research.engine.conversation import CONFIRMED
from research.jsontext import Json, JsonObject, canonical_json
from research.models import Document, Page, Run, Source, Step
from research.models.states import StepKind
from research.tools.browsing import NAMES as WALKING
from research.tools.tool import COMPLETE, REGISTRY, THINK, Reach, Tool, failure
from research.web.faults import FetchFault
from research.web.horizon import Horizon, addresses_in, carried, plainly

AT_HAND = frozenset(
    (
        *(THINK, COMPLETE, "extract_citations", "review_citations", "standardize_document_citations"),
        *("parse_citation", "convert_citation", "format_citation", "validate_citation"),
    )
)
"""Tools whose words stay on this machine, and whose business are the texts that a model has."""
ADDRESSES = frozenset(("url", "urls", "target"))  # arguments that ``address`` checks
THROUGH_SOURCES = frozenset(("web_search", "extract_content", "extract_pdf", *WALKING))
MIN_SECRET = 8
NOT_GIVEN = (
    "This address was not fetched: no person gave it, no search or register found it, and no page that you read links "
    "to it. Search for the page, or follow a link exactly as given, without adding to it."
)
_PLACEHOLDER = re.compile(r"\{\{.*?\}\}", re.DOTALL)


class Horizoned(Reach):
    """The reach of a run whose macro does not open it."""

    def __init__(self, run: Run, root_id: UUID, template: str) -> None:
        self.run, self.root_id = run, root_id
        self.instructions = _PLACEHOLDER.sub(" § ", template)

    def hear(self, system: str) -> None:
        """Add text that the model is told besides the macro."""
        if system not in self.instructions:
            self.instructions += f" § {system}"

    def address(self, url: str) -> str:
        found = self._horizon().find(url)
        if found is None:
            raise FetchFault("not_given", NOT_GIVEN)
        return found

    def refusal(self, known: Tool, arguments: JsonObject) -> JsonObject | None:
        if known.name in AT_HAND or known.effect == "write":
            return None
        said = {key: value for key, value in arguments.items() if not (known.web and key in ADDRESSES)}
        texts = [text for text in _texts(said) if text]
        if not texts:
            return None
        horizon, read = cache(self._horizon), cache(self._read)
        given = cache(
            lambda: "\n".join((canonical_json(self.run.params), self._people(), self._registers(), *read()))
        )
        together = [" ".join(texts)] if len(texts) > 1 else []
        for text in (*texts, *together):
            why = "a secret of this installation" if self._tells_secret(text) else ""
            why = why or carried(
                text, horizon=horizon, given=given, instructions=self.instructions, read=read
            )
            if why:
                return failure(
                    "not_told", f"Not asked: the words hold {why}. Ask in a few words of your own."
                )
        return None

    def _tells_secret(self, text: str) -> bool:
        plain = plainly(text)
        return any(secret in plain for secret in self._secrets)

    @cached_property
    def _secrets(self) -> tuple[str, ...]:
        """The values of settings that hold a secret."""
        names = (name for name in dir(settings) if name.endswith(("_KEY", "_TOKEN", "_PASSWORD", "_SECRET")))
        values = (getattr(settings, name) for name in names)
        return tuple(value for value in values if isinstance(value, str) and len(value) >= MIN_SECRET)

    def _horizon(self) -> Horizon:
        horizon, noted = Horizon(), Horizon()
        noted.add(addresses_in(self._noted(), bare=True))
        horizon.add(addresses_in(self._people(), bare=True))
        horizon.add(url for url in addresses_in(self._registers(), bare=True) if noted.find(url) is None)
        sources = Source.objects.filter(run_id=self.root_id)
        horizon.add(sources.exclude(url="").values_list("url", flat=True))
        read = Page.objects.filter(document__uses__run_id=self.root_id).distinct()
        for final_url, links in read.values_list("final_url", "links"):
            horizon.add([final_url, *links])
        for text in self._read():
            horizon.add(_written(text))
        return horizon

    def _people(self) -> str:
        """What people said at any time, and the macro's own words. Who asks a child run is the model of its parent."""
        root = Run.objects.filter(pk=self.root_id).values_list("params", "feedback")
        notes = self._answered(StepKind.NOTE).filter(name=CONFIRMED).values_list("answer", flat=True)
        return "\n".join(
            [self.instructions, *(canonical_json(list(said)) for said in root), *map(canonical_json, notes)]
        )

    def _registers(self) -> str:
        """What registers and memory answered."""
        answers = self._answered(StepKind.TOOL).values_list("name", "intent", "answer")
        return "\n".join(
            text for name, intent, answer in answers for text in _told(name, intent, answer or {})
        )

    def _noted(self) -> str:
        """What the model has written into memory, from where it would come back as if memory had known it."""
        writes = [name for name, known in REGISTRY.items() if known.effect == "write"]
        steps = self._answered(StepKind.TOOL).filter(name__in=writes)
        return "\n".join(map(canonical_json, steps.values_list("intent", flat=True)))

    def _answered(self, kind: StepKind) -> QuerySet[Step]:
        return Step.objects.filter(run__in=(self.root_id, self.run.pk), answer__isnull=False, kind=kind)

    def _read(self) -> list[str]:
        """The texts of the pages that the family read."""
        documents = Document.objects.filter(uses__run_id=self.root_id)
        return [
            _text(digest) for digest in documents.order_by("pk").values_list("digest", flat=True).distinct()
        ]


@lru_cache(maxsize=256)
def _text(digest: str) -> str:
    """Cached, because a document never changes."""
    return Document.objects.values_list("text", flat=True).get(digest=digest)


@lru_cache(maxsize=256)
def _written(text: str) -> tuple[str, ...]:
    return tuple(addresses_in(text))


def _told(name: str, intent: JsonObject, answer: JsonObject) -> Iterator[str]:
    """What a register answered, without the words that it was asked with; the web speaks through its sources."""
    if name in THROUGH_SOURCES or name in AT_HAND or not answer.get("success"):
        return
    asked = canonical_json(intent.get("arguments"))
    yield from (text for text in _texts(answer.get("data")) if text not in asked)


def _texts(value: Json) -> Iterator[str]:
    """The texts of a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
