from pathlib import Path

from research.verbs.check import verb_faults
from research.verbs.parser import parse
from research.verbs.printer import print_program

PAGE = (Path(__file__).parents[2] / "docs" / "concepts" / "verb.md").read_text(encoding="utf-8")


def test_the_example_is_sound_and_in_normal_form():
    example = PAGE.split("```\n")[1]
    assert verb_faults(example) == []
    assert print_program(parse(example)) == example
