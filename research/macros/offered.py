"""The parameters of a macro as JSON Schema, for programs and agents."""

from research.jsontext import JsonObject
from research.macros.definition import MacroDefinition, Parameter
from research.macros.limits import PATTERNS


def parameters_schema(definition: MacroDefinition) -> JsonObject:
    """All parameters together. Null means "not given" for optional ones."""
    return _closed(definition.parameters)


def parameter_schema(parameter: Parameter) -> JsonObject:
    """One parameter, or one field of an object."""
    schema: JsonObject = {"type": parameter.type}
    if parameter.fields:
        schema = _closed(parameter.fields)
    said = {"title": parameter.title, "description": parameter.description}
    schema |= {key: text for key, text in said.items() if text}
    items: JsonObject = {"type": parameter.items} if parameter.items else {}
    # Dossier's own formats are given as patterns too.
    limits: JsonObject = {"enum": list(parameter.enum)} if parameter.enum else {}
    if parameter.format or parameter.pattern:
        limits["type"] = "string"
    pattern = parameter.pattern or PATTERNS.get(parameter.format, "")
    limits |= {key: text for key, text in (("format", parameter.format), ("pattern", pattern)) if text}
    ends = {"minimum": parameter.minimum, "maximum": parameter.maximum}
    (items if parameter.type == "array" else schema).update(
        limits | {key: end for key, end in ends.items() if end is not None}
    )
    if parameter.min_items:
        schema["minItems"] = parameter.min_items
    if items:
        schema["items"] = items
    if parameter.default is not None:
        schema["default"] = parameter.default
    if parameter.example is not None:
        schema["examples"] = [parameter.example]
    return schema


def _closed(parameters: tuple[Parameter, ...]) -> JsonObject:
    required = [
        parameter.name for parameter in parameters if parameter.required and parameter.default is None
    ]
    return {
        "type": "object",
        "additionalProperties": False,
        "required": required,
        "properties": {parameter.name: parameter_schema(parameter) for parameter in parameters},
    }
