"""The part of a conversation that is sent: within the limit, and never a call without its answer."""

from hypothesis import given
from hypothesis import strategies as st

from research.engine import history
from research.engine.history import GAP, fit, size
from research.llm.interface import Message, ToolAnswer, ToolCall, Turn

TEXT = st.text("abc äß", max_size=400)


@st.composite
def conversations(draw):
    messages = [Message("user", draw(TEXT))]
    for number in range(draw(st.integers(0, 8))):
        count = draw(st.integers(0, 3))
        calls = tuple(ToolCall(f"{number}.{place}", "search", {"q": draw(TEXT)}) for place in range(count))
        turn = Turn(
            draw(TEXT), calls, stop="tools" if calls else "end", raw=draw(st.sampled_from([{}, {"b": [1]}]))
        )
        messages.append(Message("assistant", turn.text, turn))
        if calls:
            messages.append(Message("tool", answers=tuple(answer(draw, call) for call in calls)))
        if draw(st.booleans()):
            messages.append(Message("user", draw(TEXT)))
    return messages


def answer(draw, call):
    results = [
        {"title": draw(TEXT), "text": draw(TEXT) * draw(st.integers(1, 30))}
        for _ in range(draw(st.integers(0, 4)))
    ]
    content = {"success": True, "data": {"results": results}, "sources": [{"number": 1}]}
    return ToolAnswer(call.id, call.name, content)


def least(messages):
    """What cannot be left out: the request, the last turn and what follows it, with its answers at their shortest."""
    last = max((place for place, message in enumerate(messages) if message.role == "assistant"), default=0)
    kept = [messages[0], *messages[last:]] if last else messages
    shortest = sum(120 * len(message.answers) for message in kept)
    return sum(size(message) for message in kept if message.role != "tool") + shortest + len(GAP)


@given(conversations(), st.integers(0, 20_000))
def test_it_parts_no_call_from_its_answer_and_keeps_within_the_limit(messages, limit):
    kept = fit(messages, limit)
    assert sum(map(size, kept)) <= max(limit, least(messages))
    assert kept[0].text.startswith(messages[0].text)
    assert_whole(kept)


def assert_whole(kept):
    """Each call is followed by its answer, and no answer stands without its call."""
    for before, message, following in zip([None, *kept], kept, [*kept[1:], None], strict=False):
        called = [call.id for call in message.turn.tool_calls] if message.turn else []
        if called:
            assert following is not None
            assert [one.call_id for one in following.answers] == called
        if message.answers:
            assert before is not None
            assert before.turn is not None


def test_no_limit_parts_them():
    """Long words of the model and short answers: where the words alone would make room enough, their answers go too."""
    call = [ToolCall(str(number), "search", {}) for number in range(4)]
    given = [ToolAnswer(one.id, "search", {"success": True, "data": {"found": 1}}) for one in call]
    messages = [Message("user", "Who?")]
    for one, answered in zip(call, given, strict=True):
        turn = Turn("I look. " * 60, (one,), stop="tools")
        messages += [Message("assistant", turn.text, turn), Message("tool", answers=(answered,))]
    for limit in range(sum(map(size, messages)) + 1):
        assert_whole(fit(messages, limit))


@given(conversations())
def test_it_changes_nothing_that_fits(messages):
    assert list(fit(messages, sum(map(size, messages)))) == messages


@given(conversations(), st.integers(0, 20_000))
def test_it_keeps_the_newest_turn_word_for_word(messages, limit):
    turns = [message for message in messages if message.role == "assistant"]
    kept = [message for message in fit(messages, limit) if message.role == "assistant"]
    assert kept[-1:] == turns[-1:]


def test_it_shortens_old_answers_before_it_leaves_a_turn_out():
    def exchange(number):
        call = ToolCall(str(number), "search", {})
        content = {"success": True, "data": {"results": [{"text": "x" * 5_000}]}}
        return [
            Message("assistant", turn=Turn(tool_calls=(call,), stop="tools")),
            Message("tool", answers=(ToolAnswer(str(number), "search", content),)),
        ]

    messages = [Message("user", "?"), *exchange(1), *exchange(2), *exchange(3)]
    kept = fit(messages, 12_000)
    lengths = [len(m.answers[0].content["data"]["results"][0]["text"]) for m in kept if m.answers]
    assert lengths[0] < 600
    assert lengths[1:] == [5_000, 5_000]
    assert len(kept) == 7
    left = fit(messages, 400)
    assert left[0].text.endswith(GAP)
    assert len(left) == 3


def test_it_measures_a_message_once_however_often_it_is_sent(monkeypatch):
    measured, measure = [], history._size
    monkeypatch.setattr(history, "_size", lambda message: measured.append(message) or measure(message))
    messages = [Message("user", "go")]
    for turn in range(20):
        call = ToolCall(f"c{turn}", "look", {})
        messages.append(Message("assistant", turn=Turn("t", (call,), "tools")))
        content = {"success": True, "data": ["y" * 1_000] * 10}
        messages.append(Message("tool", answers=(ToolAnswer(f"c{turn}", "look", content),)))
        assert sum(map(size, fit(messages, 20_000))) <= 20_000
    assert all(sum(one is message for one in measured) == 1 for message in messages)
