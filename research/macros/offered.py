"""What may be given to a macro, as JSON Schema: for programs and agents that fill it in."""

from research.jsontext import JsonObject
from research.macros.definition import MacroDefinition, Parameter


def parameters_schema(definition: MacroDefinition) -> JsonObject:
    """All parameters together. Null means "not given" wherever something is not required."""
    return _closed(definition.parameters)


def parameter_schema(parameter: Parameter) -> JsonObject:
    """One parameter, or one field of an object."""
    schema: JsonObject = {"type": parameter.type}
    if parameter.fields:
        schema = _closed(parameter.fields)
    said = {"title": parameter.title, "description": parameter.description, "format": parameter.format}
    schema |= {key: text for key, text in said.items() if text}
    items: JsonObject = {"type": parameter.items} if parameter.items else {}
    if parameter.enum and parameter.type == "array":
        items["enum"] = list(parameter.enum)
    elif parameter.enum:
        schema["enum"] = list(parameter.enum)
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
