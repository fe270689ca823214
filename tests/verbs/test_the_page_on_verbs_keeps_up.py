import re
from pathlib import Path

from research.verbs.catalogue import Verb, load_catalogue
from research.verbs.check import verb_faults
from research.verbs.parser import parse
from research.verbs.printer import print_program
from tests.cases import cases

PAGE = (Path(__file__).parents[2] / "docs" / "verbs.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("| `")
]


def row_of(verb: Verb) -> list[str]:
    (row,) = (row for row in ROWS if f"`{verb.name}`" in row[0])
    return row


@cases("verb", list(load_catalogue()), ids=lambda verb: verb.name)
def test_the_table_has_every_verb_with_its_effect_and_arguments(verb):
    _, effect, arguments = row_of(verb)
    written = re.findall(r"`:([a-z-]+)`(\*?)", arguments)
    assert effect.split(",")[0] == verb.effect
    if verb.alias_of:
        assert f"`{verb.alias_of}`" in arguments
        assert {name for name, _ in written} <= set(verb.arg_map)
    else:
        assert {name: star == "*" for name, star in written} == {arg.name: arg.required for arg in verb.args}


def test_the_table_has_no_verb_that_does_not_exist():
    named = {name for row in ROWS if len(row) == 3 for name in re.findall(r"`([a-z-]+\.[a-z-]+)`", row[0])}
    assert named == {verb.name for verb in load_catalogue()}


def test_the_example_is_sound_and_in_normal_form():
    example = PAGE.split("```\n")[1]
    assert verb_faults(example) == []
    assert print_program(parse(example)) == example
