"""A court and a canton that are named make a docket of what they number, and how sure that is is said."""

import pytest

from citations.extract import extract


@pytest.mark.parametrize(
    "text", ["ZH OGer 2019/45", "OGer ZH 2019/45", "OGer ZH 2019/45 E. 3", "(ZH OGer 2019/45)."]
)
def test_it_is_reported_with_little_confidence(text):
    (mention,) = extract(text)
    assert (mention.normalized, mention.reason) == ("OGer ZH 2019/45", "unknown_form")
    assert mention.as_json()["reason"] == "unknown_form"


def test_it_may_end_a_sentence():
    assert [mention.raw for mention in extract("So ZH OGer 2019/45. Anders OGer BE 2018/123.")] == [
        "2019/45",
        "2018/123",
    ]


@pytest.mark.parametrize("text", ["OGer ZH SB210034", "KGer GR ZK1 20 12"])
def test_a_known_form_has_no_such_reason(text):
    (mention,) = extract(text)
    assert mention.reason is None
