import json

import pytest

from bench import archive


@pytest.fixture
def folder(tmp_path):
    """Two documents and a question, as a set of questions lies on disk."""
    documents = [{"id": "a", "title": "A", "text": "x"}, {"id": "b", "title": "B", "text": "y"}]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, documents)))
    (tmp_path / "queries.jsonl").write_text(json.dumps({"query": "which?", "relevant": ["a", "b"]}))
    return tmp_path


def test_it_reads_a_set_of_questions(folder):
    questions = archive.read(folder)
    assert questions.documents == [("a", "A", "x"), ("b", "B", "y")]
    assert questions.questions == [("which?", ["a", "b"])]


@pytest.mark.parametrize(
    ("found", "five", "ten"), [(["a", "b"], 1, 1), (["a", *"cdefg", "b"], 0.5, 1), (["c"], 0, 0), ([], 0, 0)]
)
def test_recall_is_the_share_of_what_answers_that_was_found(folder, found, five, ten):
    questions = archive.read(folder)
    assert archive._recall(lambda question: found, questions, 5) == five
    assert archive._recall(lambda question: found, questions, 10) == ten


def test_the_set_that_is_made_up_is_the_same_each_time_and_has_answers():
    one, two = archive.made_up(50), archive.made_up(50)
    assert one == two
    known = {key for key, _, _ in one.documents}
    assert len(one.questions) == 5
    assert all(set(relevant) <= known for _, relevant in one.questions)


def test_the_peer_finds_what_there_is_to_find():
    figures = archive.measure("rank_bm25", archive.made_up(60))
    assert figures.recall_10 > 0.9
    assert figures.per_second > 0
