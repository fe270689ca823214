"""Validate the data against the macro's JSON Schema."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeAlias

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from research.checks.verdict import Verdict, clipped, pointer
from research.jsontext import Json, JsonObject

MAX_VIOLATIONS = 200

_Violation: TypeAlias = tuple[str, str]  # JSON Pointer, sentence


def check_schema(data: Json, schema: JsonObject) -> list[Verdict]:
    """One verdict per violation, at most MAX_VIOLATIONS; a single ``pass`` when there is none.

    ``fail`` for a violation, ``unknown`` when the schema itself cannot be applied. Never raises for bad data, and
    never fetches a schema from elsewhere.
    """
    try:
        found = list(islice(_verdicts(data, schema), MAX_VIOLATIONS + 1))
    except RecursionError:
        return [_cannot("it refers to itself without end")]
    except Unresolvable as error:
        return [_cannot(f"its reference “{clipped(error.ref)}” leads nowhere")]
    except Exception as error:  # noqa: BLE001 - a broken schema breaks the validator in many ways, the run must go on
        return [_cannot(clipped(str(error)))]
    if len(found) > MAX_VIOLATIONS:
        more = f"There are more than {MAX_VIOLATIONS} such faults; the rest is not listed."
        return [*found[: MAX_VIOLATIONS - 1], _verdict("too-many", "", "fail", more)]
    return found or [_verdict("schema", "", "pass", "The document fits the schema.")]


def _verdicts(data: Json, schema: JsonObject) -> Iterator[Verdict]:
    cls = validator_for(schema, default=Draft202012Validator)
    validator = cls(schema, registry=Registry(), format_checker=cls.FORMAT_CHECKER)
    seen: set[tuple[str, str, str]] = set()  # the library reports each missing field separately
    for error in validator.iter_errors(data):
        rule = str(error.validator)
        for place, message in _violations(error):
            if (rule, place, message) not in seen:
                seen.add((rule, place, message))
                yield _verdict(rule, place, "fail", message, {"rule": rule, "seen": clipped(error.instance)})


def _violations(error: ValidationError) -> Iterator[_Violation]:
    """Places and sentences of one library error. Every surplus field is a violation at its own place."""
    path, instance = list(error.absolute_path), error.instance
    if error.validator == "additionalProperties" and isinstance(instance, dict):
        for name in _surplus(instance, error.schema):
            yield pointer([*path, name]), f"The field “{clipped(name)}” is not one of the allowed fields."
    elif error.validator == "required" and isinstance(instance, dict):
        required: Any = error.validator_value
        missing = [name for name in required if name not in instance]
        yield pointer(path), f"Required, but missing: {_listed(missing)}."
    else:
        seen = clipped(error.instance)
        say = _SENTENCES.get(str(error.validator))
        rule = f"“{seen}” breaks the rule “{error.validator}”."
        yield pointer(path), say(error.validator_value, seen) if say else rule


def _surplus(instance: JsonObject, schema: Any) -> list[str]:
    """The fields unknown to the schema. The library names them only in its message."""
    patterns = schema.get("patternProperties", ())
    return [
        name
        for name in instance
        if name not in schema.get("properties", ()) and not any(re.search(each, name) for each in patterns)
    ]


def _listed(values: Any) -> str:
    return clipped(", ".join(clipped(value) for value in values), 300)


def _type(expected: Any, seen: str) -> str:
    names = [expected] if isinstance(expected, str) else list(expected)
    return f"“{seen}” is not {' or '.join(_TYPES.get(name, str(name)) for name in names)}."


_TYPES = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
_SENTENCES: dict[str, Callable[[Any, str], str]] = {
    "type": _type,
    "enum": lambda allowed, seen: f"“{seen}” is not one of: {_listed(allowed)}.",
    "const": lambda expected, seen: f"“{seen}” must be “{clipped(expected)}”.",
    "pattern": lambda pattern, seen: f"“{seen}” does not have the required form {clipped(pattern)}.",
    "format": lambda form, seen: f"“{seen}” is not a valid {clipped(form)}.",
    "minimum": lambda least, seen: f"“{seen}” is less than {least}.",
    "maximum": lambda most, seen: f"“{seen}” is more than {most}.",
    "exclusiveMinimum": lambda least, seen: f"“{seen}” must be more than {least}.",
    "exclusiveMaximum": lambda most, seen: f"“{seen}” must be less than {most}.",
    "multipleOf": lambda step, seen: f"“{seen}” is not a multiple of {step}.",
    "minLength": lambda least, seen: f"“{seen}” is shorter than {least} characters.",
    "maxLength": lambda most, seen: f"“{seen}” is longer than {most} characters.",
    "minItems": lambda least, _: f"The list has fewer than {least} entries.",
    "maxItems": lambda most, _: f"The list has more than {most} entries.",
    "uniqueItems": lambda _, __: "The list has the same entry twice.",
    "anyOf": lambda options, seen: f"“{seen}” fits none of the {len(options)} allowed forms.",
    "oneOf": lambda options, seen: f"“{seen}” must fit exactly one of the {len(options)} allowed forms.",
    "not": lambda _, seen: f"“{seen}” has a form that is not allowed.",
}


def _cannot(why: str) -> Verdict:
    return _verdict("schema", "", "unknown", f"The macro's schema cannot be applied: {why}.")


def _verdict(code: str, place: str, answer: str, message: str, evidence: JsonObject | None = None) -> Verdict:
    return Verdict("schema", code, place, "", answer, message, evidence or {})
