"""What a browser would post for a page of rows, as far as the HTML standard changes texts on the way."""

from research.review.forms import LEAF, SHOWN


def posted(rows, **typed):
    """The form of these rows with nothing touched; ``typed`` maps pointers to what a person typed instead."""
    form = {}
    for row in rows:
        if row.kind == "leaf" and row.widget != "fixed":
            form[SHOWN + row.pointer] = _on_the_way(row.shown)
            form[LEAF + row.pointer] = _field(row)
    form.update({LEAF + pointer: _on_the_way(text) for pointer, text in typed.items()})
    return form


def _field(row):
    if row.widget == "choice":
        texts = [choice.text for choice in row.choices]
        return row.shown if row.shown in texts else texts[0]
    text = _parsed(row.shown)
    return text.replace("\n", "") if row.widget == "line" else text.replace("\n", "\r\n")


def _parsed(text):
    """The HTML parser makes one line feed of every line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _on_the_way(text):
    """Every line end is posted as CRLF."""
    return _parsed(text).replace("\n", "\r\n")
