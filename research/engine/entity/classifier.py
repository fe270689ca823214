"""Classify events: which are interesting, and which need research. By default all are interesting."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from research.engine.prompt_data import DATA_RULE, fenced
from research.jsontext import JsonObject, JsonTextError
from research.llm.answer_json import read_json

BATCH = 10
MAX_REASON = 1_000
SYSTEM = (
    "You sort one-line summaries of what happened on a market. Interesting are those that somebody who watches the "
    "market should see. Research is needed where a summary names something, as (mint:KEY), that is not known well "
    "enough to judge it; (needsResearch) in a summary is a hint. Repeat the summaries exactly as they are; leave out "
    "what is neither. " + DATA_RULE
)
TEXTS: JsonObject = {"type": "array", "items": {"type": "string"}}
SCHEMA: JsonObject = {
    "type": "object",
    "required": ["interesting", "needsResearch"],
    "properties": {"interesting": TEXTS, "needsResearch": TEXTS, "reasoning": {"type": "string"}},
}


@dataclass(frozen=True)
class Sorted:
    """The classified summaries. ``fallback`` is the reason if classification failed."""

    interesting: list[str] = field(default_factory=list)
    needs_research: list[str] = field(default_factory=list)
    reasoning: str = ""
    fallback: str = ""

    def as_json(self) -> JsonObject:
        return {
            "interesting": self.interesting,
            "needsResearch": self.needs_research,
            "reasoning": self.reasoning,
            "fallback": self.fallback,
        }


def batches(summaries: Sequence[str]) -> Iterator[Sequence[str]]:
    """Batches of ten."""
    for start in range(0, len(summaries), BATCH):
        yield summaries[start : start + BATCH]


def prompt_for(batch: Sequence[str]) -> str:
    lines = fenced("SUMMARIES", "\n".join(batch))
    return f"Sort these summaries, one a line.\n\n{lines}\n\nAnswer with one JSON document and nothing else."


def passed_through(batch: Sequence[str], why: str) -> Sorted:
    """Everything is interesting and nothing is researched."""
    return Sorted(list(batch), [], "", why)


def read_sorted(batch: Sequence[str], text: str) -> Sorted:
    """A model's answer on a batch. Keeps only summaries of the batch; an answer of another shape is invalid."""
    try:
        said, _ = read_json(text)
    except JsonTextError as error:
        return passed_through(batch, f"The answer could not be read: {error}")
    said = said if isinstance(said, dict) else {}
    interesting, needed = said.get("interesting"), said.get("needsResearch")
    if not isinstance(interesting, list) or not isinstance(needed, list):
        return passed_through(batch, "The answer has another shape than was asked for.")
    interesting, needed = ([one for one in batch if one in listed] for listed in (interesting, needed))
    reasoning = said.get("reasoning")
    return Sorted(interesting, needed, reasoning[:MAX_REASON] if isinstance(reasoning, str) else "")


def together(parts: Sequence[Sorted]) -> Sorted:
    """The batches combined."""
    return Sorted(
        [one for part in parts for one in part.interesting],
        [one for part in parts for one in part.needs_research],
        " ".join(part.reasoning for part in parts if part.reasoning),
        " ".join(dict.fromkeys(part.fallback for part in parts if part.fallback)),
    )
