"""From a posted form to edits. Only rows that the server shows are read, and only fields whose text was changed count.

Every field is posted twice: ``leaf:`` is what it holds, ``shown:`` what it held when the page was made. Comparing the
two, and not the value with the document, keeps whatever a browser does to a text from becoming an edit.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from research.errors import InvalidEdit
from research.jsontext import Json, JsonObject, JsonTextError, check_json, parse_json
from research.review.patch import make_patch, same
from research.review.pointer import is_inside, parse
from research.review.rows import MAX_BLANKS, Row

LEAF, SHOWN, REMOVE, ADD = "leaf:", "shown:", "remove:", "add:"


class FieldError(ValueError):
    """Why the text of a field cannot be its value."""


class _Absent:
    """The key is to go."""


ABSENT = _Absent()


@dataclass
class FormEdits:
    """What a form amounts to: operations in an order that can be applied, and a sentence per field at fault."""

    edits: list[JsonObject] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)


def read_form(rows: Sequence[Row], post: Mapping[str, str]) -> FormEdits:
    """The RFC 6902 operations of a form, and a sentence for each field at fault, by JSON Pointer.

    Removals of items come last, from the highest index down.
    """
    form = FormEdits()
    removed = removed_items(rows, post)
    kept = [row for row in rows if not any(is_inside(row.pointer, item) for item in removed)]
    for row in kept:
        if row.kind == "leaf" and row.widget != "fixed" and not row.blank and is_edited(row, post):
            form.edits += _guarded(form, row, post)
    form.edits += _additions(form, kept, post)
    form.edits += [{"op": "remove", "path": pointer} for pointer in reversed(removed)]
    return form


def edits_from_text(text: str, original: Json) -> list[JsonObject]:
    """The operations that turn the original into a document typed as raw JSON.

    Raises:
        InvalidEdit: under the pointer "", with line and column where the text cannot be read.
    """
    try:
        return make_patch(original, parse_json(text))
    except JsonTextError as error:
        raise InvalidEdit({"": f"The JSON cannot be read: {error}."}) from None


def is_edited(row: Row, post: Mapping[str, str]) -> bool:
    """Whether the field's text is another than the page showed. Line ends do not count: browsers rewrite them."""
    text = post.get(LEAF + row.pointer)
    return text is not None and _plain(text) != _plain(post.get(SHOWN + row.pointer, row.shown))


def removed_items(rows: Iterable[Row], post: Mapping[str, str]) -> list[str]:
    """Pointers of the list items whose remove box is ticked, outermost only, in the order of the document."""
    removed: list[str] = []
    for row in rows:
        ticked = row.removable and post.get(REMOVE + row.pointer)
        if ticked and not any(is_inside(row.pointer, item) for item in removed):
            removed.append(row.pointer)
    return removed


def places_after(rows: Sequence[Row], post: Mapping[str, str]) -> dict[str, str]:
    """Where each row's value stands once the form's edits are applied: removals move the items behind them up.

    Rows of removed items, and of blank items that were left empty, are not in the mapping.
    """
    removed = set(removed_items(rows, post))
    typed = [row.pointer for row in rows if row.blank and row.kind == "leaf" and is_edited(row, post)]
    touched = {*typed, *(pointer.rpartition("/")[0] for pointer in typed)}
    places = {"": ""}
    following: dict[str, int] = {}
    for row in rows:
        above, _, token = row.pointer.rpartition("/")
        is_item = above in following
        untouched = row.blank and is_item and row.pointer not in touched
        if row.kind == "more" or above not in places or row.pointer in removed or untouched:
            continue
        if is_item:
            token = str(following[above])
            following[above] += 1
        if row.kind == "list":
            following[row.pointer] = 0
        places[row.pointer] = f"{places[above]}/{token}"
    return places


def blanks_from_form(rows: Iterable[Row], post: Mapping[str, str]) -> dict[str, int]:
    """How many blank items each list of the page was asked to offer."""
    counts = {row.pointer: post.get(ADD + row.pointer, "") for row in rows if row.growable}
    return {pointer: min(int(text), MAX_BLANKS) for pointer, text in counts.items() if _is_count(text)}


