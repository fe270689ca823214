"""Validate the parameters of a run against the macro, and report all faults together."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches

from research.errors import InvalidParameters, ParamError
from research.jsontext import Json, JsonObject, JsonTextError, canonical_json, check_json, parse_json
from research.macros.definition import MacroDefinition, Parameter
from research.macros.limits import limit_fault, plain, shown

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

    Null means "not given": the default takes its place, or null stays where there is none. A field of an object that
    is null is left out. Blanks and small letters of an LEI or a code are made plain.

    Raises:
        InvalidParameters: one error for each parameter, or field of one, that is missing, unknown, mistyped or
            outside its enum.
    """
    errors = list(_unknown(definition, params))
    checked: JsonObject = {}
    for parameter in definition.parameters:
        value = _given(parameter, params.get(parameter.name))
        value = parameter.default if value is None else value
        checked[parameter.name] = value
        errors += _errors(parameter, value)
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
    value = _given(parameter, _read_cli_value(parameter.type, text))
    errors = [] if value is None else list(value_errors(parameter, value))
    if errors:
        raise InvalidParameters(errors)
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
    """``["client_name=Allianz SE", "timeRange.from=2015"]`` as values, not yet checked against the rest.

    Raises:
        InvalidParameters: for every pair without ``=``, unknown, given twice, or not of its type.
    """
    params: JsonObject = {}
    errors: list[ParamError] = []
    for pair in pairs:
        try:
            name, equals, text = pair.partition("=")
            whole, _, part = name.partition(".")
            parameter = definition.parameter(name) or _field_of(definition.parameter(whole), part)
            if not equals:
                raise _refusal(name, "is not of the form name=value", _names(definition))
            if parameter is None:
                raise InvalidParameters(list(_unknown_pair(definition, whole, part)))
            holder, key = (params.setdefault(whole, {}), part) if part else (params, name)
            if not isinstance(holder, dict) or key in holder:
                raise _refusal(name, "is given twice")
            holder[key] = parse_cli_value(parameter, text)
        except InvalidParameters as error:
            errors.extend(error.errors)
    if errors:
        raise InvalidParameters(errors)
    return params


def _field_of(parameter: Parameter | None, part: str) -> Parameter | None:
    field = parameter.field(part) if parameter and part else None
    return field.within(parameter.name) if parameter and field else None


def _unknown_pair(definition: MacroDefinition, whole: str, part: str) -> Iterator[ParamError]:
    parameter = definition.parameter(whole)
    if part and parameter and parameter.fields:
        return _unknown_fields(parameter, {part: None})
    return _unknown(definition, {f"{whole}.{part}" if part else whole: None})


def _refusal(name: str, message: str, choices: tuple[str, ...] = ()) -> InvalidParameters:
    return InvalidParameters([ParamError(name[:100], message, choices)])


def type_fault(kind: str, value: Json) -> str:
    """Why ``value`` does not have the declared type, or an empty text. True is not a number, 1.0 not an integer."""
    matches, expected = _TYPES[kind]
    return "" if matches(value) else f"must be {expected} ({kind}), not {shown(value)}"


def value_errors(parameter: Parameter, value: Json) -> Iterator[ParamError]:
    """Why ``value`` is invalid for ``parameter``. Errors of object fields are named ``object.field``."""
    if reason := value_fault(parameter, value):
        yield ParamError(parameter.name, reason, allowed(parameter))
    elif parameter.fields:
        yield from _unknown_fields(parameter, value)
        for field in parameter.fields:
            yield from _errors(field.within(parameter.name), value.get(field.name))
        yield from _turned_round(parameter, value)


def _turned_round(parameter: Parameter, value: JsonObject) -> Iterator[ParamError]:
    """A period that ends before it starts. A year is compared with the year of a date."""
    first, last = (parameter.field(name) for name in ("from", "to"))
    if not (first and last and first.format and last.format and value.get("from") and value.get("to")):
        return
    start, end = value["from"], value["to"]
    if not value_fault(first, start) and not value_fault(last, end):
        length = min(len(start), len(end))
        if start[:length] > end[:length]:
            yield ParamError(f"{parameter.name}.to", f"must not be before {shown(start)}", allowed(last))


def value_fault(parameter: Parameter, value: Json) -> str:
    """The fault of ``value`` as a whole, or an empty text."""
    if reason := type_fault(parameter.type, value):
        return reason
    try:
        check_json(value)
    except JsonTextError as error:
        return error.message.replace("the document", "it")
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return f"is longer than {MAX_TEXT:,} characters"
    return _member_fault(parameter, value) or limit_fault(parameter, value)


def _member_fault(parameter: Parameter, value: Json) -> str:
    members = value if parameter.type == "array" else [value]
    faults = (type_fault(parameter.items, member) for member in members if parameter.items)
    if reason := next(filter(None, faults), ""):
        return f"each {reason}"
    strange = [member for member in members if parameter.enum and not _listed(member, parameter.enum)]
    return f"must be one of {_choices(parameter)}, not {shown(strange[0])}" if strange else ""


def allowed(parameter: Parameter) -> tuple[str, ...]:
    """The allowed values: members of the enum, else the format or the type."""
    return tuple(map(_shown_member, parameter.enum)) or (parameter.format or parameter.type,)


def _given(parameter: Parameter, value: Json) -> Json:
    """The value in its normal form, without null fields, which count as not given."""
    if not parameter.fields or not isinstance(value, dict):
        return plain(parameter, value)
    fields = {field.name: field for field in parameter.fields}
    return {
        name: plain(fields[name], member) if name in fields else member
        for name, member in value.items()
        if member is not None
    }


def _errors(parameter: Parameter, value: Json) -> Iterator[ParamError]:
    """``value_errors``, and whether a required value is missing."""
    if value is None:
        reason = "is required" if parameter.required else ""
    else:
        blank = parameter.required and isinstance(value, str) and not value.strip()
        reason = "must not be empty" if blank else ""
    if reason:
        yield ParamError(parameter.name, reason, allowed(parameter))
    elif value is not None:
        yield from value_errors(parameter, value)


def _unknown_fields(parameter: Parameter, value: JsonObject) -> Iterator[ParamError]:
    names = tuple(field.name for field in parameter.fields)
    for name in value:
        if name not in names:
            message = f"is not a field of {parameter.name}{_hint(name, names)}"
            yield ParamError(f"{parameter.name}.{str(name)[:100]}", message, names)


def _unknown(definition: MacroDefinition, params: Mapping[str, Json]) -> Iterator[ParamError]:
    names = _names(definition)
    for name in params:
        if name not in names:
            message = f"is not a parameter of {definition.name}{_hint(name, names)}"
            yield ParamError(str(name)[:100], message, names)


def _hint(name: str, names: tuple[str, ...]) -> str:
    nearest = get_close_matches(str(name), names, 3, cutoff=0.5)
    return f"; did you mean {' or '.join(nearest)}?" if nearest else ""


def _names(definition: MacroDefinition) -> tuple[str, ...]:
    return tuple(parameter.name for parameter in definition.parameters)


def _listed(value: Json, enum: Iterable[Json]) -> bool:
    return any(type(value) is type(member) and value == member for member in enum)


def _choices(parameter: Parameter) -> str:
    return ", ".join(map(_shown_member, parameter.enum))


def _shown_member(value: Json) -> str:
    return value if isinstance(value, str) else canonical_json(value)
