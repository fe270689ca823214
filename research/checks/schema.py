"""Does the data fit the macro's JSON Schema? One verdict per violation, at the place where it is."""

from collections.abc import Iterable
from itertools import islice

from jsonschema import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import Draft202012Validator, validator_for

from research.checks.base import Verdict, bounded
from research.jsontext import Json, JsonObject

MAX_VIOLATIONS = 200


def check_schema(data: Json, schema: JsonObject) -> list[Verdict]:
    """All violations (at most 200), or one ``pass``."""
    kind: type[Validator] = validator_for(schema, default=Draft202012Validator)
    violations = islice(kind(schema).iter_errors(data), MAX_VIOLATIONS)
    found = [
        _verdict(error)
        for error in sorted(violations, key=lambda error: [str(p) for p in error.absolute_path])
    ]
    return found or [Verdict("schema", "schema", "", "", "pass", "The document fits the schema.")]


def _verdict(error: ValidationError) -> Verdict:
    message = bounded(_sentence(error), 300)
    evidence = {"rule": str(error.validator)}
    return Verdict(
        "schema", str(error.validator), pointer_to(error.absolute_path), "", "fail", message, evidence
    )


def pointer_to(path: Iterable[str | int]) -> str:
    """The JSON Pointer of a path of keys and indices."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def _sentence(error: ValidationError) -> str:
    value, rule = error.validator_value, error.validator
    if rule == "required":
        missing = [name for name in value if name not in error.instance]
        return f"Required, but missing: {', '.join(missing)}."
    if rule == "enum":
        return f"{bounded(repr(error.instance), 80)} is not one of: {', '.join(str(word) for word in value)}."
    if rule == "type":
        wanted = value if isinstance(value, str) else " or ".join(value)
        return f"This must be of type {wanted}."
    if rule == "pattern":
        return f"{bounded(repr(error.instance), 80)} does not have the form {value}."
    if rule in ("minimum", "maximum"):
        return f"{error.instance} is {'below the minimum' if rule == 'minimum' else 'above the maximum'} of {value}."
    return error.message
