"""The Merkle tree of a log (RFC 6962, section 2; proofs as in RFC 9162, section 2.1). Values in, values out.

A tree over n entries is split at the largest power of two below n. Whoever holds the root over n entries can be shown
that an entry is among them (inclusion), or that they are the first n of a longer log (consistency), by a few hashes.
"""

import hashlib
from collections.abc import Sequence

EMPTY = hashlib.sha256().digest()


def leaf_hash(entry: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class Frontier:
    """A log as far as appending needs it: the roots of its complete subtrees, the largest first."""

    def __init__(self, size: int = 0, roots: Sequence[bytes] = ()) -> None:
        if len(roots) != size.bit_count():
            raise ValueError(
                f"a log of {size} entries has {size.bit_count()} complete subtrees, not {len(roots)}"
            )
        self.size, self.roots = size, list(roots)

    def append(self, leaf: bytes) -> None:
        self.roots.append(leaf)
        self.size += 1
        rest = self.size
        while rest % 2 == 0:
            right, left = self.roots.pop(), self.roots.pop()
            self.roots.append(node_hash(left, right))
            rest //= 2

    def root(self) -> bytes:
        if not self.roots:
            return EMPTY
        *larger, root = self.roots
        for left in reversed(larger):
            root = node_hash(left, root)
        return root


class Tree:
    """The tree over the leaves that follow a frontier, for proofs about them."""

    def __init__(self, leaves: Sequence[bytes], before: Frontier | None = None) -> None:
        before = before or Frontier()
        self.size = before.size + len(leaves)
        self._known = {(before.size + n, before.size + n + 1): leaf for n, leaf in enumerate(leaves)}
        start = 0
        for bit, root in zip(_bits(before.size), before.roots, strict=True):
            self._known[start, start + bit] = root
            start += bit

    def root(self, start: int = 0, end: int | None = None) -> bytes:
        """The root over the entries from ``start`` to before ``end``. KeyError for what only the frontier holds."""
        end = self.size if end is None else end
        if start == end:
            return EMPTY
        if (start, end) not in self._known:
            if end - start == 1:
                raise KeyError(f"entry {start} lies before the frontier")
            middle = start + _split(end - start)
            self._known[start, end] = node_hash(self.root(start, middle), self.root(middle, end))
        return self._known[start, end]

    def inclusion(self, index: int) -> list[bytes]:
        """The siblings of an entry on its way to the root, the nearest first."""
        if not 0 <= index < self.size:
            raise IndexError(f"a log of {self.size} entries has no entry {index}")
        path: list[bytes] = []
        start, end = 0, self.size
        while end - start > 1:
            middle = start + _split(end - start)
            if index < middle:
                path.append(self.root(middle, end))
                end = middle
            else:
                path.append(self.root(start, middle))
                start = middle
        return path[::-1]

    def consistency(self, size: int) -> list[bytes]:
        """What shows that a log of ``size`` entries is the beginning of this one."""
        if not 0 < size <= self.size:
            raise IndexError(f"a log of {self.size} entries has no beginning of {size}")
        path: list[bytes] = []
        start, end = 0, self.size
        while size < end:
            middle = start + _split(end - start)
            if size <= middle:
                path.append(self.root(middle, end))
                end = middle
            else:
                path.append(self.root(start, middle))
                start = middle
        if start:
            path.append(self.root(start, end))
        return path[::-1]


def is_included(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether ``path`` shows that the entry stands at ``index`` of the log (RFC 9162, section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    place, last, found = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return False
        if place & 1 or place == last:
            found = node_hash(sibling, found)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and found == root


def is_consistent(size: int, root: bytes, later_size: int, later_root: bytes, path: Sequence[bytes]) -> bool:
    """Whether ``path`` shows that one log is the beginning of the other (RFC 9162, section 2.1.4.2)."""
    if size == later_size:
        return root == later_root and not path
    if not 0 < size < later_size:
        return False
    hashes = list(path) if size & (size - 1) else [root, *path]
    if not hashes:
        return False
    place, last = size - 1, later_size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    old = new = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and old == root and new == later_root


def _split(count: int) -> int:
    """The largest power of two below ``count``."""
    return 1 << (count - 1).bit_length() - 1


def _bits(number: int) -> list[int]:
    """The powers of two that make up a number, the largest first."""
    return [1 << place for place in reversed(range(number.bit_length())) if number >> place & 1]
