import json

import pytest

from citations.models import AuthorityList, LawArticle
from tests.court_server import CourtServer, hit

pytestmark = pytest.mark.django_db
INDEX = {
    "max_volume": 152,
    "families": {
        "145|III": {"starts": [1, 225, 241], "window": 30},
        "152|I": {"starts": [1], "window": 30},
    },
}


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def index(run, write):
    return run("citations", "import-bge", write("index.json", INDEX), "--as-of", "2026-08-20")


@pytest.mark.parametrize(
    ("text", "verdict", "reason", "code"),
    [
        ("BGE 145 III 225", "start", "start_page", 0),
        ("BGE 145 III 229", "interior", "interior_page", 0),
        ("BGE 145 III 900", "nonexistent", "page", 1),
        ("BGE 147 VII 1", "nonexistent", "division", 1),
        ("Urteil 4A_1/2020", "unknown", "not_asked", 0),
    ],
)
@pytest.mark.usefixtures("index")
def test_it_prints_a_verdict_a_line_and_fails_for_what_does_not_exist(
    run, write, text, verdict, reason, code
):
    answer = run("citations", "verify", write("text.txt", f"Vgl. {text} E. 3."), "--json")
    [one] = answer.documents
    assert (one["normalized"].endswith(text.split()[-1]), one["verdict"], one["reason"]) == (
        True,
        verdict,
        reason,
    )
    assert answer.code == code
    assert {
        "check",
        "message",
        "source",
        "as_of",
        "evidence",
        "findings",
        "suggestions",
        "start",
        "end",
    } <= set(one)


def test_it_says_of_when_the_list_is(run, write, index):
    [one] = run("citations", "verify", write("text.txt", "BGE 145 III 225"), "--json").documents
    assert (one["source"], one["as_of"]) == ("bge-index", "2026-08-20")


def test_a_person_reads_sentences_and_suggestions(run, write, index):
    out = run(
        "citations", "verify", write("text.txt", "BGE 145 III 229, BGE 145 III 241 vom 3. Mai 1999")
    ).out
    assert "No decision begins at BGE 145 III 229" in out
    assert "Perhaps BGE 145 III 1, BGE 145 III 225" in out
    assert "BGE 145 III 241: Volume 145 is of 2019" in out


def test_articles_are_imported_an_act_at_a_time(run, write):
    run("citations", "import-articles", write("or.csv", "number,article,repealed\n220,97,\n220,40 G,yes\n"))
    run("citations", "import-articles", write("zgb.csv", "number,article\n210,1\n210,2\n"))
    assert LawArticle.objects.count() == 4
    text = write("text.txt", "Art. 97 OR, Art. 98 OR, Art. 40g OR, Art. 2 ZGB")
    found = run("citations", "verify", text, "--json")
    assert [one["verdict"] for one in found.documents] == ["exists", "nonexistent", "exists", "exists"]
    assert [one["check"] for one in found.documents] == ["pass", "fail", "warn", "pass"]
    run("citations", "import-articles", write("or.csv", "number,article\n220,98\n"))
    assert set(LawArticle.objects.filter(number="220").values_list("article", flat=True)) == {"98"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("import-articles", "number,title\n220,x\n"),
        ("import-articles", "number,article\n220,\n"),
        ("import-articles", "number,article\n"),
        ("import-bge", '{"max_volume": 1, "families": {}}'),
        ("import-bge", "not json"),
    ],
)
def test_another_file_is_refused_and_nothing_is_lost(run, write, index, name, text):
    assert run("citations", name, write("bad", text)).code == 1
    assert AuthorityList.objects.count() == 1


def test_a_day_that_is_none_is_a_mistake(run, write):
    assert run("citations", "import-bge", write("i.json", INDEX), "--as-of", "yesterday").code == 2


def test_it_says_whom_it_asks_and_asks_nobody_offline(run, write, settings):
    with CourtServer(hit("4A_1/2020", "Werkvertrag")) as courts:
        settings.ENTSCHEIDSUCHE_BASE_URL = courts.url
        text = write("text.txt", "Urteil 4A_1/2020")
        quiet = run("citations", "verify", text, "--offline", "--json")
        assert (quiet.documents[0]["verdict"], quiet.err, courts.asked) == ("unknown", "", [])
        told = run("citations", "verify", text, "--json")
        assert (told.documents[0]["verdict"], "asking entscheidsuche" in told.err) == ("exists", True)
