"""Integrated ownership: the sum over all chains of the shares multiplied along each.

With A[i][j] the share of j that i holds directly, D = A + A·D, so D = (I - A)⁻¹A. This is the sum that Article 52 of
Regulation (EU) 2024/1624 (AMLR) asks for: multiply along a chain, add the chains. Bands make two such sums: D grows
with every entry of A, so all minima give the least and all maxima the most.

A company inside a circle counts its own return: its row of D is divided by 1 + D[i][i], which leaves the chains that
never come back to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import TypeAlias

from entities.ownership.components import components
from entities.ownership.shares import HUNDRED, Share, share_between
from entities.ownership.stakes import Stakes, tighten

DIGITS = 40
ELIMINATED = 60  # a larger circle is solved by iteration
SWEEPS, CLOSE = 2_000, Decimal("1e-26")
ONE, ZERO, ENDLESS = Decimal(1), Decimal(0), Decimal("Infinity")
Weights: TypeAlias = Mapping[str, Mapping[str, Decimal]]  # held, holder, share as a fraction


@dataclass(frozen=True)
class Holdings:
    """What everyone above the subject holds of it, directly and through chains, in percent.

    ``closed`` are parties in a circle that owns itself wholly, so that there is no sum. ``circles`` are the components
    of more than one party and the parties that hold shares of themselves.
    """

    shares: Mapping[str, Share]
    circles: tuple[tuple[str, ...], ...]
    closed: frozenset[str]

    def of(self, holder: str) -> Share:
        return self.shares.get(holder, Share(ZERO, ZERO))


def integrated_ownership(stakes: Stakes, subject: str) -> Holdings:
    """The holdings in one subject. The subject's own row is what it holds of itself."""
    holders = stakes.holders
    order = components(holders, subject)
    circles = [each for each in order if len(each) > 1 or each[0] in holders.get(each[0], ())]
    with localcontext() as context:
        context.prec = DIGITS
        low, high = (_solve(_ends(holders, end), order, subject, end) for end in ("low", "high"))
        low_open = _open_ends(holders, order, subject, low, "low")
        high_open = _open_ends(holders, order, subject, high, "high")
        closed = {node for node, value in low.items() if value == ENDLESS}
        shares = {
            node: share_between(
                ZERO if node in closed else low[node] * HUNDRED,
                HUNDRED if high[node] == ENDLESS else high[node] * HUNDRED,
                low_open[node],
                high_open[node] and high[node] <= ONE,
            )
            for each in order
            for node in each
        }
        if stakes.is_simple and not closed:
            # Those above whom nobody is known hold 100 percent at most together.
            shares |= tighten({node: share for node, share in shares.items() if not holders.get(node)})
    return Holdings(shares, tuple(tuple(sorted(each)) for each in circles), frozenset(closed))


def _ends(holders: Mapping[str, Mapping[str, Share]], end: str) -> Weights:
    return {
        held: {
            holder: getattr(share, end) / HUNDRED for holder, share in column.items() if getattr(share, end)
        }
        for held, column in holders.items()
    }


def _solve(weights: Weights, order: list[list[str]], subject: str, end: str) -> dict[str, Decimal]:
    """Fractions of the subject held by each; Infinity for a circle that leaves nothing to anyone else.

    Components come in the order of ``components``, so whatever a party holds outside its own has been solved before.
    """
    reached: dict[str, Decimal] = {subject: ONE}  # with the subject itself as a whole
    held: dict[str, Decimal] = {}
    for component in order:
        inside = set(component)
        if len(component) == 1 and component[0] not in weights.get(component[0], {}):
            own = {component[0]: ONE}
            sums = {component[0]: reached.get(component[0], ZERO)}
        else:
            given = {node: reached.get(node, ZERO) for node in component}
            if len(component) <= ELIMINATED:
                sums, own = _eliminate(weights, component, given)
            else:  # a company inside holds something between nothing and everything
                sums = _iterate(weights, component, given)
                own = dict.fromkeys(component, ENDLESS if end == "low" else CLOSE)
        for node in component:
            total = sums[node]
            itself = ONE if node == subject else ZERO
            held[node] = ENDLESS if total == ENDLESS else (total - itself) / (ONE if itself else own[node])
            for holder, share in weights.get(node, {}).items():
                if holder not in inside and total:
                    reached[holder] = reached.get(holder, ZERO) + share * total
    return held


def _eliminate(
    weights: Weights, nodes: list[str], given: Mapping[str, Decimal]
) -> tuple[dict[str, Decimal], dict[str, Decimal]]:
    """Solve y = given + A·y inside one component; and the diagonal of (I - A)⁻¹, which is 1 + D[i][i].

    I - A is an M-matrix: it has an inverse without negative entries if and only if all pivots are positive.
    """
    size, place = len(nodes), {node: number for number, node in enumerate(nodes)}
    rows = [[ZERO] * (2 * size + 1) for _ in nodes]
    for number, node in enumerate(nodes):
        rows[number][number] += ONE
        rows[number][size] = given[node]
        rows[number][size + 1 + number] = ONE
        for holder, share in weights.get(node, {}).items():
            if holder in place:
                rows[place[holder]][number] -= share
    for number in range(size):
        pivot = rows[number][number]
        if pivot <= CLOSE:
            return dict.fromkeys(nodes, ENDLESS), dict.fromkeys(nodes, ONE)
        rows[number] = [value / pivot if value else value for value in rows[number]]
        for other in range(size):
            factor = rows[other][number]
            if other != number and factor:
                rows[other] = [
                    mine - factor * theirs if theirs else mine
                    for mine, theirs in zip(rows[other], rows[number], strict=True)
                ]
    sums = {node: rows[number][size] for node, number in place.items()}
    return sums, {node: rows[number][size + 1 + number] for node, number in place.items()}


def _iterate(weights: Weights, nodes: list[str], given: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """Gauss-Seidel, for components of thousands of parties. From zero upwards, each sweep is a lower bound."""
    inside = set(nodes)
    holds: dict[str, list[tuple[str, Decimal]]] = {node: [] for node in nodes}
    for node in nodes:
        for holder, share in weights.get(node, {}).items():
            if holder in inside:
                holds[holder].append((node, share))
    sums = dict.fromkeys(nodes, ZERO)
    for _ in range(SWEEPS):
        moved = ZERO
        for node in nodes:
            new = given[node] + sum((share * sums[held] for held, share in holds[node]), ZERO)
            moved = max(moved, new - sums[node])
            sums[node] = new
        if moved < CLOSE:
            return sums
    return dict.fromkeys(nodes, ENDLESS)


def _open_ends(
    holders: Mapping[str, Mapping[str, Share]],
    order: list[list[str]],
    subject: str,
    values: Mapping[str, Decimal],
    end: str,
) -> dict[str, bool]:
    """Of which holdings the end does not belong to them: one factor of one product does not."""
    is_open = {node: False for component in order for node in component}
    for component in order:
        inside, moved = set(component), True
        while moved:
            moved = False
            for held in component:
                counts = held == subject or bool(values[held]) or (end == "low" and is_open[held])
                for holder, share in holders.get(held, {}).items():
                    mine = getattr(share, f"{end}_open") and counts
                    passed = is_open[held] and (bool(getattr(share, end)) or getattr(share, f"{end}_open"))
                    if (mine or passed) and not is_open[holder]:
                        is_open[holder] = True
                        moved = moved or holder in inside
    return is_open
