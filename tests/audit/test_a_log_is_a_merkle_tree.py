"""RFC 6962 and RFC 9162: roots, proofs, and that nothing else passes for one."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.audit.merkle import EMPTY, Frontier, Tree, is_consistent, is_included, leaf_hash, node_hash

# The log and the roots of its beginnings that certificate transparency's own tests are made of.
ENTRIES = [bytes.fromhex(each) for each in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
)]  # fmt: skip
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def leaves(count: int) -> list[bytes]:
    return [leaf_hash(str(number).encode()) for number in range(count)]


def plain_root(hashes: list[bytes]) -> bytes:
    """The definition of RFC 6962, word for word."""
    if not hashes:
        return EMPTY
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    return node_hash(plain_root(hashes[:split]), plain_root(hashes[split:]))


def test_it_gives_the_roots_that_everybody_gives():
    frontier = Frontier()
    for number, (entry, root) in enumerate(zip(ENTRIES, ROOTS, strict=True), start=1):
        frontier.append(leaf_hash(entry))
        assert frontier.root().hex() == root
        assert Tree([leaf_hash(each) for each in ENTRIES[:number]]).root().hex() == root
    assert Frontier().root() == Tree([]).root() == hashlib.sha256(b"").digest()


def test_appending_gives_the_root_of_the_whole():
    frontier = Frontier()
    for size, leaf in enumerate(leaves(70), start=1):
        frontier.append(leaf)
        assert frontier.root() == plain_root(leaves(size))
        assert Frontier(frontier.size, frontier.roots).root() == frontier.root()
    with pytest.raises(ValueError, match="70 entries has 3 complete subtrees"):
        Frontier(70, [b""])


def test_every_entry_of_every_log_is_shown_to_be_there_and_no_other():
    for size in range(1, 40):
        tree, root = Tree(leaves(size)), plain_root(leaves(size))
        for index, leaf in enumerate(leaves(size)):
            path = tree.inclusion(index)
            assert len(path) <= (size - 1).bit_length()
            assert is_included(leaf, index, size, path, root)
            assert not is_included(leaf_hash(b"another"), index, size, path, root)
            assert not is_included(leaf, (index + 1) % size, size, path, root) or size == 1
            assert not is_included(leaf, index, size, [*path, leaf], root)
            assert not is_included(leaf, index, size, path, leaf_hash(b"another"))
    assert not is_included(leaves(1)[0], 1, 1, [], leaves(1)[0])


def test_every_beginning_is_shown_to_be_one_and_no_other_log():
    for later in range(1, 40):
        tree, later_root = Tree(leaves(later)), plain_root(leaves(later))
        for size in range(1, later + 1):
            root, path = plain_root(leaves(size)), tree.consistency(size)
            assert is_consistent(size, root, later, later_root, path)
            assert not is_consistent(size, leaf_hash(b"another"), later, later_root, path)
            assert not is_consistent(size, root, later, leaf_hash(b"another"), path)
            assert not is_consistent(size, root, later, later_root, [*path, root])
            if path:
                assert not is_consistent(size, root, later, later_root, path[:-1])
    assert not is_consistent(0, EMPTY, 3, plain_root(leaves(3)), [])


@given(before=st.integers(0, 60), after=st.integers(1, 40), data=st.data())
def test_what_followed_a_head_is_proven_without_reading_what_was_before(before, after, data):
    frontier = Frontier()
    for leaf in leaves(before):
        frontier.append(leaf)
    tree = Tree(leaves(before + after)[before:], frontier)
    root = plain_root(leaves(before + after))
    assert tree.root() == root
    index = data.draw(st.integers(before, before + after - 1))
    assert is_included(leaves(index + 1)[index], index, before + after, tree.inclusion(index), root)


def test_what_cannot_be_proven_is_refused():
    with pytest.raises(IndexError, match="3 entries has no entry 3"):
        Tree(leaves(3)).inclusion(3)
    for size in (0, 4):
        with pytest.raises(IndexError, match=f"no beginning of {size}"):
            Tree(leaves(3)).consistency(size)
    frontier = Frontier()
    for leaf in leaves(3):
        frontier.append(leaf)
    with pytest.raises(KeyError, match="before the frontier"):
        Tree(leaves(1), frontier).inclusion(0)
