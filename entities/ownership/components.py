"""Strongly connected components: the parties that hold each other in a circle."""

from collections.abc import Iterable, Mapping


def components(holders: Mapping[str, Iterable[str]], start: str) -> list[list[str]]:
    """The components that are reached from ``start`` along ``holders``, each before those that hold it.

    Tarjan's algorithm (1972) without recursion, since a chain may be longer than Python's stack.
    """
    number, lowest = {start: 0}, {start: 0}
    open_nodes, is_open = [start], {start}
    found: list[list[str]] = []
    work = [(start, iter(holders.get(start, ())))]
    while work:
        node, above = work[-1]
        for holder in above:
            if holder not in number:
                number[holder] = lowest[holder] = len(number)
                open_nodes.append(holder)
                is_open.add(holder)
                work.append((holder, iter(holders.get(holder, ()))))
                break
            if holder in is_open:
                lowest[node] = min(lowest[node], number[holder])
        else:
            work.pop()
            if work:
                below = work[-1][0]
                lowest[below] = min(lowest[below], lowest[node])
            if lowest[node] == number[node]:
                component = [open_nodes.pop()]
                while component[-1] != node:
                    component.append(open_nodes.pop())
                is_open.difference_update(component)
                found.append(component)
    return found[::-1]
