"""Tools that steer the conversation. The engine answers them itself."""

from research.jsontext import JsonObject
from research.tools.tool import COMPLETE, THINK, Answer, ToolContext, tool


def free(arguments: JsonObject) -> int:
    """No cost."""
    return 0


@tool(
    THINK,
    "Write down what you learned from the last search, what is still missing and what you will do next. Free. "
    "Needed after every search before the next one.",
    {"required": ["reasoning"], "properties": {"reasoning": {"type": "string", "minLength": 1}}},
    calls=free,
)
def think(arguments: JsonObject, context: ToolContext) -> Answer:
    return Answer({"noted": True})


@tool(
    COMPLETE,
    "Say that the research is done, with a summary of what was found. Free. Ends the search; the report follows.",
    {"required": ["summary"], "properties": {"summary": {"type": "string", "minLength": 1}}},
    calls=free,
)
def research_complete(arguments: JsonObject, context: ToolContext) -> Answer:
    return Answer({"noted": True})
