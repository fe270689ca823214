"""The form of a template of memos: a line for each section, and a few choices for its looks."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms

from research.errors import ParamError
from research.jsontext import JsonObject
from research.memo.labels import labels_for
from research.memo.template import (
    ACCENTS,
    MAX_HEADER,
    MAX_HEADING,
    MAX_WORDS,
    PARTS,
    REQUIRED,
    SIZES,
    TYPEFACES,
    Template,
)
from research.models import MemoTemplate
from research.models.memo import MemoLanguage
from research.services.memo_templates import MAX_NAME, MAX_NOTE, SHIPPED, as_template


@dataclass(frozen=True)
class PartRow:
    """The fields of one section, to be laid out in a line."""

    key: str
    name: str
    required: bool
    fields: dict[str, forms.BoundField]


def _choices(words: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(word, word) for word in words]


COLUMNS = {"place": "place", "heading": "own heading", "intro": "opening words", "closing": "closing words"}


def _text(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows})


def _section(key: str) -> str:
    return labels_for("en")("heading_disclaimer" if key == "disclaimer" else key)


class TemplateForm(forms.Form):
    """Its values are checked once more by the rules of the composer, which have the last word."""

    name = forms.SlugField(
        max_length=MAX_NAME, help_text="Saving under another name begins another template."
    )
    language = forms.ChoiceField(
        choices=[("", "any"), *MemoLanguage.choices],
        required=False,
        help_text="Of your own words below; memos in another language then do not use it.",
    )
    note = forms.CharField(
        max_length=MAX_NOTE, label="Why", help_text="What is different, for whoever looks later."
    )
    header = forms.CharField(
        max_length=MAX_HEADER,
        required=False,
        help_text="One line above the title, such as the name of a firm.",
    )
    typeface = forms.ChoiceField(choices=_choices(TYPEFACES))
    size = forms.ChoiceField(choices=_choices(SIZES))
    accent = forms.ChoiceField(choices=_choices(ACCENTS), help_text="Colour of title and headings.")
    contents = forms.BooleanField(required=False, label="Table of contents", help_text="In PDF and DOCX.")
    disclaimer = forms.CharField(
        max_length=MAX_WORDS,
        required=False,
        widget=_text(3),
        help_text="Instead of the one that comes with Dossier.",
    )

    def __init__(self, *args: Any, preview: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if preview:  # a template can be looked at before it has a name and a reason
            self.fields["name"].required = self.fields["note"].required = False
        for number, key in enumerate(PARTS, start=1):
            required = key in REQUIRED
            texts = {"heading": forms.CharField(max_length=MAX_HEADING, required=False)}
            for words in ("intro", "closing"):
                texts[words] = forms.CharField(max_length=MAX_WORDS, required=False, widget=_text(1))
            place = forms.IntegerField(min_value=1, max_value=99, required=required, initial=number)
            for name, field in {"place": place, **texts}.items():
                field.label = f"{_section(key)}: {COLUMNS[name]}"
                field.widget.attrs["aria-label"] = field.label  # the column has the word, the row the section
                self.fields[f"{key}-{name}"] = field

    def rows(self) -> Iterator[PartRow]:
        """The sections, in the order in which they stand."""
        for key in sorted(PARTS, key=self._place):
            fields = {name: self[f"{key}-{name}"] for name in COLUMNS}
            yield PartRow(key, _section(key), key in REQUIRED, fields)

    def _place(self, key: str) -> tuple[int, int]:
        value = str(self[f"{key}-place"].value() or "")
        return (int(value) if value.isdecimal() else 100, PARTS.index(key))

    def values(self) -> JsonObject:
        """What is stored: sections without a place stay out."""
        data = self.cleaned_data
        placed = sorted(
            (data[f"{key}-place"], PARTS.index(key), key) for key in PARTS if data[f"{key}-place"]
        )
        words = ("heading", "intro", "closing")
        names = ("header", "disclaimer", "typeface", "size", "accent", "contents")
        parts = [{"key": key, **{name: data[f"{key}-{name}"] for name in words}} for _, _, key in placed]
        return {"parts": parts, **{name: data[name] for name in names}}

    def faults(self) -> list[ParamError]:
        """What is wrong, under the names that the form shows."""
        return [
            ParamError(str(self[name].label) if name in self.fields else name, " ".join(map(str, texts)))
            for name, texts in self.errors.items()
        ]


def initial_values(row: MemoTemplate | None) -> dict[str, Any]:
    """What the form shows at first: a stored version, or the template that comes with Dossier."""
    template = as_template(row) if row else Template()
    places = {part.key: place for place, part in enumerate(template.parts, start=1)}
    found: dict[str, Any] = {
        "name": row.name if row else SHIPPED,
        "language": row.language if row else "",
        "header": template.header,
        "disclaimer": template.disclaimer,
        "typeface": template.look.typeface,
        "size": template.look.size,
        "accent": template.look.accent,
        "contents": template.look.contents,
        **{f"{key}-place": places.get(key) for key in PARTS},
    }
    for part in template.parts:
        found |= {f"{part.key}-{name}": getattr(part, name) for name in ("heading", "intro", "closing")}
    return found
