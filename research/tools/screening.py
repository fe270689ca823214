"""Screening a name against the official lists that are imported here, as a tool."""

from entities.screening.looking import Screened, screen
from entities.screening.subject import make_subject
from research.jsontext import Json, JsonObject
from research.tools.tool import Answer, ToolContext, ToolError, register_source, tool

MAX_SHOWN = 20
TEXT = {"type": "string", "maxLength": 60}


def _hits(data: JsonObject) -> list[Json]:
    """Only entries of lists are evidence; the rest repeats the question."""
    return [*data["hits"]]


@tool(
    "screen_entity",
    "Screen a person or company against official sanctions lists (OFAC, UN, EU, UK, SECO). Gives the entries that are "
    "like it, each with a score of 100 explained by name, date of birth, country and number, and the lists that were "
    "looked at with their dates. A hit is a possible match, not an identity. The outcome unknown says why: a list that "
    "is missing, old or partial; it is never a clearance.",
    {
        "required": ["name"],
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 500},
            "kind": {"type": "string", "enum": ["person", "entity"], "description": "What the name is of"},
            "birth": {**TEXT, "description": "Date of birth of a person: 1972, 1972-03 or 1972-03-08"},
            "country": {**TEXT, "description": "Nationality or jurisdiction, such as DE or Germany"},
        },
    },
    found=_hits,
    hits=_hits,
)
def screen_entity(arguments: JsonObject, context: ToolContext) -> Answer:
    try:
        subject = make_subject(
            names=[arguments["name"]],
            kind=arguments.get("kind", ""),
            births=[arguments.get("birth", "")],
            countries=[arguments.get("country", "")],
        )
    except ValueError as error:
        raise ToolError("bad_request", str(error)) from None
    screened = screen(subject)
    data: JsonObject = screened.as_json()
    shown = data["hits"][:MAX_SHOWN]
    data |= {"hits": shown, "more_hits": data["more_hits"] + len(data["hits"]) - len(shown)}
    return Answer(data, (_source(screened, data),) if shown else ())


def _source(screened: Screened, data: JsonObject) -> JsonObject:
    looked = [one for one in screened.looked if one.version]
    return register_source(
        key=f"screening:{screened.subject.names[0]}"[:200],
        url="",
        title=f"Official lists: {screened.subject.names[0][:100]}",
        snippet="; ".join(one.told for one in looked),
        seen=data,
        as_of=min((one.published[:10] for one in looked), default=""),
    )
