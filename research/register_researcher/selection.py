"""Select the record that is meant. Refuse to guess: a person decides between equal candidates."""

from collections.abc import Sequence
from dataclasses import dataclass

from entities import lei as iso17442
from entities.gleif.jurisdictions import fits, jurisdiction_code
from entities.gleif.ranking import GOOD_SCORE
from research.jsontext import JsonObject
from research.llm.interface import Task
from research.register_researcher.playbook import Notes, Refusal, Steps, ask, must_ask, quoted

DEAD_REGISTRATIONS = frozenset({"RETIRED", "DUPLICATE", "ANNULLED", "MERGED", "CANCELLED", "TRANSFERRED"})
MAX_CHAIN = 10
SEARCH_LIMIT = 50
NEAREST = 5
SURE_SCORE = 100.0
AS_GOOD = 5.0  # a live entity of another name must not replace an ended one of exactly this name


@dataclass(frozen=True)
class Found:
    """The entity that was found: its full record, and the first record if that had a successor.

    ``sure`` is whether the name asked for is one of its present names.
    """

    record: JsonObject
    first: JsonObject
    sure: bool

    @property
    def lei(self) -> str:
        return str(self.record["lei"])

    @property
    def name(self) -> str:
        return name_of(self.record)


def find_named_entity(notes: Notes, task: Task) -> Steps[Found]:
    """The entity that ``entity_name``, ``entity_lei`` and ``jurisdiction`` mean. Raises as ``find_entity``."""
    name, lei, place = (
        str(task.params.get(key) or "") for key in ("entity_name", "entity_lei", "jurisdiction")
    )
    return (yield from find_entity(notes, task, name, lei=lei, place=place))


def find_entity(
    notes: Notes, task: Task, name: str, *, lei: str = "", place: str = "", strict: bool = True
) -> Steps[Found]:
    """Find by LEI (given, or in place of the name, or in a reviewer's feedback), else by name.

    ``place`` is the jurisdiction; when it is not ``strict`` it is a hint, and the register may know better.

    Raises:
        Refusal: not_found (with ``nearest``), ambiguous (with ``candidates``), invalid_input, register_unavailable.
    """
    given = lei or _lei_in(name) or _lei_of_feedback(notes, task)
    if given:
        record = yield from _by_lei(notes, given, name)
        sure = _compare_name(notes, record, name)
    else:
        candidate, fits_place = yield from _search(notes, name, place, strict)
        record = yield from must_ask(notes, "lei_record", lei=candidate["lei"])
        sure = _note_match(notes, name, candidate) and fits_place
    current = yield from _follow(notes, record)
    return Found(current, record, sure)


def is_live(record: JsonObject) -> bool:
    """Whether neither entity nor LEI registration has ended. A lapsed registration counts as live."""
    return (
        record.get("entity_status") != "INACTIVE"
        and record.get("registration_status") not in DEAD_REGISTRATIONS
    )


def choose(query: str, candidates: Sequence[JsonObject], wanted: str = "") -> JsonObject | None:
    """The best candidate. Ties are resolved by live before ended, then score, then legal name.

    Raises:
        Refusal: ambiguous, if two live candidates are equally good.
    """
    good = [c for c in candidates if c["score"] >= GOOD_SCORE and (not wanted or fits(_place(c), wanted))]
    if not good:
        return None
    top = max(candidate["score"] for candidate in good)
    good = [candidate for candidate in good if candidate["score"] >= top - AS_GOOD]
    ranked = sorted(good, key=lambda candidate: _rank(query, candidate), reverse=True)
    best = ranked[0]
    equals = [c for c in ranked if is_live(c) and _rank(query, c) == _rank(query, best)]
    if len(equals) > 1:
        raise _ambiguous(query, equals)
    return best


def name_of(record: JsonObject) -> str:
    return str(record.get("name") or record["lei"])


def described(record: JsonObject) -> str:
    """ "Allianz SE (529900K9B0N5BT694847, DE)"."""
    return f"{quoted(name_of(record))} ({record['lei']}, {_place(record) or 'jurisdiction unknown'})"


