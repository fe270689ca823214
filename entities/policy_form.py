"""The form in which a person enters a version of the policy on LEIs: one field for each of its values."""

from typing import TYPE_CHECKING, Any

from django import forms

from entities.gleif.checking import base_policy
from entities.gleif.policy import JUDGED, NUMBERS, VERDICTS, BadPolicy, Policy
from entities.models import LeiPolicy

if TYPE_CHECKING:
    FormBase = forms.ModelForm[LeiPolicy]
else:
    FormBase = forms.ModelForm

HELP = {
    "name_passes": "A name that scores at least so many of 100 is the same name.",
    "name_fails_below": "A name that scores less is another name; between the two it is a warning.",
    "renewal_grace_days": "So many days after its date a renewal is not yet overdue.",
    "absence_max_age_days": "An older copy of the register cannot say that there is no such LEI.",
    "data_max_age_days": "Older data of the register is a warning.",
    "recent_change_days": "Events recorded within so many days are a warning.",
    "other_name": "The name claimed is a previous, trading or transliterated one.",
    "partly_corroborated": "The issuer compared only part of the record with a business register, or nothing.",
    "not_conforming": "The record does not meet GLEIF's own rules.",
    "ambiguous": "Another LEI in force has the name as well.",
    "parent_exception": "A parent is claimed where the register has a reason for reporting none.",
}


def _fields() -> dict[str, forms.Field]:
    statuses = [name for name in Policy().as_values() if name.isupper()]
    judged = {
        name: forms.ChoiceField(
            choices=[(verdict, verdict) for verdict in VERDICTS],
            help_text=HELP.get(name, "Verdict on an LEI whose registration has this status."),
            label=name.replace("_", " "),
        )
        for name in (*statuses, *JUDGED)
    }
    numbers = {
        name: forms.CharField(max_length=10, help_text=HELP[name], label=name.replace("_", " "))
        for name in NUMBERS
    }
    return {**judged, **numbers}


class _Checked(FormBase):
    class Meta:
        model = LeiPolicy
        fields = ["note"]

    def clean(self) -> dict[str, Any]:
        """Read by the rules of the service, so that form, setting and service agree."""
        cleaned = dict(super().clean() or self.cleaned_data)
        try:
            base_policy().with_values({name: str(cleaned[name]) for name in _fields() if name in cleaned})
        except BadPolicy as error:
            raise forms.ValidationError(str(error)) from None
        return cleaned


PolicyForm: "type[forms.ModelForm[LeiPolicy]]" = type("PolicyForm", (_Checked,), _fields())
