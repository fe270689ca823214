import pytest

SENTENCE = "Vgl. BGE 142 III 239 E. 3.2; art. 97 al. 1 CO.\n\n4A_315/2021 vom 15. März 2022 E. 4\n"
KEYS = {"raw", "start", "end", "kind", "normalized", "pinpoints", "verdict", "reason", "suggestions"}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(SENTENCE, encoding="utf-8")
    return str(path)


def test_it_prints_a_citation_a_line(run, file):
    found = run("citations", "extract", file, "--json").documents
    assert all(set(citation) == KEYS for citation in found)
    assert [citation["normalized"] for citation in found] == [
        "BGE 142 III 239",
        "Art. 97 Abs. 1 OR",
        "BGer 4A_315/2021",
    ]
    assert [SENTENCE[c["start"] : c["end"]] for c in found] == [c["raw"] for c in found]
    assert {c["verdict"] for c in found} == {"unchecked"}


def test_it_takes_every_line_as_a_text_of_its_own(run, file):
    first, empty, last = run("citations", "extract", file, "--lines").documents
    assert [first["line"], empty["line"], last["line"]] == [1, 2, 3]
    assert [len(each["citations"]) for each in (first, empty, last)] == [2, 0, 1]
    assert last["citations"][0]["start"] == 0
    assert last["citations"][0]["pinpoints"] == ["E. 4"]


def test_it_shows_a_table_to_a_person(run, file):
    assert "Art. 97 Abs. 1 OR" in run("citations", "extract", file).out


def test_it_says_so_when_a_text_cites_nothing(run, tmp_path):
    path = tmp_path / "empty.txt"
    path.write_text("", encoding="utf-8")
    assert run("citations", "extract", str(path)).out.strip() == "no citation was found"
    assert run("citations", "extract", str(path), "--json").out == ""


def test_a_file_that_is_not_there_is_a_mistake(run, tmp_path):
    assert run("citations", "extract", str(tmp_path / "none.txt")).code == 2


def test_a_file_that_is_no_text_is_a_mistake(run, tmp_path):
    path = tmp_path / "bytes"
    path.write_bytes(b"BGE \xff")
    assert run("citations", "extract", str(path)).code == 2
