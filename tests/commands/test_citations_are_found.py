import json

import pytest
from django.db import OperationalError

from citations.services import bge_index

pytestmark = pytest.mark.django_db
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


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("de", "BGE 145 III 229 E. 4.2 S. 235"),
        ("fr", "ATF 145 III 229 consid. 4.2 p. 235"),
        ("it", "DTF 145 III 229 consid. 4.2 pag. 235"),
        ("en", "BGE 145 III 229, consideration 4.2, p. 235"),
    ],
)
def test_it_writes_one_citation_in_a_language(run, language, written):
    citation = "BGE 145 III 229 E. 4.2 S. 235"
    assert run("citations", "format", citation, "--language", language).out.strip() == written
    document = run("citations", "format", citation, "--language", language, "--json").document
    assert document == {"citation": written, "language": language, "normalized": "BGE 145 III 229"}


def test_words_that_are_no_citation_are_refused(run):
    outcome = run("citations", "format", "no", "citation", "--language", "de", "--json")
    assert (outcome.code, outcome.document["error"]["code"]) == (1, "no_citation")


def test_it_converts_a_document(run, file):
    out = run("citations", "convert", file, "--language", "fr").out
    assert (
        out
        == "Vgl. ATF 142 III 239 consid. 3.2; art. 97 al. 1 CO.\n\n4A_315/2021 du 15 mars 2022 consid. 4\n"
    )
    changes = run("citations", "convert", file, "--language", "fr", "--json").document["changes"]
    assert [change["after"] for change in changes] == [
        "ATF 142 III 239 consid. 3.2",
        "4A_315/2021 du 15 mars 2022 consid. 4",
    ]


def test_it_repairs_a_document_and_lists_what_it_changed(run, tmp_path):
    path = tmp_path / "wrong.txt"
    path.write_text("Art. 97 Abs. 1 CO\n", encoding="utf-8")
    outcome = run("citations", "repair", str(path))
    assert outcome.out == "Art. 97 Abs. 1 OR\n"
    assert "mixed_languages" in outcome.err


@pytest.mark.parametrize(("form", "start"), [("bibtex", "@misc{"), ("ris", "TY  - CASE"), ("csl", "[\n {")])
def test_it_exports_what_a_document_cites(run, file, form, start):
    assert run("citations", "export", file, "--format", form).out.startswith(start)


def test_a_text_is_read_before_there_is_a_database(run, file, monkeypatch):
    def fail():
        raise OperationalError("no such table: citations_lawcode")

    monkeypatch.setattr("citations.management.commands.citations.act_table", fail)
    assert len(run("citations", "extract", file, "--json").documents) == 3


def test_it_takes_in_the_index_of_the_collection_as_a_whole(run, tmp_path):
    path = tmp_path / "index.json"
    for starts in ([225, 241], [241]):
        families = {"145|III": {"starts": starts, "window": 30}, "117|IA": {"starts": [10], "window": 30}}
        path.write_text(json.dumps({"max_volume": 152, "families": families}), encoding="utf-8")
        assert run("citations", "import-bge", str(path), "--json").document == {"imported": 2}
    assert bge_index().series[145, "III"].starts == (241,)
    assert bge_index().series[117, "Ia"].starts == (10,)


def test_imported_acts_are_known_to_extraction(run, tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("art. 5 OSens", encoding="utf-8")
    assert run("citations", "extract", str(text), "--json").document["reason"] == "unknown_act"
    codes = tmp_path / "codes.csv"
    codes.write_text(
        "level,canton,number,abbr_de,abbr_fr,abbr_it,aliases,title_de\nfederal,,999.1,SensV,OSens,OSens,,Verordnung\n",
        encoding="utf-8",
    )
    assert run("citations", "import-codes", str(codes), "--json").document == {"imported": 1}
    assert run("citations", "extract", str(text), "--json").document["normalized"] == "Art. 5 SensV"


@pytest.mark.parametrize(
    ("action", "content"), [("import-bge", '{"families": 3}'), ("import-codes", "a,b\n1,2\n")]
)
def test_a_file_of_another_shape_is_refused(run, tmp_path, action, content):
    path = tmp_path / "file"
    path.write_text(content, encoding="utf-8")
    assert run("citations", action, str(path)).code == 1
    assert run("citations", action, str(tmp_path / "none")).code == 2