def read_value(row: Row, text: str) -> Json:
    """The typed value of a field's text, or ABSENT.

    Raises:
        FieldError: with a sentence for the person.
    """
    if row.widget == "choice":
        return _chosen(row, text)
    if text == "":
        return _emptied(row)
    if "string" in row.kinds and not isinstance(row.value, int | float):
        return _text(row.value, text)
    return _scalar(row, text)


def _guarded(form: FormEdits, row: Row, post: Mapping[str, str]) -> list[JsonObject]:
    try:
        return _change(row, read_value(row, post[LEAF + row.pointer]))
    except FieldError as error:
        form.errors[row.pointer] = str(error)
        return []


def _change(row: Row, value: Json) -> list[JsonObject]:
    if value is ABSENT:
        return [] if row.state == "absent" else [{"op": "remove", "path": row.pointer}]
    if row.state == "absent":
        return [{"op": "add", "path": row.pointer, "value": value}]
    return [] if same(row.value, value) else [{"op": "replace", "path": row.pointer, "value": value}]


def _chosen(row: Row, text: str) -> Json:
    if text not in {choice.text for choice in row.choices}:
        raise FieldError("This is not one of the choices.")
    return parse_json(text) if text else ABSENT


def _emptied(row: Row) -> Json:
    if row.state == "absent":
        return ABSENT
    if row.nullable:
        return None
    if not row.required:
        return ABSENT
    if "string" in row.kinds:
        return ""
    if row.removable:
        raise FieldError("A number cannot be empty; tick Remove to take it out of the list.")
    raise FieldError("This value is required; it cannot be empty.")


def _scalar(row: Row, text: str) -> Json:
    try:
        value = parse_json(text.strip())
    except JsonTextError:
        value = ABSENT
    if _fits(value, row.kinds):
        return value
    if "string" in row.kinds:
        return _text(row.value, text)
    raise FieldError(_expected(row.kinds))


def _fits(value: Json, kinds: frozenset[str]) -> bool:
    if isinstance(value, bool):
        return "boolean" in kinds
    if isinstance(value, int):
        return bool(kinds & {"integer", "number"})
    if isinstance(value, float):
        return "number" in kinds or ("integer" in kinds and value.is_integer())
    return False


def _expected(kinds: frozenset[str]) -> str:
    if "number" in kinds:
        return "This must be a number, such as 12.5."
    if "integer" in kinds:
        return "This must be a whole number, such as 12."
    return "This must be true or false."


def _additions(form: FormEdits, rows: Sequence[Row], post: Mapping[str, str]) -> list[JsonObject]:
    """One operation per blank item that was filled in; the first into an absent list brings the list with it."""
    operations: list[JsonObject] = []
    typed = [row for row in rows if row.blank and row.kind == "leaf" and is_edited(row, post)]
    for row in rows if typed else ():
        if row.kind != "list":
            continue
        items = _new_items(form, row, typed, post)
        if items and row.state == "absent":
            operations.append({"op": "add", "path": row.pointer, "value": items})
        else:
            operations += [{"op": "add", "path": f"{row.pointer}/-", "value": item} for item in items]
    return operations


def _new_items(form: FormEdits, parent: Row, rows: Sequence[Row], post: Mapping[str, str]) -> list[Json]:
    """The items of one list that were typed into blank rows, in their order."""
    level = len(parse(parent.pointer))
    items: dict[int, Json] = {}
    for row in rows:
        tokens = parse(row.pointer)
        if not is_inside(row.pointer, parent.pointer) or int(tokens[level]) < parent.count:
            continue
        try:
            value = read_value(row, post[LEAF + row.pointer])
        except FieldError as error:
            form.errors[row.pointer] = str(error)
            continue
        if len(tokens) == level + 1:
            items[int(tokens[level])] = value
        else:
            items.setdefault(int(tokens[level]), {})[tokens[-1]] = value
    return [items[index] for index in sorted(items)]


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 4 and int(text) > 0


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _text(original: Json, text: str) -> str:
    """Browsers post every line end as CRLF; a text keeps the line ends it had, and a new one gets plain ones."""
    plain = _plain(text)
    if isinstance(original, str) and "\r\n" in original and "\n" not in original.replace("\r\n", ""):
        plain = plain.replace("\n", "\r\n")
    try:
        check_json(plain)
    except JsonTextError as error:
        raise FieldError(f"This text cannot be kept: {error.message}.") from None
    return plain
