"""What is wrong with a request, as one list whoever found it: a serializer, a filter, a macro or a patch."""

from collections.abc import Iterator
from typing import Any

from rest_framework import serializers
from rest_framework.settings import api_settings

from research.jsontext import JsonObject


class Choice(serializers.ChoiceField):
    """A word out of a list; another one is refused with the list."""

    def fail(self, key: str, **values: Any) -> None:  # type: ignore[override]  # DRF says NoReturn, which this is
        if key != "invalid_choice":
            super().fail(key, **values)
        raise serializers.ValidationError(unknown_word(values["input"], [str(word) for word in self.choices]))


def unknown_word(word: Any, allowed: list[str]) -> JsonObject:
    """The fault of a word that is not among those allowed."""
    return {"message": f"{str(word)[:80]!r} is not one of: {', '.join(allowed)}", "allowed": allowed}


def unknown_name(allowed: list[str]) -> JsonObject:
    """The fault of a field or a query parameter that nobody knows."""
    return {"message": f"is not known; there are: {', '.join(allowed) or 'none'}", "allowed": allowed}


def listed(detail: Any, name: str = "") -> Iterator[JsonObject]:
    """Every fault as ``{name, message, allowed}``, with whatever else its finder says of it.

    ``name`` is the field or the parameter, dotted where it is inside another (``edits.0.op``), the JSON Pointer where
    it is an edited value, and empty where it is the whole request.
    """
    if isinstance(detail, dict) and isinstance(detail.get("message"), str):
        yield {"name": name, "allowed": [], **detail}
    elif isinstance(detail, dict):
        for key, inner in detail.items():
            yield from listed(inner, _joined(name, str(key)))
    elif isinstance(detail, list):
        for position, inner in enumerate(detail):
            plain = not isinstance(inner, dict | list) or "message" in inner
            yield from listed(inner, name if plain else _joined(name, str(position)))
    else:
        yield {"name": name, "message": str(detail), "allowed": []}


def _joined(name: str, key: str) -> str:
    if key == api_settings.NON_FIELD_ERRORS_KEY:
        return name
    return f"{name}.{key}" if name else key
