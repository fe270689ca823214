"""Whatever a file contains, the lint answers with faults and not with an exception."""

import copy
from pathlib import Path

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from research.macros.lint import default_lint

PAGE = Path(__file__).parents[2] / "docs" / "tasks" / "add-a-macro.md"
TEXT = PAGE.read_text(encoding="utf-8").split("```yaml\n")[1].split("```")[0]
TREE = yaml.safe_load(TEXT)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def places(node, path=()):
    yield path
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


PLACES = [path for path in places(TREE) if path]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PLACES), VALUES)
def test_any_value_in_any_place(path, value):
    tree = copy.deepcopy(TREE)
    holder = tree
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    for fault in default_lint(yaml.safe_dump(tree, allow_unicode=True)):
        assert fault.line >= 1
        assert fault.message


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(TEXT)), st.integers(0, 40), st.text(max_size=5))
def test_any_cut_and_any_insertion(at, length, inserted):
    for fault in default_lint(TEXT[:at] + inserted + TEXT[at + length :]):
        assert fault.line >= 1


def test_the_example_in_the_documentation_is_sound():
    assert default_lint(TEXT) == []