def status_of(record: JsonObject) -> str:
    """ "entity ACTIVE, LEI registration ISSUED", as the register states it."""
    entity, registration = record.get("entity_status"), record.get("registration_status")
    return f"entity {entity or 'status not stated'}, LEI registration {registration or 'status not stated'}"


def _by_lei(notes: Notes, lei: str, name: str) -> Steps[JsonObject]:
    """The record of an LEI. If there is none, the refusal lists names that may be meant."""
    try:
        return (yield from must_ask(notes, "lei_record", lei=lei))
    except Refusal as refusal:
        if refusal.detail["code"] not in ("not_found", "invalid_input"):
            raise
        said = refusal
    answer = None if _lei_in(name) else (yield from ask(notes, "lei_search", name=name, limit=SEARCH_LIMIT))
    near = [*(answer or {}).get("candidates", []), *(answer or {}).get("nearest", [])]
    meant = [{"score": 100.0, **record} for record in said.detail.get("meant", [])]
    raise _not_found(lei, "", [*meant, *near], f" ({said.message.rstrip('.')})")


def _search(notes: Notes, name: str, place: str, strict: bool) -> Steps[tuple[JsonObject, bool]]:
    """The selected candidate, and whether its place is the expected one."""
    wanted = jurisdiction_code(place)
    if place.strip() and not wanted:
        notes.gaps.append(
            f"The jurisdiction “{quoted(place)}” is not one that is understood; it was not used."
        )
    answer = yield from must_ask(notes, "lei_search", name=name, limit=SEARCH_LIMIT)
    candidates: list[JsonObject] = answer.get("candidates") or []
    chosen = choose(name, candidates, wanted)
    if chosen is None and wanted:  # for a frequent name the first page may hold only other countries
        again = yield from ask(notes, "lei_search", name=name, jurisdiction=wanted, limit=SEARCH_LIMIT)
        chosen = choose(name, (again or {}).get("candidates") or [], wanted)
    if chosen is None and not strict:
        chosen = choose(name, candidates)
    if chosen is None:
        raise _not_found(name, wanted, [*candidates, *(answer.get("nearest") or [])])
    _note_twins(notes, chosen, candidates)
    return chosen, _note_place(notes, chosen, wanted)


def _note_place(notes: Notes, chosen: JsonObject, wanted: str) -> bool:
    if not wanted or fits(_place(chosen), wanted):
        return True
    notes.findings.append(
        f"No entity of that name is on record in {wanted}; {described(chosen)} was taken instead."
    )
    notes.verifications.append(f"Confirm that {described(chosen)} is the company that is meant.")
    return False


def _rank(query: str, candidate: JsonObject) -> tuple[bool, float, bool, bool, bool]:
    matched = candidate.get("matched_name") or {}
    return (
        is_live(candidate),
        candidate["score"],
        _folded(name_of(candidate)) == _folded(query),
        matched.get("type") == "LEGAL_NAME",
        candidate.get("category") not in ("FUND", "BRANCH"),
    )


def _note_match(notes: Notes, name: str, candidate: JsonObject) -> bool:
    """Whether a current name equals the one asked for, ignoring case, accents and an omitted legal form."""
    matched = candidate.get("matched_name") or {}
    if matched.get("type") == "PREVIOUS_LEGAL_NAME":
        told = f"is a previous name ({quoted(matched.get('name'))}) of {described(candidate)}"
    elif candidate["score"] < SURE_SCORE:
        how = candidate.get("explanation") or f"score {candidate['score']:g} of 100"
        told = f"was taken to mean {described(candidate)}: {quoted(how)}"
    else:
        return True
    notes.findings.append(f"“{quoted(name)}” {told}.")
    notes.verifications.append(f"Confirm that {described(candidate)} is the company that is meant.")
    return False


def _note_twins(notes: Notes, chosen: JsonObject, candidates: Sequence[JsonObject]) -> None:
    """Report an ended record of the same name, so that it is not approved by mistake."""
    for twin in candidates:
        if (
            twin["lei"] != chosen["lei"]
            and not is_live(twin)
            and _folded(name_of(twin)) == _folded(name_of(chosen))
        ):
            heirs = ", ".join(
                heir.get("lei") or quoted(heir.get("name")) for heir in twin.get("successors") or []
            )
            notes.findings.append(
                f"Another record has the same name but has ended: {described(twin)}, {status_of(twin)}"
                f"{f', successor {heirs}' if heirs else ''}. It was not used."
            )


