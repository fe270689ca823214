"""Case law as tools, read by rules: similar cases, how courts apply an article, how they decided.

Rules do not judge meaning, and not every decision is published, so each answer states its basis.
"""

from collections import Counter
from collections.abc import Iterable

from citations import decision_text
from citations.services import act_table
from citations.sources.fedlex import number_of
from research.jsontext import JsonObject
from research.tools.decisions import CANTON_LIST, IDENTIFIER, TIME, court_tool, decision_with, find, work_of
from research.tools.legal import ACT, up_to, words
from research.tools.tool import Answer, ToolContext, ToolError

MARKS = 5  # number of citations, and of words, that a search for similar cases uses
READ = 50  # number of decisions whose rulings are counted
ALIKE = "Similarity counts shared citations and words. The facts were not compared."
AS_IT_STANDS = (
    "Passages that name the article, word for word. Whether they interpret it is for the reader to say."
)
NO_RATE = (
    "There is no success rate to be had: not every decision is published, the published ones are no sample, and the "
    "ruling says how an appeal ended, not who of the parties made the claim. The counts are of rulings read by rules "
    "in decisions that hold the words."
)
NARROWED = {**TIME, "cantons": CANTON_LIST}
NUMBER: JsonObject = {
    "anyOf": [
        {"type": "integer", "minimum": 1, "maximum": 9_999},
        {"type": "string", "pattern": r"^\d{1,4}[a-z]{0,8}$"},
    ]
}


@court_tool(
    "find_similar_cases",
    "Decisions that share citations and words with a decision (by the id that a search gave) or with a text that tells "
    "the facts; those that share most come first, and what they share is named.",
    may={"decisionId": IDENTIFIER, "text": words(20, 20_000), **NARROWED, "limit": up_to(20)},
)
def find_similar_cases(arguments: JsonObject, context: ToolContext) -> Answer:
    if ("decisionId" in arguments) == ("text" in arguments):
        raise ToolError("bad_arguments", "Give either the id of a decision or a text.")
    limit = arguments["limit"]
    own = decision_with(arguments["decisionId"]) if "decisionId" in arguments else None
    text = own.text if own else arguments["text"]
    cited, marks = decision_text.cited_in(text, most=MARKS), decision_text.words_of(text, most=MARKS)
    if not cited and not marks:
        raise ToolError("bad_arguments", "The text has neither citations nor words to look for.")
    phrases = [name.removeprefix("BGE ").removeprefix("BGer ") for name in cited]
    found = find(arguments, _any_of([*phrases, *marks]), 3 * limit).decisions
    others = [one for one in found if own is None or one.id != own.id]
    alike = {one.id: decision_text.shared(one.text, cited, marks) for one in others}
    others.sort(key=lambda one: (-len(alike[one.id][0]), -len(alike[one.id][1])))
    kept = [work_of(one) for one in others[:limit]]
    rows = [one.row(shared={"citations": alike[one.id][0], "words": alike[one.id][1]}) for one in kept]
    basis: JsonObject = {"citations": cited, "words": marks}
    return Answer({"results": rows, "basis": basis, "note": ALIKE}, tuple(one.source() for one in kept))


@court_tool(
    "get_legal_provision_interpretation",
    "How courts speak of an article: decisions that cite it in any of the three languages, with the passages that name "
    "it, word for word.",
    needs={"statute": ACT, "article": NUMBER},
    may={**NARROWED, "limit": up_to(20)},
)
def get_legal_provision_interpretation(arguments: JsonObject, context: ToolContext) -> Answer:
    acts = act_table()
    try:
        number, act = number_of(arguments["statute"], acts)
    except ValueError as error:
        raise ToolError("bad_arguments", f"statute: {error}") from None
    if act is None:
        raise ToolError("bad_arguments", f"statute: no abbreviation of SR {number} is known to search for.")
    article = str(arguments["article"])
    names = dict.fromkeys(f"Art. {article} {code}" for code in (act.de, act.fr, act.it) if code)
    found = find(arguments, _any_of(names), arguments["limit"]).decisions
    works = [work_of(one) for one in found]
    passages = [decision_text.passages_on(one.text, article, act.key, act_table()) for one in found]
    rows = [work.row(passages=quoted) for work, quoted in zip(works, passages, strict=True)]
    data: JsonObject = {"provision": f"Art. {article} {act.key}", "results": rows, "note": AS_IT_STANDS}
    return Answer(data, tuple(work.source() for work in works))


@court_tool(
    "analyze_precedent_success_rate",
    "How appeals ended in published decisions that hold the words of a claim. It gives counts of rulings and no rate: "
    "nobody can know how often a claim succeeds, and the answer says why.",
    needs={"legalArea": words(2, 200), "claimType": words(2, 200)},
    may=NARROWED,
)
def analyze_precedent_success_rate(arguments: JsonObject, context: ToolContext) -> Answer:
    found = find(arguments, f"{arguments['legalArea']} {arguments['claimType']}", READ).decisions
    ended = [(one, decision_text.outcome_of(one.text)) for one in found]
    counted = Counter(outcome for _, outcome in ended)
    return Answer(
        {
            "success_rate": None,
            "why": NO_RATE,
            "read": len(found),
            "rulings": {name: counted[name] for name in decision_text.OUTCOMES},
            "decisions": [work_of(one).row(ruling=outcome) for one, outcome in ended],
        }
    )


def _any_of(phrases: Iterable[str]) -> str:
    return " OR ".join(f'"{one}"' for one in phrases)
