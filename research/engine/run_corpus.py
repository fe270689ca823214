"""What a run and its children were told, for the check that traces the values of a result.

Failed calls tell nothing. What entity memory says counts where a person has verified it, and never where a tool of this
very family has written it. A page counts for all it says, unless a model made its address up: then not for what the
address itself says.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from uuid import UUID

from django.db.models import Q

from research.checks.provenance.corpus import Answer, Corpus, addresses_in, same_address
from research.engine.conversation import live_steps
from research.jsontext import Json, JsonObject
from research.models import Run, Source, Step
from research.models.states import StepKind
from research.tools import memory
from research.tools.tool import REGISTRY

LEI_REGISTER = (
    "GLEIF, Global Legal Entity Identifier Foundation: LEI register, LEI records, golden copy, GLEIF API"
)
READERS = ("extract_content", "extract_pdf", "research_open", "research_navigate")


def told_to_run(run: Run, *, today: date) -> Corpus:
    """The corpus of a finished run and its children."""
    return told(
        run.parent_id or run.pk,
        live_steps(list(Step.objects.filter(run=run).order_by("seq"))),
        question_of(run),
        children=True,
        pages=True,
        today=today,
    )


def told(
    root_id: UUID, steps: Sequence[Step], question: Json, *, children: bool, pages: bool, today: date
) -> Corpus:
    """The corpus from given steps. Children and pages are read if there may be any."""
    if children:
        steps = [*steps, *Step.objects.filter(run__parent=root_id, kind=StepKind.TOOL).order_by("run", "seq")]
    calls = [
        step
        for step in steps
        if step.kind == StepKind.TOOL
        and bool(step.answer and step.answer.get("success") and step.answer.get("data"))
    ]
    answers = list(_answers(calls))
    if pages:
        answers += _pages(root_id, calls, question)
    return Corpus(answers, question, today)


def question_of(run: Run) -> Json:
    """What people said to a run: its parameters, and a reviewer's requests."""
    return [run.params, run.feedback]


def _answers(calls: Iterable[Step]) -> Iterator[Answer]:
    written: list[Json] = [
        step.intent.get("arguments")
        for step in calls
        if (REGISTRY[step.name].effect if step.name in REGISTRY else "read") == "write"
    ]
    for step in calls:
        data, tool = (step.answer or {})["data"], REGISTRY.get(step.name)
        asked = step.intent.get("arguments")
        if tool is None:
            yield Answer(data, asked)
        elif tool.effect == "write":
            continue
        elif tool.run.__module__ == memory.__name__:
            parts = _signed(list(tool.found(data)) if tool.found else [])
            yield Answer(parts, asked, parts, written)
        else:
            yield Answer(data, asked, tool.found(data) if tool.found else ())
            if step.name.startswith("lei_"):
                yield Answer({"title": LEI_REGISTER, "as_of": data.get("as_of")})


def _signed(value: Json) -> Json:
    """Without entities in memory that nobody has verified."""
    if isinstance(value, list):
        return [_signed(item) for item in value if not _is_unverified(item)]
    if isinstance(value, dict):
        return {key: _signed(item) for key, item in value.items() if not _is_unverified(item)}
    return value


def _is_unverified(value: Json) -> bool:
    return isinstance(value, dict) and value.get("verified") is False


def _pages(root_id: UUID, calls: Sequence[Step], question: Json) -> Iterator[Answer]:
    rows = list(
        Source.objects.filter(Q(kind="web") | Q(document__isnull=False), run=root_id)
        .order_by("number")
        .values_list("url", "title", "snippet", "document__text")
    )
    given = {one for text in _texts(question) for one in addresses_in(text)}
    for step in calls:
        data = (step.answer or {})["data"]
        if (
            step.name in READERS
        ):  # what is said of the page itself may be what was asked; its menu is the page's own
            data = [data.get("menuItems"), data.get("menu")]
        given |= {one for text in _texts(data) for one in addresses_in(text)}
    links = {url: set(addresses_in(text or "")) for url, _, _, text in rows}
    wanted = {same_address(url) for step in calls if step.name in READERS for url in _texts(step.intent)}
    for url, title, snippet, text in rows:
        own = same_address(url)
        linked = any(own in found for other, found in links.items() if other != url)
        made_up = own in wanted and own not in given and not linked
        page: JsonObject = {"url": url, "title": title, "snippet": snippet, "text": text or ""}
        yield Answer(page, url if made_up else None)


def _texts(value: Json) -> Iterator[str]:
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            stack += one.values()
        elif isinstance(one, list):
            stack += one
        elif isinstance(one, str):
            yield one
