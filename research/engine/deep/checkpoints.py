"""Where a deep run waits for a person, what it shows there, and what the person may change."""

from collections.abc import Sequence

from research.engine.deep.brief import Brief, Clarification, read_brief
from research.engine.deep.supervision import Directive, check_directives
from research.engine.questions.question import BadAnswer
from research.jsontext import JsonObject
from research.models.states import Autonomy

MAX_ANSWER = 6_000
FINISH = "finish"
MAX_DIRECTIVES = 5  # researchers at work in parallel


def waits(autonomy: str, phase: str, *, needed: bool = False) -> bool:
    """Whether a person is asked: cautious always, balanced if something is unclear, autonomous never."""
    if autonomy == Autonomy.CAUTIOUS:
        return True
    return autonomy == Autonomy.BALANCED and phase == "clarification" and needed


def show_clarification(asked: Clarification) -> JsonObject:
    """``edit`` is what the person may send back."""
    if asked.needed:
        return {"message": asked.question, "edit": {"answer": ""}}
    return {"message": f"{asked.verification} Is anything missing?", "edit": {"answer": ""}}


def show_brief(brief: Brief) -> JsonObject:
    return {"message": "This is what will be researched.", "edit": brief.as_json()}


def show_directives(
    number: int, directives: Sequence[Directive], rationale: str, trouble: str = ""
) -> JsonObject:
    fields = ("research_topic", "perspective", "evidence_needed", "priority")
    items = [{name: one.as_json()[name] for name in fields} for one in directives]
    message = f"Round {number}: one researcher for each of these directives. {rationale}".strip()
    return {"message": f"{trouble} {message}".strip(), "edit": {"directives": items}}


def show_sources(trouble: str) -> JsonObject:
    """``finish`` lets a person accept what was found; otherwise another round starts."""
    ask = "Correct this and continue with another round, or finish: the result then states what was not found and why."
    return {"message": f"{trouble} {ask}", "edit": {FINISH: False}}


def show_synthesis(topics: int, sources: int, limitations: Sequence[str], trouble: str = "") -> JsonObject:
    message = f"{topics} topics with {sources} sources are ready. The report is written next."
    return {
        "message": f"{trouble} {message}".strip(),
        "limitations": list(limitations),
        "edit": {"remarks": ""},
    }


def answer_text(said: JsonObject | None, name: str) -> str:
    """A text that the person may have sent back. Raises BadAnswer."""
    value = (said or {}).get(name, "")
    if not isinstance(value, str):
        raise BadAnswer(f"{name} must be text")
    return value.strip()[:MAX_ANSWER]


def edited_brief(shown: Brief, said: JsonObject | None) -> Brief:
    """The brief with the person's changes. Raises BadAnswer."""
    fields = shown.as_json()
    changed = {name: answer_text(said, name) for name in fields if said and name in said}
    return read_brief({**fields, **changed})


def edited_directives(
    number: int, shown: Sequence[Directive], said: JsonObject | None
) -> tuple[Directive, ...]:
    """The directives with the person's changes. Raises BadAnswer."""
    if not said or "directives" not in said:
        return tuple(shown)
    return check_directives(said["directives"], number, MAX_DIRECTIVES)


def check_answer(phase: str, answer: JsonObject) -> None:
    """Raises BadAnswer with a sentence if ``answer`` cannot be used in that phase; called before it is stored."""
    names = {
        "directives": ("directives",),
        "sources": (FINISH,),
        "clarification": ("answer",),
        "brief": ("research_brief", "scope_boundaries", "source_preferences"),
        "synthesis": ("remarks",),
    }.get(phase.partition(".")[0], ())
    unknown = sorted(set(answer) - set(names))
    if unknown:
        raise BadAnswer(
            f"unknown: {', '.join(unknown)[:200]}; what can be changed here: {', '.join(names) or 'nothing'}"
        )
    if phase.startswith("sources"):
        if not isinstance(answer.get(FINISH, False), bool):
            raise BadAnswer(f"{FINISH} must be true or false")
    elif phase == "brief":
        edited_brief(Brief("x" * 20), answer)
    elif phase.startswith("directives"):
        round_number = phase.partition(".")[2]
        edited_directives(int(round_number) if round_number.isdecimal() else 1, (), answer)
    else:
        for name in names:
            answer_text(answer, name)
