"""What a person has in front of them on the review page: the document, its rows, and the edits so far."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from research.admin.gate.changes import labels_of
from research.errors import InvalidEdit
from research.jsontext import Json, JsonObject, JsonTextError, parse_json
from research.models import ResearchResult
from research.review.forms import (
    ADD,
    LEAF,
    REMOVE,
    SHOWN,
    blanks_from_form,
    edits_from_text,
    is_edited,
    places_after,
    read_form,
    removed_items,
)
from research.review.patch import Patch, apply_patch, make_patch
from research.review.pointer import is_inside
from research.review.rows import Row, leaf_rows

FIELDS, RAW = "fields", "raw"
OWN = ("reason", "reject_reason", "feedback")  # what is typed beside the document


@dataclass
class Submission:
    """One state of the form: ``document`` is what the rows show.

    ``base`` are edits that the fields cannot show, made as raw JSON: the rows are those of the document with the base
    applied. ``edits`` lead from the result's own data to all that the person wants; ``errors`` say per pointer what
    cannot be understood.
    """

    result: ResearchResult
    schema: JsonObject
    document: Json = None
    post: Mapping[str, str] = field(default_factory=dict)
    tab: str = FIELDS
    base: Patch = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    edits: Patch = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)
    raw: str = ""
    places: dict[str, str] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)

    def text(self, row: Row) -> str:
        """What the field of a row holds now; of a list, how many blank items it offers."""
        prefix = ADD if row.kind == "list" else LEAF
        return self.post.get(prefix + row.pointer, row.shown)

    def edited(self, row: Row) -> bool:
        return row.kind == "leaf" and row.widget != "fixed" and is_edited(row, self.post)

    def is_removed(self, row: Row) -> bool:
        return any(is_inside(row.pointer, item) for item in self.removed)

    @cached_property
    def labels(self) -> dict[str, str]:
        """What the schema calls the places of the document."""
        return labels_of(self.rows)

    @cached_property
    def data(self) -> Json:
        """The document with every edit that could be understood."""
        return apply_patch(self.result.data, self.edits)


def typed(submission: Submission) -> dict[str, str]:
    """The fields that hold something of the person's own: what has to be kept to have the form as it is again."""
    post = submission.post
    own = {name: post[name] for name in OWN if post.get(name)}
    if submission.tab == RAW:
        changed = submission.raw != pretty_json(submission.result.data)
        return {**own, "tab": RAW, "raw": submission.raw} if changed else own
    if submission.base:
        own["base"] = json.dumps(submission.base)
    for row in submission.rows:
        names = [LEAF + row.pointer, SHOWN + row.pointer] if submission.edited(row) else []
        names += [REMOVE + row.pointer] if row.removable else []
        names += [ADD + row.pointer] if row.growable and submission.text(row) not in ("", "0") else []
        own |= {name: post[name] for name in names if name in post}
    return own


def untouched(result: ResearchResult, schema: JsonObject, approved: Json = None) -> Submission:
    """The form as it is when the page is opened; ``approved`` is the data of a decision, edits included."""
    document = result.data if approved is None else approved
    rows = leaf_rows(document, schema)
    return Submission(
        result, schema, document=document, rows=rows, places={row.pointer: row.pointer for row in rows}
    )


def read_submission(result: ResearchResult, schema: JsonObject, posted: Mapping[str, str]) -> Submission:
    """Read a posted form; whatever is wrong with it ends up in ``errors``."""
    post = _with_buttons(posted)
    action = post.get("action", "")
    if post.get("tab") == RAW:
        return _from_raw(result, schema, post, to_fields=action == "to-fields")
    submission = _from_fields(result, schema, post)
    if action == "to-raw":
        submission.tab, submission.raw = RAW, pretty_json(submission.data)
    return submission


def pretty_json(value: Json) -> str:
    """JSON for a person to edit; numbers keep their text."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def _with_buttons(posted: Mapping[str, str]) -> dict[str, str]:
    """Buttons that change the form itself: one more blank item, a suggested LEI, one field back, all edits gone."""
    post = dict(posted)
    if "more" in post:
        count = post.get(ADD + post["more"], "0")
        post[ADD + post["more"]] = str(int(count) + 1) if count.isascii() and count.isdigit() else "1"
    if "revert" in post:
        post.pop(LEAF + post["revert"], None)
        post.pop(SHOWN + post["revert"], None)
    if "use" in post:
        pointer, _, lei = post["use"].rpartition(" ")
        post[LEAF + pointer] = lei
    return {} if "discard" in post else post


def _from_raw(
    result: ResearchResult, schema: JsonObject, post: dict[str, str], *, to_fields: bool
) -> Submission:
    text = post.get("raw", "")
    try:
        edits = edits_from_text(text, result.data)
    except InvalidEdit as refusal:
        return Submission(result, schema, post=post, tab=RAW, raw=text, errors=refusal.errors)
    if to_fields:
        seen = {name: post[name] for name in ("saw",) if name in post}
        return _from_fields(result, schema, {**seen, "base": json.dumps(edits)})
    edited = apply_patch(result.data, edits)
    rows = leaf_rows(edited, schema)
    places = {row.pointer: row.pointer for row in rows}
    return Submission(result, schema, edited, post, RAW, raw=text, edits=edits, rows=rows, places=places)


def _from_fields(result: ResearchResult, schema: JsonObject, post: dict[str, str]) -> Submission:
    base, document, errors = _base(result, post)
    offered = leaf_rows(document, schema)
    blanks = blanks_from_form(offered, post)
    rows = leaf_rows(document, schema, blanks) if blanks else offered
    form = read_form(rows, post)
    edits = make_patch(result.data, apply_patch(document, form.edits)) if base else form.edits
    return Submission(
        result,
        schema,
        document,
        post,
        base=base,
        rows=rows,
        edits=edits,
        errors={**errors, **form.errors},
        places=places_after(rows, post),
        removed=removed_items(rows, post),
    )


def _base(result: ResearchResult, post: Mapping[str, str]) -> tuple[Patch, Json, dict[str, str]]:
    """The edits that came from the raw JSON, and the document they make."""
    try:
        base = parse_json(post.get("base") or "[]")
        return base, apply_patch(result.data, base), {}
    except JsonTextError as error:
        return [], result.data, {"": f"The edits made as raw JSON cannot be read: {error}."}
    except InvalidEdit as refusal:
        return [], result.data, {"": f"The edits made as raw JSON do not apply: {refusal.message}."}