def _follow(notes: Notes, record: JsonObject) -> Steps[JsonObject]:
    """Follow successors from an ended record, as far as the register gives their LEIs."""
    seen = [record["lei"]]
    while not is_live(record):
        heirs = [heir["lei"] for heir in record.get("successors") or [] if heir.get("lei")]
        heir = None
        if len(heirs) == 1 and heirs[0] not in seen and len(seen) <= MAX_CHAIN:
            heir = yield from ask(notes, "lei_record", lei=heirs[0])
        if heir is None:
            _note_end(notes, record, looped=bool(set(heirs) & set(seen)))
            return record
        notes.findings.append(
            f"{described(record)} has ended ({status_of(record)}); its successor {described(heir)} was used."
        )
        notes.verifications.append(f"Replace {record['lei']} by {heir['lei']} wherever it is still in use.")
        seen.append(heir["lei"])
        record = heir
    return record


def _note_end(notes: Notes, record: JsonObject, *, looped: bool) -> None:
    successors = record.get("successors") or []
    names = ", ".join(quoted(heir.get("lei") or heir.get("name")) for heir in successors)
    if looped:
        tail = "the register's successors go in a circle"
    elif names:
        tail = f"no record of a single successor could be read (successors on record: {names})"
    else:
        tail = "the register names no successor"
    notes.gaps.append(f"{described(record)} has ended: {status_of(record)}; {tail}.")


def _compare_name(notes: Notes, record: JsonObject, name: str) -> bool:
    """A valid LEI may belong to another entity: report it if the name asked for is not among its names."""
    names = [name_of(record), *(variant.get("name", "") for variant in record.get("names") or [])]
    asked = _folded(name)
    if (
        _lei_in(name)
        or not asked
        or any(asked in _folded(known) or _folded(known) in asked for known in names)
    ):
        return True
    notes.findings.append(f"The LEI {record['lei']} belongs to {described(record)}, not to “{quoted(name)}”.")
    notes.verifications.append(f"Confirm that {described(record)} is the company that is meant.")
    return False


def _lei_in(name: str) -> str:
    """The name if it looks like an LEI. The tool validates it."""
    text = iso17442.normalise(name)
    return text if [lei for _, _, lei in iso17442.find_candidates(text)] == [text] else ""


def _lei_of_feedback(notes: Notes, task: Task) -> str:
    """The LEI in a reviewer's feedback, if it names exactly one."""
    named = {lei for _, _, lei in iso17442.find_candidates(task.feedback) if iso17442.is_valid(lei)}
    if len(named) != 1:
        return ""
    lei = named.pop()
    notes.findings.append(f"The entity {lei} was taken from the reviewer's comment.")
    return lei


def _ambiguous(query: str, equals: Sequence[JsonObject]) -> Refusal:
    shown = "; ".join(described(candidate) for candidate in equals[:NEAREST])
    brief = [{key: c.get(key, "") for key in ("lei", "name", "jurisdiction")} for c in equals[:20]]
    message = (
        f"“{quoted(query)}” may be any of {len(equals)} live entities: {shown}. "
        "Name the jurisdiction, or give the LEI."
    )
    return Refusal("ambiguous", message, candidates=brief)


def _not_found(query: str, wanted: str, candidates: Sequence[JsonObject], why: str = "") -> Refusal:
    unique = {candidate["lei"]: candidate for candidate in candidates}
    nearest = sorted(unique.values(), key=lambda candidate: -candidate["score"])[:NEAREST]
    keys = ("lei", "name", "jurisdiction", "entity_status", "score")
    brief = [{key: candidate.get(key, "") for key in keys} for candidate in nearest]
    where = f" in {wanted}" if wanted else ""
    message = f"“{quoted(query)}” was not found in the LEI register{where}{why}."
    if nearest:
        message += f" Nearest: {'; '.join(map(described, nearest))}."
    return Refusal("not_found", message, nearest=brief)


def _place(record: JsonObject) -> str:
    return str(record.get("jurisdiction") or "")


def _folded(text: str) -> str:
    return " ".join("".join(char if char.isalnum() else " " for char in text.casefold()).split())
