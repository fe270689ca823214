"""The work that every contender does: six searches of 4 KB, then a document, seven calls of the model in all."""

from typing import Any

TURNS = 7
FOUND = (
    "The legal entity Example AG is entered in the register of Zurich, see https://example.org/x. " * 60
)[:4096]
SYSTEM = "You research companies. Search, then answer with JSON."
PROMPT = "Research Example AG: who owns it, and is it active? This is case {case}."
TOOL_NAME = "bench_search"
TOOL_TEXT = "Search the web."
PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {"query": {"type": "string"}},
    "required": ["query"],
}
MODEL = "scripted"

MACRO = f"""\
macro:
  name: bench
  version: "1.0"
  description: Who owns this company?
  parameters:
    - name: case
      type: string
      required: true
      description: The number of the run.
      example: "1"
  tools: [{TOOL_NAME}]
  prompt: "{PROMPT.format(case="{{case}}")}"
  output:
    schema_name: bench-result
    review: required
    schema:
      type: object
      required: [entity, status]
      properties:
        entity: {{type: string}}
        status: {{type: string}}
        sources: {{type: integer}}
"""


def is_right(document: dict[str, Any]) -> bool:
    """Whether a final document shows that every search was answered."""
    return bool(document["sources"] == TURNS - 1)
