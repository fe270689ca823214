import json
import os
from datetime import date
from pathlib import Path

import pytest

from citations.authority.bge import read_index
from citations.authority.bge_list import Locus, as_document, build_index, read_list
from tests.registry_server import RegistryServer

PAGE = """<html><body><h1>BGE 145 III</h1><ol>
<li><a href="/http/index.php?highlight_docid=atf%3A%2F%2F145-III-1%3Ade&amp;lang=de">i.S. A.</a>, vgl. BGE 99 II 5</li>
<li><a href="atf://145-III-14">Auszug</a></li>
<li><a href="x">BGE&nbsp;145 III <b>22</b></a> <a href="y">145 III 30</a></li>
<li><a href="z">vgl. BGE 100 II 7</a></li><li><a href="atf://117-Ia-10">117 Ia 10</a></li></ol></body></html>"""
CSV = "volume,division,page\n145,III,1\n145,III,90\n"
SHARED = Path(os.environ.get("DOSSIER_SHARED_DATA", "../shared/data")) / "legal" / "bge_series_index.json"


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write


def test_links_are_read_and_running_text_is_not():
    pages = {(145, "III", page) for page in (1, 14, 22, 30)}
    assert read_list(PAGE) == {*(Locus(*one) for one in pages), Locus(117, "Ia", 10)}


def test_an_index_is_built_that_can_be_imported(run, write, db):
    out = write("index.json", "")
    answer = run("citations", "build-bge", write("a.html", PAGE), write("b.csv", CSV), "-o", out, "--json")
    assert answer.documents == [{"series": 2, "starts": 6, "newest_volume": 145}]
    families = json.loads(Path(out).read_text())["families"]
    assert families["145|III"] == {"starts": [1, 14, 22, 30, 90], "window": 60}
    assert families["117|IA"] == {"starts": [10], "window": 30}
    assert run("citations", "import-bge", out).code == 0


def test_new_lists_are_put_onto_an_index(run, write):
    old = write("old.json", json.dumps({"max_volume": 152, "families": {"145|III": {"starts": [5], "window": 30}, "152|I": {"starts": [1], "window": 44}}}))  # fmt: skip  # noqa: E501
    out = write("new.json", "")
    run("citations", "build-bge", write("b.csv", CSV), "--onto", old, "-o", out)
    index = read_index(json.loads(Path(out).read_text()))
    assert {key: series.starts for key, series in index.series.items()} == {
        (145, "III"): (1, 90),
        (152, "I"): (1,),
    }
    assert index.newest == 152


def test_a_list_is_read_from_an_address(run, write):
    with RegistryServer() as server:
        server.trouble = PAGE
        out = write("index.json", "")
        assert (
            run("citations", "build-bge", f"{server.url}/list", "-o", out, "--json").documents[0]["starts"]
            == 5
        )
        server.trouble = 503
        assert run("citations", "build-bge", f"{server.url}/list", "-o", out).code == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<html><body>nothing</body></html>", 1),
        ("volume,page\n1,2\n", 1),
        ("volume,division,page\n145,VII,1\n", 1),
        ("volume,division,page\n145,III,\n", 1),
        ("volume,division,page\n145,Ia,1\n", 1),
        ("<", 1),
        ("", 1),
    ],
)
def test_a_list_that_is_none_is_refused_and_nothing_is_written(run, write, text, code):
    out = write("out.json", "before")
    assert run("citations", "build-bge", write("list", text), "-o", out).code == code
    assert Path(out).read_text() == "before"


def test_a_list_that_is_not_there_is_a_mistake(run, write, tmp_path):
    assert run("citations", "build-bge", str(tmp_path / "none"), "-o", write("o", "")).code == 2


@pytest.mark.skipif(not SHARED.is_file(), reason="no index: set DOSSIER_SHARED_DATA")
def test_the_real_index_is_built_again_from_its_own_starts():
    document = json.loads(SHARED.read_text(encoding="utf-8"))
    index = read_index(document)
    loci = [Locus(v, d, page) for (v, d), series in index.series.items() for page in series.starts]
    assert as_document(build_index(loci, today=date(2026, 11, 21)))["families"] == document["families"]
