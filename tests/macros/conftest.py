"""Macro texts to bend out of shape."""

from collections.abc import Callable
from textwrap import dedent, indent

import pytest

from research.errors import Fault
from research.macros.lint import lint_text

TOOLS = frozenset({"lei_search", "lei_record"})

SOUND = """\
macro:
  name: house-check
  version: "2.1"
  description: Looks at a house.
  tags: [houses]
  parameters:
    - name: street
      type: string
      required: true
      description: Where it stands.
      example: Main Street
    - name: floors
      type: integer
      default: 2
    - name: kind
      type: string
      enum: [brick, wood]
      default: brick
    - name: rooms
      type: array
  tools: [lei_search]
  prompt: |
    Look at {{street}}.
    {{#if kind}}It is of {{kind}} with {{floors}} floors.{{/if}}
  output:
    schema_name: house
    review: optional
    schema:
      type: object
      required: [owner]
      properties:
        owner:
          type: object
          properties:
            name: {type: string}
            lei: {type: string, pattern: "^[A-Z0-9]{20}$", maxLength: 20}
        tenants:
          type: array
          items:
            type: object
            properties:
              name: {type: string}
              floor: {type: integer}
  suggested_verbs: |
    ;; {{street}}
    {{#each tenants}}
    (entity.ensure :entity-type "person" :name "{{name}}" :as @tenant_{{@index}})
    {{/each}}
"""


@pytest.fixture
def sound() -> str:
    """A macro without a fault."""
    return SOUND


@pytest.fixture
def lint() -> Callable[..., list[Fault]]:
    """Lint the sound macro with one piece of text replaced."""

    def run(old: str = "", new: str = "") -> list[Fault]:
        assert old in SOUND
        return lint_text(SOUND.replace(old, new, 1), "house.yaml", tools=TOOLS)

    return run


@pytest.fixture
def macro_text() -> Callable[..., str]:
    """A small macro around a prompt, a schema and verbs."""

    def build(
        prompt: str = "Go.", schema: str = "type: object", verbs: str = "", parameters: str = "[]"
    ) -> str:
        def block(text: str, depth: int) -> str:
            return indent(dedent(text).strip("\n"), " " * depth)

        return "\n".join(
            [
                "macro:",
                "  name: small",
                "  description: Small.",
                "  parameters:",
                block(parameters, 4),
                "  prompt: |",
                block(prompt, 4),
                "  output:",
                "    schema_name: small",
                "    schema:",
                block(schema, 6),
                *(["  suggested_verbs: |", block(verbs, 4)] if verbs else []),
            ]
        )

    return build
