"""Let a model extend the interpretation of the rules, restricted to the same lists."""

from datetime import date

from research.engine.legal import parameters
from research.engine.legal.parameters import DOMAINS, ResearchParameters
from research.engine.legal.places import CANTONS
from research.engine.prompt_data import DATA_RULE, fenced
from research.engine.questions.question import TEXT, BadAnswer, Question, list_schema, object_schema
from research.jsontext import JsonObject, canonical_json

SYSTEM = (
    "You read a question of Swiss law and say what is to be searched for. Rules have read it already; correct them "
    "where they are wrong and add what they missed. keyTerms are words that decisions use, in the language of the "
    "question, the most telling first; articles among them are written like Art. 363 OR. Invent no canton and no "
    "period. " + DATA_RULE
)
SCHEMA = object_schema(
    legalDomain=list_schema({"type": "string", "enum": list(DOMAINS)}),
    keyTerms=list_schema(TEXT),
    cantons=list_schema({"type": "string", "enum": list(CANTONS)}),
    federal={"type": "boolean"},
)


def refinement(found: ResearchParameters, context: str, today: date) -> Question[ResearchParameters]:
    """The question to the model. Its answer replaces all parameters but concepts, period and languages."""
    case = f"\n\nThe case:\n\n{fenced('case', context)}" if context else ""
    prompt = (
        f"Today is {today.isoformat()}. The question:\n\n{fenced('question', found.question)}{case}\n\n"
        f"What the rules read:\n\n{fenced('rules', canonical_json(found.edit()))}"
    )

    def read(data: JsonObject) -> ResearchParameters:
        if len(data["keyTerms"]) > 8:
            raise BadAnswer("keyTerms must have at most 8 entries")
        return parameters.edited(found, data)

    return Question("understand.refined", SYSTEM, prompt, SCHEMA, read)
