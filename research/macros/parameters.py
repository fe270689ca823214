"""The parameters of a run: checked against what the macro declares, all faults at once."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches

from research.errors import InvalidParameters, ParamError
from research.jsontext import Json, JsonObject, JsonTextError, canonical_json, check_json, parse_json
from research.macros.definition import MacroDefinition, Parameter

MAX_TEXT = 20_000
MAX_TOTAL = 100_000

_TYPES: dict[str, tuple[Callable[[Json], bool], str]] = {
    "string": (lambda value: isinstance(value, str), "text"),
    "integer": (lambda value: isinstance(value, int) and not isinstance(value, bool), "a whole number"),
    "number": (lambda value: isinstance(value, int | float) and not isinstance(value, bool), "a number"),
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "array": (lambda value: isinstance(value, list), "a list"),
    "object": (lambda value: isinstance(value, dict), "an object"),
}


def check_parameters(definition: MacroDefinition, params: Mapping[str, Json]) -> JsonObject:
    """The parameters with defaults filled in, one value for every declared name.

    Null means "not given": the default takes its place, or null stays where there is none.

    Raises:
        InvalidParameters: one error for each parameter that is missing, unknown, mistyped or outside its enum.
    """
    errors = list(_unknown(definition, params))
    checked: JsonObject = {}
    for parameter in definition.parameters:
        value = params.get(parameter.name)
        value = parameter.default if value is None else value
        checked[parameter.name] = value
        if reason := _reason(parameter, value):
            errors.append(ParamError(parameter.name, reason, allowed(parameter)))
    if not errors and len(canonical_json(checked)) > MAX_TOTAL:
        errors.append(ParamError("params", f"all parameters together exceed {MAX_TOTAL:,} characters"))
    if errors:
        raise InvalidParameters(errors)
    return checked


def parse_cli_value(parameter: Parameter, text: str) -> Json:
    """A value from ``name=text`` on a command line: strings as they are, all else as JSON.

    A list may also be written ``a,b,c``. An empty text for anything but a string means "not given".

    Raises:
        InvalidParameters: the text does not give a value of the declared type, or none that the enum lists.
    """
    value = _read_cli_value(parameter.type, text)
    reason = "" if value is None else value_fault(parameter, value)
    if reason:
        raise InvalidParameters([ParamError(parameter.name, reason, allowed(parameter))])
    return value


def _read_cli_value(kind: str, text: str) -> Json:
    if kind == "string":
        return text
    if not text.strip():
        return None
    if kind == "array" and not text.lstrip().startswith("["):
        return [item.strip() for item in text.split(",") if item.strip()]
    try:
        return parse_json(text)
    except JsonTextError:
        return text


def parse_cli_parameters(definition: MacroDefinition, pairs: Iterable[str]) -> JsonObject:
    """``["client_name=Allianz SE", "max_entities=5"]`` as values, not yet checked against the rest.

    Raises:
        InvalidParameters: for every pair without ``=``, unknown, given twice, or not of its type.
    """
    params: JsonObject = {}
    errors: list[ParamError] = []
    for pair in pairs:
        name, equals, text = pair.partition("=")
        parameter = definition.parameter(name)
        if not equals:
            errors.append(ParamError(name[:100], "is not of the form name=value", _names(definition)))
        elif name in params:
            errors.append(ParamError(name[:100], "is given twice"))
        elif parameter is None:
            errors.extend(_unknown(definition, {name: text}))
        else:
            try:
                params[name] = parse_cli_value(parameter, text)
            except InvalidParameters as error:
                errors.extend(error.errors)
    if errors:
        raise InvalidParameters(errors)
    return params


def type_fault(kind: str, value: Json) -> str:
    """Why ``value`` is not of the declared type, or an empty text. True is not a number, 1.0 is not an integer."""
    matches, expected = _TYPES[kind]
    return "" if matches(value) else f"must be {expected} ({kind}), not {_shown(value)}"


def value_fault(parameter: Parameter, value: Json) -> str:
    """Why ``value`` cannot be given for ``parameter``, or an empty text."""
    if reason := type_fault(parameter.type, value):
        return reason
    try:
        check_json(value)
    except JsonTextError as error:
        return error.message.replace("the document", "it")
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return f"is longer than {MAX_TEXT:,} characters"
    members = value if parameter.type == "array" else [value]
    strange = [member for member in members if parameter.enum and not _listed(member, parameter.enum)]
    return f"must be one of {_choices(parameter)}, not {_shown(strange[0])}" if strange else ""


def allowed(parameter: Parameter) -> tuple[str, ...]:
    """What a caller may give: the enum's members, or else the type."""
    return tuple(map(_shown_member, parameter.enum)) or (parameter.type,)


def _reason(parameter: Parameter, value: Json) -> str:
    if value is None:
        return "is required" if parameter.required else ""
    if parameter.required and isinstance(value, str) and not value.strip():
        return "must not be empty"
    return value_fault(parameter, value)


def _unknown(definition: MacroDefinition, params: Mapping[str, Json]) -> Iterator[ParamError]:
    names = _names(definition)
    for name in params:
        if name not in names:
            nearest = get_close_matches(str(name), names, 3, cutoff=0.5)
            hint = f"; did you mean {' or '.join(nearest)}?" if nearest else ""
            yield ParamError(str(name)[:100], f"is not a parameter of {definition.name}{hint}", names)


def _names(definition: MacroDefinition) -> tuple[str, ...]:
    return tuple(parameter.name for parameter in definition.parameters)


def _listed(value: Json, enum: Iterable[Json]) -> bool:
    return any(type(value) is type(member) and value == member for member in enum)


def _choices(parameter: Parameter) -> str:
    return ", ".join(map(_shown_member, parameter.enum))


def _shown_member(value: Json) -> str:
    return value if isinstance(value, str) else canonical_json(value)


def _shown(value: Json) -> str:
    """The value in a sentence: short, and never an error of its own."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
