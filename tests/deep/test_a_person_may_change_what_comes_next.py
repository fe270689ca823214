"""What a checkpoint shows can be edited; what cannot be used is refused before it is stored."""

import pytest

from research.engine.deep import checkpoints
from research.engine.deep.brief import Brief, Clarification
from research.engine.deep.supervision import Directive
from research.engine.questions.question import BadAnswer
from tests.cases import cases

BRIEF = Brief("I want to know who owns the mill.", "Bern", "registers")
DIRECTIVES = (Directive("dir-2-1", "Owner", "", "register", 1), Directive("dir-2-2", "Staff"))


@cases(
    ("autonomy", "phase", "needed", "waits"),
    [
        ("cautious", "clarification", False, True),
        ("cautious", "brief", False, True),
        ("cautious", "directives.2", False, True),
        ("cautious", "synthesis", False, True),
        ("balanced", "clarification", True, True),
        ("balanced", "clarification", False, False),
        ("balanced", "brief", False, False),
        ("balanced", "directives.1", False, False),
        ("balanced", "synthesis", False, False),
        ("autonomous", "clarification", True, False),
        ("autonomous", "brief", False, False),
    ],
)
def test_autonomy_decides_which_phases_wait(autonomy, phase, needed, waits):
    assert checkpoints.waits(autonomy, phase, needed=needed) is waits


def test_the_brief_keeps_what_was_not_changed():
    assert checkpoints.edited_brief(BRIEF, None) == BRIEF
    changed = checkpoints.edited_brief(BRIEF, {"scope_boundaries": "Zug"})
    assert changed == Brief("I want to know who owns the mill.", "Zug", "registers")


def test_directives_can_be_dropped_added_and_edited():
    shown = checkpoints.show_directives(2, DIRECTIVES, "why")["edit"]["directives"]
    shown[1] = {"research_topic": "Wages"}
    shown.append({"research_topic": "Dams", "priority": 3})
    found = checkpoints.edited_directives(2, DIRECTIVES, {"directives": shown})
    assert [(one.id, one.research_topic, one.priority) for one in found] == [
        ("dir-2-1", "Owner", 1),
        ("dir-2-2", "Wages", 2),
        ("dir-2-3", "Dams", 3),
    ]
    assert checkpoints.edited_directives(2, DIRECTIVES, {}) == DIRECTIVES


@cases(
    ("phase", "answer", "sentence"),
    [
        ("clarification", {"answer": 7}, "answer must be text"),
        ("clarification", {"brief": "x"}, "unknown: brief; what can be changed here: answer"),
        ("brief", {"research_brief": "x"}, "too short"),
        ("directives.1", {"directives": "all"}, "must be a list"),
        ("directives.1", {"directives": []}, "at least one directive"),
        ("directives.1", {"directives": [{"perspective": "x"}]}, "needs a research_topic"),
        ("directives.1", {"directives": [{"research_topic": str(n)} for n in range(9)]}, "at most 5"),
        ("sources.1", {"answer": "x"}, "what can be changed here: finish"),
        ("sources.1", {"finish": "yes"}, "must be true or false"),
        ("budget", {"answer": "x"}, "what can be changed here: nothing"),
    ],
)
def test_it_refuses_what_it_cannot_use(phase, answer, sentence):
    with pytest.raises(BadAnswer, match=sentence):
        checkpoints.check_answer(phase, answer)


def test_no_directives_after_the_first_round_mean_that_it_is_enough():
    assert checkpoints.edited_directives(2, DIRECTIVES, {"directives": []}) == ()
    assert checkpoints.check_answer("directives.2", {"directives": []}) is None


def test_it_takes_back_what_it_showed():
    for phase, shown in [
        ("clarification", checkpoints.show_clarification(Clarification(True, "Which mill?"))),
        ("brief", checkpoints.show_brief(BRIEF)),
        ("directives.2", checkpoints.show_directives(2, DIRECTIVES, "why")),
        ("synthesis", checkpoints.show_synthesis(2, 5, [])),
    ]:
        assert checkpoints.check_answer(phase, shown["edit"]) is None
