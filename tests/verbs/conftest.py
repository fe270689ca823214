from collections.abc import Callable

import pytest

from entities.gleif.register import Register, demo_register
from entities.memory import ChangeLog
from research.jsontext import JsonObject
from research.verbs.calls import planned_calls
from research.verbs.handlers import HANDLERS, Context


@pytest.fixture
def register() -> Register:
    return demo_register()


@pytest.fixture
def do(register) -> Callable[[str], JsonObject]:
    """Executes a text as an approved decision would be, without its book-keeping; gives the output of the last call."""

    def execute(text: str) -> JsonObject:
        symbols: dict[str, JsonObject] = {}
        output: JsonObject = {}
        for call in planned_calls(text):
            write = HANDLERS[call.verb](call.arguments, Context(register, symbols, "a test"))
            output = write(ChangeLog())
            if call.binding:
                symbols[call.binding] = output
        return output

    return execute
