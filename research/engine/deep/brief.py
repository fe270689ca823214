"""Before the research: is the question clear, and what exactly must be found out?"""

from dataclasses import dataclass
from datetime import date

from research.engine.prompt_data import fenced
from research.engine.questions.question import FLAG, TEXT, BadAnswer, Question, object_schema, text_of
from research.jsontext import JsonObject

MAX_TEXT = 6_000

CLARIFY = (
    "You decide whether a research question can be worked on as it stands. Ask back only if two readings of it would "
    "lead to different research and the person alone can say which one is meant: an unknown abbreviation, a name that "
    "several bear, a period or place that matters and is missing. Ask one short question at most; never ask for what "
    "research itself can find out."
)
BRIEF = (
    "You turn a question into a research brief that other researchers work from. They see nothing else, so it "
    "must stand alone. Keep every condition that the person named; leave open what was left open, and say that it is "
    "open. Invent no requirement. Write in the language of the question."
)
CLARIFICATION = object_schema(need_clarification=FLAG, question=TEXT, verification=TEXT)
BRIEFING = object_schema(research_brief=TEXT, scope_boundaries=TEXT, source_preferences=TEXT)


@dataclass(frozen=True)
class Clarification:
    """``question`` is for the person, if one is needed. ``verification`` states how the question was understood."""

    needed: bool
    question: str = ""
    verification: str = ""


@dataclass(frozen=True)
class Brief:
    """What must be found out, in the first person; its limits; preferred sources."""

    research_brief: str
    scope_boundaries: str = ""
    source_preferences: str = ""

    def as_json(self) -> JsonObject:
        return dict(vars(self))

    def text(self) -> str:
        """The brief as other phases see it."""
        parts = [self.research_brief]
        if self.scope_boundaries:
            parts.append(f"Scope: {self.scope_boundaries}")
        if self.source_preferences:
            parts.append(f"Sources: {self.source_preferences}")
        return "\n\n".join(parts)


def clarification(task: str, today: date) -> Question[Clarification]:
    """Ask whether the task is clear: the macro's prompt with its parameters."""
    prompt = (
        f"Today is {today.isoformat()}. Somebody asks:\n\n{fenced('question', task)}\n\n"
        "If a question back is needed, set need_clarification and give the question. Otherwise leave it empty and "
        "say in verification, in one or two sentences, what you are going to find out."
    )
    return Question("clarification", CLARIFY, prompt, CLARIFICATION, read_clarification)


def read_clarification(data: JsonObject) -> Clarification:
    question, verification = text_of(data, "question", 1_000), text_of(data, "verification", 2_000)
    if data["need_clarification"] and not question:
        raise BadAnswer("need_clarification is true, but question is empty: give the question.")
    if not data["need_clarification"] and not verification:
        raise BadAnswer("verification is empty: say in one sentence how you understand the question.")
    return Clarification(data["need_clarification"], question, verification)


def briefing(task: str, asked: Clarification, said: str, today: date) -> Question[Brief]:
    """Ask for the brief. ``said`` is the person's answer, empty if nobody was asked."""
    talk = ""
    if said:
        asked_back = asked.question or asked.verification
        talk = (
            f"\n\nIt was asked back: {fenced('asked', asked_back)}\nThe person said: {fenced('answer', said)}"
        )
    elif asked.needed:
        talk = (
            f"\n\nIt is not clear in one point, and nobody can be asked: {fenced('asked', asked.question)}\n"
            "Take the most likely reading and name it in scope_boundaries as an assumption."
        )
    prompt = (
        f"Today is {today.isoformat()}. The question:\n\n{fenced('question', task)}{talk}\n\n"
        "Write research_brief in the first person, as the person would put it with all details; scope_boundaries: what "
        "belongs to it and what does not; source_preferences: which kinds of sources should carry the answer, primary "
        "ones first, or an empty text."
    )
    return Question("brief", BRIEF, prompt, BRIEFING, read_brief)


def read_brief(data: JsonObject) -> Brief:
    brief = Brief(
        text_of(data, "research_brief", MAX_TEXT),
        text_of(data, "scope_boundaries", MAX_TEXT),
        text_of(data, "source_preferences", MAX_TEXT),
    )
    if len(brief.research_brief) < 20:
        raise BadAnswer("research_brief is too short to work from: say in full what is to be found out.")
    return brief
