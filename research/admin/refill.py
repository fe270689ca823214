"""A page with what a person had typed in its forms: fields that people fill in, never hidden ones."""

from collections.abc import Callable, Mapping, Sequence

Typed = Mapping[str, Sequence[str]]
HIDDEN = ("hidden", "submit", "button", "password", "file", "reset", "image")


def refill(page: str, typed_in: Callable[[str], Typed | None], note: str, forget: tuple[str, str]) -> str:
    """The HTML with each form filled in for which there are texts: ``typed_in`` finds them by the form's action.

    Such a form begins with the note, and with a button, of this name and with this text, that throws the texts away.
    """
    from lxml import html  # heavy, and nearly no page needs it

    document = html.document_fromstring(page)
    for form in document.forms:
        typed = typed_in(form.get("action") or "") if "seal" in form.fields else None
        if typed is None:
            continue
        for field in form.iter("input", "textarea", "select"):
            if field.get("type", "") not in HIDDEN and field.get("name"):
                _fill(field, typed.get(field.get("name"), ()))
        told = html.Element("p", {"class": "dossier-note", "role": "status"})
        told.text = f"{note} "
        button = html.Element("button", {"class": "button", "formnovalidate": "", "name": forget[0]})
        button.text = forget[1]
        told.append(button)
        form.insert(0, told)
        for around in form.iterancestors("details"):
            around.set("open", "")
    return str(html.tostring(document, doctype="<!DOCTYPE html>", encoding="unicode"))


def _fill(field, values: Sequence[str]) -> None:  # type: ignore[no-untyped-def]
    if field.tag == "select":
        for option in field.iter("option"):
            _switch(option, "selected", option.get("value", option.text_content()) in values)
    elif field.get("type") in ("checkbox", "radio"):
        _switch(field, "checked", field.get("value", "on") in values)
    elif field.tag == "textarea":
        field.text = f"\n{values[0]}" if values else ""  # HTML drops a line break at its beginning
    else:
        field.set("value", values[0] if values else "")


def _switch(field, name: str, on: bool) -> None:  # type: ignore[no-untyped-def]
    field.attrib.pop(name, None)
    if on:
        field.set(name, "")
