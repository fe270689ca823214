"""Check that the ownership a document states can be: shares that add up, no circle, nobody who owns itself.

A statement of ownership is an object that names an owner and what is owned: ``owner_name`` or ``owner`` beside
``owned_entity``, ``owned_name`` or ``owned``, with ``percentage`` and ``relationship_type``. A band stands in
``more_than`` or ``at_least`` and ``less_than`` or ``at_most``, a type of BODS 0.4 in ``interest``, days in ``since``
and ``until``. Names that differ only in case and spaces are one party. Two statements of one owner and one company are
not added: they must agree.
"""

from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import TypeAlias

from entities.memory import RefusedWrite, read_day
from entities.ownership.findings import Finding, find_faults
from entities.ownership.interests import Interest, InterestType, Party, PartyKind, Structure, Way
from entities.ownership.shares import BAND, BadShare, Share, decimal_of, share_of_ends
from research.checks.verdict import Verdict, bounded, clipped, pointer
from research.jsontext import Json, JsonObject

MAX_STATEMENTS = 5_000
OWNER, OWNED = ("owner_name", "owner"), ("owned_entity", "owned_name", "owned")
TYPES = {
    "voting_rights": InterestType.VOTING_RIGHTS,
    "board_control": InterestType.APPOINTMENT_OF_BOARD,
    "trust_beneficiary": InterestType.BENEFICIARY,
    "trust_settlor": InterestType.SETTLOR,
    "other_control": InterestType.OTHER_INFLUENCE,
}

INTERESTS = frozenset(each.value for each in InterestType)
_Path: TypeAlias = tuple[str | int, ...]


def check_ownership(data: Json, *, today: date) -> list[Verdict]:
    """Verdicts on all stated ownership, each at every percentage it is about; one ``pass`` if nothing is wrong.

    At most MAX_STATEMENTS are read; one ``unknown`` says so when there are more. None for data without owners.
    """
    found = list(islice(_statements(data), MAX_STATEMENTS + 1))
    if not found:
        return []
    structure, verdicts = _read(found[:MAX_STATEMENTS], today)
    verdicts += [each for fault in _faults(structure) for each in _at_each_place(fault)]
    if len(found) > MAX_STATEMENTS:
        text = f"There are more than {MAX_STATEMENTS} statements of ownership; the rest was not checked."
        verdicts.append(_verdict("too-many", "", "", "unknown", text))
    owned = len({each.held for each in structure.interests})
    text = f"The shares stated of {owned} {'party' if owned == 1 else 'parties'} can be as they are stated."
    return verdicts or [_verdict("shares", "", "", "pass", text)]


def stated_structure(data: Json, *, today: date) -> Structure:
    """The ownership that a document states, on a day: at most MAX_STATEMENTS, without shares that cannot be."""
    return _read(list(islice(_statements(data), MAX_STATEMENTS)), today)[0]


def _read(found: list[tuple[_Path, JsonObject]], today: date) -> tuple[Structure, list[Verdict]]:
    """The structure, and a verdict on each share that cannot be."""
    verdicts: list[Verdict] = []
    interests: list[Interest] = []
    parties: dict[str, Party] = {}
    for number, (path, row) in enumerate(found, 1):
        try:
            share = _share(row)
        except BadShare as error:
            stated = next((name for name in ("percentage", *BAND) if row.get(name) is not None), "")
            verdicts.append(_verdict("share", pointer([*path, stated]), "", "fail", str(error)))
            continue
        holder, held = (_party(row, names, parties) for names in (OWNER, OWNED))
        kind = str(row.get("relationship_type") or "direct_ownership")
        way: Way = "indirect" if kind == "indirect_ownership" else "direct"
        named = row.get("interest")
        type = InterestType(named) if named in INTERESTS else TYPES.get(kind, InterestType.SHAREHOLDING)
        place = pointer([*path, "percentage"] if "percentage" in row else path)
        source = f"statement {number}"
        (since, exactly), (until, _) = (_day(row.get(name)) for name in ("since", "until"))
        interests.append(
            Interest(
                *(holder, held, type, share, way, since, until),
                source=source,
                id=place,
                start_precision=exactly,
            )
        )
    return Structure(parties, tuple(interests), today), verdicts


def stated_parties(data: Json) -> Iterator[tuple[str, str, bool]]:
    """Where an owner or a company is named, its name, and whether it is a person; each name once."""
    seen: set[str] = set()
    for path, row in islice(_statements(data), MAX_STATEMENTS):
        for names in (OWNER, OWNED):
            key = next(key for key in names if isinstance(each := row.get(key), str) and each.strip())
            name = " ".join(row[key].split())
            if name.casefold() not in seen:
                seen.add(name.casefold())
                person = names == OWNER and _is_person(row)
                yield pointer([*path, key]), name, person


def _is_person(row: JsonObject) -> bool:
    return row.get("is_natural_person") is True or row.get("owner_type") in ("natural_person", "person")


def states_ownership(data: Json) -> bool:
    """Whether the document names an owner of anything."""
    return next(_statements(data), None) is not None


def _statements(data: Json) -> Iterator[tuple[_Path, JsonObject]]:
    stack: list[tuple[_Path, Json]] = [((), data)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict):
            if _name(value, OWNER) and _name(value, OWNED):
                yield path, value
            stack.extend(((*path, key), child) for key, child in reversed(value.items()))
        elif isinstance(value, list):
            stack.extend(((*path, place), value[place]) for place in reversed(range(len(value))))


def _name(row: JsonObject, names: tuple[str, ...]) -> str:
    return next((each for name in names if isinstance(each := row.get(name), str) and each.strip()), "")


def _party(row: JsonObject, names: tuple[str, ...], parties: dict[str, Party]) -> str:
    name = " ".join(_name(row, names).split())
    person = names == OWNER and _is_person(row)
    kind = PartyKind.PERSON if person else PartyKind.ENTITY
    if name.casefold() not in parties or person:
        parties[name.casefold()] = Party(name.casefold(), clipped(name), kind)
    return name.casefold()


def _share(row: JsonObject) -> Share | None:
    stated = row.get("percentage")
    if stated is None or stated == "":
        ends = {name: decimal_of(row[name]) for name in BAND if row.get(name) is not None}
        return share_of_ends(ends) if ends else None
    return Share.exactly(stated.strip().removesuffix("%") if isinstance(stated, str) else str(stated))


def _day(stated: Json) -> tuple[date | None, str]:
    """The first day of what is stated, and how exactly. None for what is no day: schema and verb refuse that."""
    try:
        return read_day(stated) if isinstance(stated, str) and stated else (None, "")
    except RefusedWrite:
        return None, ""


def _faults(structure: Structure) -> list[Finding]:
    """The faults above every party that is owned, each once."""
    found: dict[Finding, None] = {}
    seen: set[str] = set()
    holders = {each.holder for each in structure.interests}
    for subject in sorted(structure.held, key=lambda held: (held in holders, held)):
        if subject not in seen:
            seen |= set(structure.above(subject))
            found |= dict.fromkeys(find_faults(structure, subject))
    return list(found)


def _at_each_place(fault: Finding) -> list[Verdict]:
    subject = clipped(", ".join(fault.parties[:1]))
    places = fault.interests or ("",)
    evidence: JsonObject = {"places": list(fault.interests[:20])}
    return [_verdict(fault.code, place, subject, fault.gravity, fault.message, evidence) for place in places]


def _verdict(
    code: str, place: str, subject: str, word: str, message: str, evidence: JsonObject | None = None
) -> Verdict:
    return Verdict("ownership", code, place, subject, word, bounded(message), evidence or {})
