"""The owners above a subject as rows of a chart: an outline in which each holder stands below what it holds.

A party that several chains lead to stands once with its own owners, and again as a reference. A structure of any size
becomes at most MAX_ROWS rows: deep levels and small holders are gathered in one row that says how many they are.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from entities.ownership.assessment import Assessment
from entities.ownership.ends import End, EndReason
from entities.ownership.interests import Interest, InterestType, Party, PartyKind, Structure
from entities.ownership.shares import Answer, Share, add_shares

MAX_ROWS, OVERVIEW, HOLDERS = 400, 60, 12


class RowKind(StrEnum):
    """What a row stands for."""

    PARTY = "party"
    AGAIN = "again"
    GAP = "gap"
    MORE = "more"


@dataclass(slots=True)
class Row:
    """One line: a holder of the party in row ``below``, at a ``level`` above the subject.

    ``share`` is what it holds there directly, ``effective`` what of the subject that comes to. ``words`` says the rest:
    types of interests, dates, why a chain ends (``gap``). ``marked``: the row is on a way to an owner who counts.
    """

    kind: RowKind
    level: int
    below: int | None
    party: Party
    share: Share | None = None
    effective: Share | None = None
    words: tuple[str, ...] = ()
    answer: Answer | None = None
    marked: bool = False
    hidden: int = 0
    gap: EndReason | None = None


@dataclass
class Chart:
    """The rows from the subject upwards; ``left_out`` is the number of parties gathered in rows of kind MORE."""

    title: str
    rows: list[Row] = field(default_factory=list)
    left_out: int = 0


def make_chart(
    structure: Structure, found: Assessment, *, owner: str = "", whole: bool = False, people: bool = True
) -> Chart:
    """The chart of an assessment.

    The ways to all owners who reach the threshold, or may, are marked, or with ``owner`` the ways to that one. Without
    ``whole`` only as many levels are shown as fit into OVERVIEW rows, and the marked ways beyond them. Without
    ``people`` natural persons stand there without their names.
    """
    drawing = _Drawing(structure, found, owner, people)
    depth = drawing.levels if whole else drawing.levels_in(OVERVIEW)
    chart = Chart(f"Owners of {found.subject.name} on {found.as_of}")
    drawing.add(chart, depth)
    return chart


class _Drawing:
    """The parties above a subject by level, and what is to be told of each."""

    def __init__(self, structure: Structure, found: Assessment, owner: str, people: bool) -> None:
        self._structure, self._subject, self._people = structure, found.subject.id, people
        self._verdict = f"{found.answer}: {found.rule.words} on {found.as_of}, {found.rule.title}"
        self._answers = {each.party.id: each for each in found.owners}
        self._gaps: dict[str, End] = {
            end.party.id: end
            for end in found.ends
            if end.party.kind in (PartyKind.ENTITY, PartyKind.ARRANGEMENT)
        }
        self._holders = {
            held: _grouped(structure.held.get(held, ())) for held in structure.above(self._subject)
        }
        self._level = self._levels()
        wanted = {owner} if owner else {id for id, each in self._answers.items() if each.answer != "not met"}
        self._marked = self._on_the_way(wanted)

    @property
    def levels(self) -> int:
        return max(self._level.values())

    def levels_in(self, rows: int) -> int:
        """How many levels have so many parties at most, and at least one."""
        if len(self._level) <= rows:
            return self.levels
        counts = [0] * (self.levels + 1)
        for level in self._level.values():
            counts[level] += 1
        depth = 1
        while depth < self.levels and sum(min(count, HOLDERS * 4) for count in counts[: depth + 2]) <= rows:
            depth += 1
        return depth

    def add(self, chart: Chart, depth: int) -> None:
        """Write the rows, depth first, without recursion: a chain may be longer than Python's stack."""
        subject = self._structure.party(self._subject)
        first = Row(RowKind.PARTY, 0, None, subject, words=(self._verdict,), marked=True)
        stack: list[tuple[Row, str]] = [(first, self._subject)]
        shown: set[str] = set()
        while stack and len(chart.rows) < MAX_ROWS:
            row, id = stack.pop()
            if row.kind == RowKind.PARTY and id in shown:
                row.kind, row.words = RowKind.AGAIN, (*row.words, "its owners: see above")
            chart.rows.append(row)
            if row.kind == RowKind.PARTY:
                shown.add(id)
                stack += reversed(self._above(len(chart.rows) - 1, row, depth))
        if stack:
            rest = len({id for _, id in stack} - shown)
            full = ("the chart is full",)
            chart.rows.append(Row(RowKind.MORE, 1, 0, subject, words=full, hidden=rest))
        drawn = {row.party.id for row in chart.rows if row.kind in (RowKind.PARTY, RowKind.AGAIN)}
        chart.left_out = len(self._level.keys() - drawn)

    def _above(self, place: int, row: Row, depth: int) -> list[tuple[Row, str]]:
        """The rows of the holders of one row, the largest first, then its gap."""
        id, level = row.party.id if row.below is not None else self._subject, row.level + 1
        holders = sorted(self._holders.get(id, {}).items(), key=self._rank)
        shown = [
            (holder, interests)
            for number, (holder, interests) in enumerate(holders)
            if holder in self._marked
            or (self._level[holder] <= depth and (number < HOLDERS or depth >= self.levels))
        ]
        rows = [(self._row(holder, interests, level, place), holder) for holder, interests in shown]
        hidden = [interests for holder, interests in holders if holder not in {each for each, _ in shown}]
        if hidden:
            share = add_shares(each.amount for group in hidden for each in group if _is_capital(each))
            more = Row(RowKind.MORE, level, place, row.party, share=share, hidden=len(hidden))
            rows.append((more, ""))
        if id in self._gaps and holders and not hidden:
            end = self._gaps[id]
            told = (end.reason, end.words)
            gap = Row(RowKind.GAP, level, place, end.party, None, end.share, told, gap=end.reason)
            rows.append((gap, ""))
        return rows

    def _row(self, holder: str, interests: list[Interest], level: int, place: int) -> Row:
        party = self._structure.party(holder)
        if party.kind == PartyKind.PERSON and not self._people:
            party = Party(party.id, "a natural person", party.kind)
        answer = self._answers.get(holder)
        capital = [each for each in interests if _is_capital(each)]
        others = [each for each in interests if not _is_capital(each)]
        effective = next(iter(answer.shares.values()), None) if answer else None
        words = [_told(each) for each in others] + _dates(interests)
        if answer and answer.controls:
            words.append("controls it")
        gap = self._gaps[holder].reason if holder in self._gaps and not self._holders[holder] else None
        words += [gap] if gap else []
        return Row(
            kind=RowKind.PARTY,
            level=level,
            below=place,
            party=party,
            share=add_shares(each.amount for each in capital) if capital else None,
            effective=effective,
            words=tuple(dict.fromkeys(words)),
            answer=answer.answer if answer else None,
            marked=holder in self._marked,
            gap=gap,
        )

    def _rank(self, item: tuple[str, list[Interest]]) -> tuple[bool, object, str, str]:
        holder, interests = item
        share = add_shares(each.amount for each in interests if _is_capital(each))
        return holder not in self._marked, -share.high - share.low, self._structure.party(holder).name, holder

    def _levels(self) -> dict[str, int]:
        levels, queue = {self._subject: 0}, [self._subject]
        for held in queue:
            for holder in self._holders.get(held, {}):
                if holder not in levels:
                    levels[holder] = levels[held] + 1
                    queue.append(holder)
        return levels

    def _on_the_way(self, wanted: Iterable[str]) -> set[str]:
        """The parties on any chain from these down to the subject."""
        held_by: dict[str, list[str]] = {}
        for held, holders in self._holders.items():
            for holder in holders:
                held_by.setdefault(holder, []).append(held)
        found = {id for id in wanted if id in self._level}
        queue = list(found)
        for each in queue:
            for held in held_by.get(each, ()):
                if held not in found:
                    found.add(held)
                    queue.append(held)
        return found


def _grouped(interests: Iterable[Interest]) -> Mapping[str, list[Interest]]:
    grouped: dict[str, list[Interest]] = {}
    for interest in interests:
        grouped.setdefault(interest.holder, []).append(interest)
    return grouped


def _is_capital(interest: Interest) -> bool:
    return interest.type == InterestType.SHAREHOLDING and interest.way != "indirect"


def _told(interest: Interest) -> str:
    """ "votes 60 %", "appointment of board", "indirect shareholding 30 %"."""
    name = "".join(f" {char.lower()}" if char.isupper() else char for char in interest.type)
    way = "indirect " if interest.way == "indirect" else ""
    return f"{way}{name} {interest.share}" if interest.share else f"{way}{name}"


def _dates(interests: Iterable[Interest]) -> list[str]:
    since = sorted({each.since for each in interests if each.since})
    stated = sorted({each.stated_on for each in interests if each.stated_on})
    told = [f"since {since[0]}"] if since else []
    return told + ([f"stated {stated[-1]}"] if stated else [])
