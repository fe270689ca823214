"""Queries as the source understands them, and hits as it gives them."""

from datetime import date

import pytest

from citations.sources.entscheidsuche import sendable
from tests.cases import cases
from tests.court_server import hit

ZH = ("ZH", "ZH_VG", "ZH_VG_001")
NW = ("NW", "NW_OG", "NW_OG_001")
BGE = ("CH", "CH_BGE", "CH_BGE_004")


def references(found):
    return [one.references[0] for one in found.decisions]


def test_it_asks_the_index_of_today(courts, client):
    client.search("Werkvertrag")
    assert courts.paths == ["/_searchV2.php"]
    assert courts.asked[0]["track_total_hits"] is True


def test_courts_and_cantons_are_entries_of_the_tree(courts, client):
    courts.hits = [hit("4A_1/2020", "Mangel"), hit(" VB.2021.00456", "Mangel", places=ZH)]
    assert references(client.search("Mangel", cantons=["ZH"])) == ["VB.2021.00456"]
    assert references(client.search("Mangel", courts=["CH_BGer"])) == ["4A_1/2020"]
    assert client.search("Mangel", courts=["CH_BGer"], cantons=["ZH"]).total == 2
    assert "hierarchy.keyword" not in str(courts.asked)


def test_a_decision_that_does_not_say_its_language_is_found_by_that_of_its_text(courts, client):
    courts.hits = [hit("1", "Mangel", places=NW, language=None), hit("4A_1/2020", "Mangel", language="fr")]
    assert references(client.search("Mangel", language="de")) == ["1"]


def test_a_period(courts, client):
    courts.hits = [
        hit("4A_1/2010", "Mangel", date="2010-02-03"),
        hit("4A_1/2020", "Mangel", date="2020-02-03"),
    ]
    found = client.search("Mangel", since=date(2015, 1, 1), until=date(2021, 1, 1))
    assert references(found) == ["4A_1/2020"]


def test_pages_and_the_whole_number(courts, client):
    courts.hits = [hit(f"4A_{number}/2020", "Mangel") for number in range(12)]
    found = client.search("Mangel", limit=5, offset=10)
    assert (len(found.decisions), found.total) == (2, 12)


@pytest.mark.parametrize(
    ("wanted", "bearer"),
    [
        ("5A_123/2024", hit("5A_123/2024", identifier="CH_BGer_005_5A-123-2024_2024-06-17")),
        ("BGer 5A_123/2024", hit("5A_123/2024")),
        ("VGer ZH VB.2021.00456", hit(" VB.2021.00456", places=ZH)),
        ("BGE 151 II 245", hit("BGE 151 II 245", identifier="CH_BGE_004_BGE-151-II-245_2025", places=BGE)),
        ("OGer NW 42526", hit("42526", places=NW)),
    ],
)
def test_a_reference_finds_who_bears_it_and_not_who_cites_it(courts, client, wanted, bearer):
    citing = hit("4A_9/2022", f"Vgl. {wanted} und {bearer['_source']['reference'][0]}.")
    courts.hits = [citing, bearer]
    found = client.by_reference(wanted)
    assert [one.id for one in found.decisions] == [bearer["_id"]]
    assert found.total == 1


def test_a_number_alone_is_of_the_canton_that_is_named(courts, client):
    courts.hits = [hit("42526", places=ZH)]
    assert client.by_reference("OGer NW 42526").total == 0


def test_a_decision_by_its_identifier(courts, client):
    courts.hits = [hit("4A_1/2020", "Text")]
    assert client.get(courts.hits[0]["_id"]).text == "Text"
    assert client.get("CH_BGer_004_nothing") is None
    assert "prefix" not in str(courts.asked)


def test_a_year_is_not_the_first_of_january(courts, client):
    courts.hits = [
        hit("BGE 151 II 245", "x", identifier="CH_BGE_004_BGE-151-II-245_2025", places=BGE, date="2025-01-01")
    ]
    found = client.by_reference("BGE 151 II 245").decisions[0]
    assert (found.date, found.year) == (None, 2025)


def test_markup_of_an_abstract_is_taken_out(courts, client):
    courts.hits = [hit("4A_1/2020", "x", abstract="Regeste\n<br>Art. 6 &amp; 7 <script>alert(1)</script>")]
    assert client.by_reference("4A_1/2020").decisions[0].abstract == "Regeste Art. 6 & 7 alert(1)"


def test_odd_hits_are_passed_over(courts, client):
    courts.hits = [hit("4A_1/2020", "x")]
    client.by_reference("4A_1/2020")
    from citations.sources.entscheidsuche import read_answer

    odd = [
        None,
        {},
        {"_id": 3, "_source": {}},
        {"_id": "x", "_source": None},
        {"_id": "a_2020-13-45", "_source": {}},
    ]
    found = read_answer({"hits": {"total": "many", "hits": odd}})
    assert [(one.id, one.date, one.references, one.text) for one in found.decisions] == [
        ("a_2020-13-45", None, (), "")
    ]


def test_the_same_question_is_asked_once_an_hour_and_a_decision_once_a_day(courts, client, clock):
    courts.hits = [hit("4A_1/2020", "Mangel")]
    for _ in range(2):
        client.search("Mangel")
        client.get(courts.hits[0]["_id"])
    assert len(courts.asked) == 2
    clock.now += 3_601
    client.search("Mangel")
    client.get(courts.hits[0]["_id"])
    assert len(courts.asked) == 3
    clock.now += 86_400
    client.get(courts.hits[0]["_id"])
    assert len(courts.asked) == 4


def test_it_is_asked_at_its_pace(courts, client, clock):
    for number in range(12):
        client.search(f"Frage {number}")
    assert clock.slept == pytest.approx([6.0, 6.0])


@cases(
    ("query", "sent"),
    [
        ("Werkvertrag Mängel", "Werkvertrag Mängel"),
        ('"Art. 363 OR" Mangel', '"Art. 363 OR" Mangel'),
        ("Art. 363 OR Mangel", '"Art. 363 OR" Mangel'),
        ("Art. 97 Abs. 1 OR", '"Art. 97 Abs. 1 OR"'),
        ('Mangel "offen', "Mangel offen"),
        ("a:b (c) [d TO e] f* g~2 h^3 \\i /j/", "a b c d TO e f g 2 h 3 i j"),
        ("Mangel OR", "Mangel"),
        ("OR Mangel AND OR Rüge", "Mangel AND Rüge"),
        ('Mangel OR "faute grave"', 'Mangel OR "faute grave"'),
        ("NOT x", "x"),
        ('""', ""),
    ],
)
def test_a_query_is_words_and_phrases_and_nothing_more(query, sent):
    assert sendable(query) == sent


def test_an_empty_query_asks_nobody(courts, client):
    assert client.search(' "" ').total == 0
    assert courts.asked == []
