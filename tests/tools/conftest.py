"""The demo register behind the tools, and one that fails on demand."""

from collections.abc import Callable

import pytest

from entities.gleif.register import Register, open_register
from research.jsontext import JsonObject
from research.tools.tool import ToolContext
from tests.tools.calls import call_tool


class Failing:
    """A register whose every method raises."""

    name, as_of, base_url, label = "gleif", "", "https://register.test/api/v1", "a register that is down"

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Callable[..., object]:
        def fail(*args: object, **kwargs: object) -> object:
            raise self._error

        return fail


@pytest.fixture
def register() -> Register:
    return open_register("demo")


@pytest.fixture
def call(register: Register) -> Callable[..., JsonObject]:
    """``call("lei_record", lei=...)`` against the demo register."""

    def call_demo(name: str, /, **arguments: object) -> JsonObject:
        return call_tool(name, arguments, ToolContext(register=register))

    return call_demo


@pytest.fixture
def call_failing() -> Callable[..., JsonObject]:
    """``call_failing(error, "lei_record", lei=...)`` against a register that raises ``error``."""

    def call_down(error: Exception, name: str, /, **arguments: object) -> JsonObject:
        return call_tool(name, arguments, ToolContext(register=Failing(error)))

    return call_down
