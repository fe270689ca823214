"""The form of a macro's question: fields for its parameters, a group for an object that declares its fields."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django import forms

from research.errors import InvalidParameters
from research.jsontext import Json, JsonObject
from research.macros.definition import MacroDefinition, Parameter
from research.macros.parameters import parse_cli_value
from research.models import Run
from research.models.states import Autonomy, Depth
from research.review.rows import human_label

LONG_EXAMPLE = 40
AUTONOMY_HELP = {
    Autonomy.CAUTIOUS: "Cautious: shows each step and waits for me",
    Autonomy.BALANCED: "Balanced: asks where it matters",
    Autonomy.AUTONOMOUS: "Autonomous: asks only in trouble",
}
DAY_OR_YEAR = "2015 or 2015-01-31"


@dataclass(frozen=True)
class Row:
    """One row of the form: a field, or a group of them under a legend."""

    fields: list[forms.BoundField]
    legend: str = ""
    help_text: str = ""


class AskForm(forms.Form):
    """One field a parameter; what the text means is decided by the macro's own rules.

    ``like`` is a run whose parameters are filled in.
    """

    def __init__(
        self, definition: MacroDefinition, *args: Any, like: Run | None = None, **kwargs: Any
    ) -> None:
        if like:
            kwargs["initial"] = _asked_before(definition, like)
        super().__init__(*args, **kwargs)
        self.parameters = [each for each in definition.parameters if not _is_of_the_run(each)]
        for parameter in self.parameters:
            for part in _parts(parameter):
                self.fields[f"param:{part.name}"] = _field(part)
        self.fields["autonomy"] = forms.ChoiceField(
            label="How much it asks back", choices=list(AUTONOMY_HELP.items()), initial=Autonomy.BALANCED
        )
        self.fields["depth"] = forms.ChoiceField(
            label="How far it looks",
            choices=Depth.choices,
            initial=Depth.STANDARD,
            help_text="Quick takes the fewest turns and calls, deep the most.",
        )
        self.fields["budget_usd"] = forms.DecimalField(
            label="Budget in USD",
            required=False,
            min_value=Decimal(0),
            max_digits=10,
            decimal_places=4,
            help_text="The most that models and searches may cost; the run then waits and asks. Empty: no limit.",
        )

    def what(self) -> Iterator[Row]:
        """The fields of the question."""
        for parameter in self.parameters:
            fields = [self[f"param:{part.name}"] for part in _parts(parameter)]
            yield Row(fields, _label(parameter), _help(parameter)) if parameter.fields else Row(fields)

    def how(self) -> list[forms.BoundField]:
        """The fields of the run."""
        return [field for field in self if not field.name.startswith("param:")]

    def params(self) -> JsonObject:
        """The parameters as typed values. Raises InvalidParameters."""
        values: JsonObject = {}
        errors = []
        for parameter in self.parameters:
            holder = values
            for part in _parts(parameter):
                posted = self.cleaned_data[f"param:{part.name}"]
                if posted in ("", []):
                    continue
                if parameter.fields:
                    holder = values.setdefault(parameter.name, {})
                try:
                    holder[part.name.rpartition(".")[2]] = _value(part, posted)
                except InvalidParameters as error:
                    errors += error.errors
        if errors:
            raise InvalidParameters(errors)
        return values

    def refuse(self, error: InvalidParameters) -> None:
        """Put each error beside its field."""
        for fault in error.errors:
            names = [name for name in (f"param:{fault.name}", fault.name) if name in self.fields]
            label = "" if names else f"{human_label(fault.name)} "
            self.add_error(names[0] if names else None, f"{label}{fault.message}")


def _asked_before(definition: MacroDefinition, run: Run) -> dict[str, Any]:
    asked: dict[str, Any] = {f"param:{name}": _text(value) for name, value in run.params.items()}
    for parameter in definition.parameters:
        whole = run.params.get(parameter.name)
        for field in parameter.fields if isinstance(whole, dict) else ():
            asked[f"param:{parameter.name}.{field.name}"] = _initial(field, whole.get(field.name))
    depth = next((run.params.get(each.name) for each in definition.parameters if _is_of_the_run(each)), None)
    return {**asked, "autonomy": run.autonomy, "depth": depth or run.depth, "budget_usd": run.budget_usd}


def _is_of_the_run(parameter: Parameter) -> bool:
    """A depth of the macro's own, which is that of the run where it is not given: one field is enough for both."""
    optional = parameter.default is None and not parameter.required
    return parameter.name == "depth" and optional and set(parameter.enum) <= set(Depth.values)


def _parts(parameter: Parameter) -> list[Parameter]:
    """The parameter itself, or the fields that it has been given."""
    given = parameter.default if isinstance(parameter.default, dict) else {}
    return [
        replace(field.within(parameter.name), default=given.get(field.name), has_default=field.name in given)
        for field in parameter.fields
    ] or [parameter]


def _is_set(parameter: Parameter) -> bool:
    """Whether boxes are ticked: of a field that lists some of a few. A parameter's list may have an order."""
    return bool(parameter.items and parameter.enum)


def _value(parameter: Parameter, posted: str | list[str]) -> Json:
    if isinstance(posted, str):
        return parse_cli_value(parameter, posted)
    members = {_text(member): member for member in parameter.enum}
    return [members[text] for text in posted]


def _field(parameter: Parameter) -> forms.Field:
    shared: dict[str, Any] = {
        "label": _label(parameter),
        # of an object that is itself left out nothing is required: that is decided where it is checked
        "required": parameter.required and not parameter.has_default and "." not in parameter.name,
        "help_text": _help(parameter),
        "initial": _text(parameter.default) if parameter.has_default else "",
    }
    choices = [(_text(item), _text(item)) for item in parameter.enum]
    if parameter.type == "boolean":
        return forms.ChoiceField(choices=[("", "–"), ("true", "yes"), ("false", "no")], **shared)
    if _is_set(parameter):
        boxes = forms.CheckboxSelectMultiple(attrs={"class": "dossier-boxes"})
        return forms.MultipleChoiceField(choices=choices, widget=boxes, **shared)
    if parameter.enum and parameter.type != "array":
        return forms.ChoiceField(choices=[("", "–"), *choices], **shared)
    return forms.CharField(widget=_widget(parameter), strip=False, **shared)


def _label(parameter: Parameter) -> str:
    label = parameter.title or human_label(parameter.name.rpartition(".")[2])
    return label + (" *" if parameter.required else "")


def _widget(parameter: Parameter) -> forms.Widget:
    """Room for sentences where the example is one, and the browser's calendar for a day."""
    if parameter.format == "date":
        return forms.TextInput(attrs={"type": "date"})
    if parameter.format == "date-or-year":
        return forms.TextInput(attrs={"class": "vTextField", "placeholder": DAY_OR_YEAR})
    if parameter.type == "string" and len(_text(parameter.example)) > LONG_EXAMPLE:
        return forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"})
    return forms.TextInput(attrs={"class": "vTextField"})


def _help(parameter: Parameter) -> str:
    """The description, how lists are written, and an example where neither the description nor fields show one."""
    said = parameter.description.strip()
    lists = " Separate several with commas." if parameter.type == "array" and not _is_set(parameter) else ""
    known = parameter.example is None or parameter.fields or "for example" in said.casefold()
    return f"{said}{lists}" + ("" if known else f" For example: {_text(parameter.example)}")


def _initial(field: Parameter, value: Json) -> str | list[str]:
    return [_text(item) for item in value] if _is_set(field) and isinstance(value, list) else _text(value)


def _text(value: Json) -> str:
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
