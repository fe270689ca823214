"""Calling a tool by its name, as the engine does."""

from research.jsontext import Json, JsonObject
from research.tools.tool import REGISTRY, ToolContext, argument_fault, failure, run_tool


def call_tool(name: str, arguments: Json, context: ToolContext) -> JsonObject:
    """The value of a call, whatever goes wrong."""
    fault = argument_fault(REGISTRY[name], arguments)
    return failure("bad_arguments", fault) if fault else run_tool(REGISTRY[name], arguments, context)
