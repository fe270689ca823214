"""The answer in a few lines for the head of a memo: identity, owners, register status.

The macros of the house have a selector each; of any other document the rule is: every part with a name is told by its
name, and every choice that the schema requires by its value.
"""

from collections.abc import Callable, Iterator, Mapping

from research.jsontext import Json, JsonObject
from research.memo.edits import text_of
from research.memo.labels import Labels
from research.review.rows import human_label
from research.review.shapes import Shape, shape_of

MAX_LINES = 8
MAX_NAMES = 5
MAX_TEXT = 300
Line = tuple[str, str]


def read_answer(schema_name: str, data: Json, schema: Json, labels: Labels) -> list[Line]:
    """``[(label, text)]``, empty if the document has no answer. Accepts any document."""
    if not isinstance(data, dict):
        return []
    select = _SELECTORS.get(schema_name)
    lines = list(select(data, labels)) if select else []
    return (lines or list(_generic(data, schema, labels)))[:MAX_LINES]


def _client(data: JsonObject, labels: Labels) -> Iterator[Line]:
    if head := named(data.get("apex_entity"), labels):
        yield labels("answer_head"), head
    if client := named(data.get("requested_entity"), labels):
        yield labels("answer_client"), client
    counts = [
        labels.count(f"answer_{key}", len(_objects(data.get(key))))
        for key in ("management_companies", "investment_managers", "funds")
        if _objects(data.get(key))
    ]
    if counts:
        yield labels("answer_group"), ", ".join(counts)


def _owners(data: JsonObject, labels: Labels) -> Iterator[Line]:
    if entity := named(data.get("entity"), labels):
        yield labels("answer_entity"), entity
    summary = data.get("investigation_summary")
    if word := _word(summary, "ubo_determination_status", labels):
        yield labels("answer_status"), word
    found = [_owner(each) for each in _objects(data.get("potential_ubos"))]
    yield labels("answer_owners"), _listed(list(filter(None, found)), labels) or labels("answer_no_owners")
    chain = [_link(each, labels) for each in _objects(data.get("ownership_chain"))]
    if links := list(filter(None, chain)):
        yield labels("answer_chain"), _listed(links, labels)


def _regulatory(data: JsonObject, labels: Labels) -> Iterator[Line]:
    if entity := named(data.get("entity"), labels):
        yield labels("answer_entity"), entity
    found = _objects(data.get("regulatory_registrations"))
    states = [": ".join(filter(None, (_text(each, "regulator"), _text(each, "status")))) for each in found]
    if told := _listed(list(dict.fromkeys(filter(None, states))), labels):
        yield labels("answer_registrations"), told
    for key in ("risk_level", "recommendation"):
        if word := _word(data.get("overall_risk_assessment"), key, labels):
            yield labels(f"answer_{key}"), word


def _researched(data: JsonObject, labels: Labels) -> Iterator[Line]:
    """The statement about each entity, under its name or identifier."""
    for entry in _objects(data.get("entities")):
        findings = entry.get("findings")
        name = _text(_object(findings, "metadata"), "name") or _text(entry, "identifier")
        told = _text(findings, "summary") or _word(entry, "status", labels)
        if name and told:
            yield name, told


def _generic(data: JsonObject, schema: Json, labels: Labels) -> Iterator[Line]:
    shape = shape_of(schema, schema)
    parts = [("", data, shape), *_members(data, shape, schema)]
    for label, part, _ in parts:
        if told := named(part, labels):
            yield labels.field(label) if label else labels("answer_entity"), told
    for _, part, inner in parts:
        yield from _choices(part, inner, schema, labels)


def _members(data: JsonObject, shape: Shape, schema: Json) -> Iterator[tuple[str, Json, Shape]]:
    for key in [
        *(key for key in shape.properties if key in data),
        *sorted(data.keys() - shape.properties.keys()),
    ]:
        inner = shape_of(shape.member(key), schema)
        if isinstance(data[key], dict):
            yield inner.title or human_label(key), data[key], inner


def _choices(part: Json, shape: Shape, schema: Json, labels: Labels) -> Iterator[Line]:
    """Values that the researcher chose from a list: a rating, a status, a recommendation."""
    if not isinstance(part, dict):
        return
    for key in (key for key in shape.properties if key in shape.required):
        inner, value = shape_of(shape.member(key), schema), part.get(key)
        if inner.choices and isinstance(value, str) and value:
            yield labels.field(inner.title or human_label(key)), human_label(value)


def named(part: Json, labels: Labels) -> str:
    """``Allianz SE (LEI 529900K9B0N5BT694847, DE)``. Empty without a name."""
    name = _text(part, "name") or _text(part, "legal_name")
    if not name:
        return ""
    lei = _text(part, "lei")
    place = _text(part, "jurisdiction")
    more = [f"LEI {lei}" if lei else labels("answer_no_lei"), place if place != "ZZ" else ""]
    return f"{name} ({', '.join(filter(None, more))})"


def _owner(owner: JsonObject) -> str:
    name = _text(owner, "name")
    share = owner.get("ownership_percentage")
    known = isinstance(share, int | float) and not isinstance(share, bool)
    return f"{name} ({text_of(share)} %)" if name and known else name


def _link(link: JsonObject, labels: Labels) -> str:
    owner, owned = _text(link, "owner_name"), _text(link, "owned_entity")
    return labels("answer_owns").format(owner=owner, owned=owned) if owner and owned else ""


def _word(part: Json, key: str, labels: Labels) -> str:
    """A known value in the language of the memo; others unchanged."""
    value = _text(part, key)
    return labels.get(f"answer_{key}_{value}", human_label(value)) if value else ""


def _text(part: Json, key: str) -> str:
    value = part.get(key) if isinstance(part, dict) else None
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"


def _object(part: Json, key: str) -> Json:
    return part.get(key) if isinstance(part, dict) else None


def _objects(value: Json) -> list[JsonObject]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _listed(texts: list[str], labels: Labels) -> str:
    more = len(texts) - MAX_NAMES
    shown = "; ".join(texts[:MAX_NAMES])
    return f"{shown} {labels.count('more', more)}" if more > 0 else shown


_SELECTORS: Mapping[str, Callable[[JsonObject, Labels], Iterator[Line]]] = {
    "client-discovery-result": _client,
    "ubo-investigation-result": _owners,
    "regulatory-check-result": _regulatory,
    "entity-research-result": _researched,
}
