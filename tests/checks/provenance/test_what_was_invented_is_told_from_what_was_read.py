"""Forty results, invented and read, in four languages: each is judged right."""

from tests.checks.provenance.told import looked_up, marks, page, record, search, step

A, S = "529900K9B0N5BT694847", "W38RGI023J3WT1HWRP32"
ALLIANZ, SIEMENS = record(A, "Allianz SE"), record(S, "Siemens Aktiengesellschaft")
DE = (
    "Die Müller Maschinenbau GmbH (CHE-123.456.789) mit Sitz in Zürich wurde am 3. März 1998 gegründet. "
    "Hans-Peter Müller hält 40 % der Aktien, der Umsatz betrug 2024 rund 18,6 Mio. Franken. "
    "Präsidentin ist Dr. Käthe Öztürk."
)
FR = (
    "La société Dupont & Fils S.A., inscrite sous le numéro B 123456, a été fondée le 1er août 2003 à Genève. "
    "M. Jean Lefèvre en détient 25,5 %. Le chiffre d'affaires s'élève à 1 234 567 euros."
)
IT = (
    "La Rossi Costruzioni S.p.A. ha sede a Lugano. L'amministratore Giulia Bianchi detiene il 60% del capitale; "
    "il fatturato è di 3,2 miliardi di euro. Costituita il 15 maggio 2011."
)
EN = (
    "Northwind Trading Limited, company number 00445790, was incorporated on May 7, 1946. Its chair, Mary Ann Smith, "
    "owns 12.5 per cent. Revenue was $4.75 billion and 1,204 people work there."
)
GONE = search("Peerlight Holding SE")
OWNERS = {
    "register": "companies-house",
    "owners": {"number": "00445790", "owners": [{"name": "SMITH, Mary Ann"}, {"name": "JONES, Alan"}]},
}
# document, what was told, what the question said, what is marked
READ = {
    "as it stands in a record": ({"name": "Allianz SE", "lei": A}, [search("Allianz", ALLIANZ)], {}),
    "asked for, and found": ({"name": "Allianz SE", "lei": A}, [search("Allianz SE", ALLIANZ)], {}),
    "an LEI asked for, and found": ({"name": "Allianz SE", "lei": A}, [looked_up(A, "Allianz SE")], {}),
    "another case": ({"name": "ALLIANZ SE"}, [search("x", ALLIANZ)], {}),
    "the legal form in full": ({"name": "Siemens AG"}, [search("x", SIEMENS)], {}),
    "a country by its name": ({"name": "Allianz SE", "country": "Deutschland"}, [search("x", ALLIANZ)], {}),
    "de, a company": ({"firma": "Müller Maschinenbau GmbH", "uid": "CHE123456789"}, [page(DE)], {}),
    "de, a person without accents": ({"inhaber": "Hans-Peter Mueller", "anteil": 40}, [page(DE)], {}),
    "an increase computed from two fields beside it": (
        {"before": 412, "after": 438, "increase": 26, "growth_percent": 6.3},
        [page("The bank had 412 branches in 2022 and 438 branches in 2024.")],
        {},
    ),
    "de, a person with one umlaut written out": (
        {"name": "Juerg Aeschlimann"},
        [page("Leiter ist Jürg Aeschlimann.")],
        {},
    ),
    "de, a page with umlauts written out": (
        {"name": "Jürg Aeschlimann"},
        [page("Leiter ist Juerg Aeschlimann.")],
        {},
    ),
    "de, a person with a title": ({"name": "Käthe Öztürk"}, [page(DE)], {}),
    "de, an amount in millions": ({"umsatz": 18600000, "datum": "1998-03-03"}, [page(DE)], {}),
    "fr, a company": ({"societe": "Dupont et Fils SA", "numero": "B123456"}, [page(FR)], {}),
    "fr, a share as a fraction": ({"actionnaire": "Jean Lefèvre", "part": 0.255}, [page(FR)], {}),
    "fr, an amount with blanks": ({"ca": 1234567, "date": "1.8.2003"}, [page(FR)], {}),
    "it, a company": ({"societa": "Rossi Costruzioni SpA", "data": "2011-05-15"}, [page(IT)], {}),
    "it, thousands of millions": (
        {"fatturato": "3,2 mld", "amministratore": "Giulia Bianchi"},
        [page(IT)],
        {},
    ),
    "en, a number without its zeros": (
        {"name": "Northwind Trading Ltd", "company_number": "445790"},
        [page(EN)],
        {},
    ),
    "en, an amount": ({"revenue": 4750000000, "employees": 1204, "founded": "1946-05-07"}, [page(EN)], {}),
    "a person whose names are turned": (
        {"owners": ["Mary Ann Smith", "Alan Jones"]},
        [step("register_owners", {"register": "companies-house", "number": "00445790"}, OWNERS)],
        {},
    ),
    "counts of what is listed": (
        {"funds": [{"name": "Allianz SE"}, {"name": "Siemens AG"}], "total": 2},
        [search("x", ALLIANZ, SIEMENS)],
        {},
    ),
    "judgements": (
        {"status": "Active and in good standing", "confidence": 0.83, "summary": "All is well, it seems."},
        [GONE],
        {},
    ),
}
INVENTED = {
    "a group, after a search in vain": (
        {"name": "Peerlight Holding SE", "lei": "5299003PEERLIGHT0087"},
        [GONE],
        {"/name": "not-found", "/lei": "not-found"},
    ),
    "the owner of a real one": (
        {"name": "Allianz SE", "owner_name": "Peerlight Holding SE"},
        [search("Allianz SE", ALLIANZ), GONE],
        {"/owner_name": "not-found"},
    ),
    "in another case and script": (
        {"name": "PEERLIGHT HOLDING SE"},
        [search("Реerlight holding se")],
        {"/name": "not-found"},
    ),
    "a name split over two answers": (
        {"name": "Allianz Aktiengesellschaft Siemens"},
        [search("x", ALLIANZ), search("y", SIEMENS)],
        {"/name": "not-found"},
    ),
    "an LEI of another": (
        {"name": "Allianz SE", "lei": S},
        [search("x", ALLIANZ, SIEMENS)],
        {"/lei": "apart"},
    ),
    "another legal form": ({"name": "Allianz GmbH"}, [search("x", ALLIANZ)], {"/name": "not-found"}),
    "the end of a name": (
        {"name": "Investors GmbH"},
        [search("x", record(A, "Allianz Global Investors GmbH"))],
        {"/name": "not-found"},
    ),
    "an increase that the fields beside it do not give": (
        {"before": 412, "after": 438, "increase": 62},
        [page("The bank had 412 branches in 2022 and 438 branches in 2024.")],
        {"/increase": "not-found"},
    ),
    "through a check report": (
        {"name": "Peerlight Holding SE"},
        [
            step(
                "lei_check",
                {"lei": A, "name": "Peerlight Holding SE"},
                {
                    "lei": A,
                    "checks": [{"code": "name", "evidence": {"claimed": "Peerlight Holding SE"}}],
                    "record": ALLIANZ,
                },
            )
        ],
        {"/name": "not-found"},
    ),
    "through a failed call": (
        {"name": "Peerlight Holding SE"},
        [step("lei_record", {"lei": A}, error={"code": "not_found", "message": "Peerlight Holding SE?"})],
        {"/name": "not-found"},
    ),
    "through memory that it wrote itself": (
        {"name": "Peerlight Holding SE"},
        [
            step(
                "create_entity",
                {"name": "Peerlight Holding SE"},
                {"entity": {"name": "Peerlight Holding SE"}},
            ),
            step(
                "resolve_entity",
                {"identifier": "peerlight"},
                {"entity": {"name": "Peerlight Holding SE", "verified": True}, "candidates": []},
            ),
        ],
        {"/name": "not-found"},
    ),
    "through memory that nobody verified": (
        {"name": "Peerlight Holding SE"},
        [
            step(
                "resolve_entity",
                {"identifier": "peerlight"},
                {"entity": {"name": "Peerlight Holding SE", "verified": False}, "candidates": []},
            )
        ],
        {"/name": "not-found"},
    ),
    "through a supervisor's list that it is not on": (
        {"name": "Peerlight Holding SE"},
        [
            step(
                "register_authorisation",
                {"register": "finma", "name": "Peerlight Holding SE"},
                {"authorisation": {"name": "Peerlight Holding SE", "licence": "not_listed", "measures": []}},
            )
        ],
        {"/name": "not-found"},
    ),
    "through an address": (
        {"name": "Peerlight Holding"},
        [
            step(
                "web_search",
                {"query": "https://x.example/?q=Peerlight%20Holding"},
                {"queries": ["https://x.example/?q=Peerlight%20Holding"], "results": []},
            )
        ],
        {"/name": "not-found"},
    ),
    "de, a person": (
        {"geschaeftsfuehrer": "Bernd Kaltenbach"},
        [page(DE)],
        {"/geschaeftsfuehrer": "not-found"},
    ),
    "de, a number and a date": (
        {"umsatz": 21400000, "datum": "2001-04-04", "uid": "CHE-987.654.321"},
        [page(DE)],
        {"/umsatz": "not-found", "/datum": "not-found", "/uid": "not-found"},
    ),
    "de, within a sentence": (
        {"bemerkung": "Nach eigenen Angaben gehört sie zur Peerlight Holding SE."},
        [page(DE)],
        {"/bemerkung": "not-found"},
    ),
    "fr, an owner": ({"actionnaire": "Marcel Dubuisson"}, [page(FR)], {"/actionnaire": "not-found"}),
    "it, a subsidiary": ({"filiale": "Rossi Energia S.r.l."}, [page(IT)], {"/filiale": "not-found"}),
    "en, an ISIN and a docket": (
        {"case_number": "1:24-cv-00917", "isin": "US0378331005"},
        [page(EN)],
        {"/case_number": "not-found", "/isin": "not-found"},
    ),
    "without asking anybody": (
        {"name": "Allianz SE", "lei": A},
        [],
        {"/name": "not-found", "/lei": "not-found"},
    ),
}


def test_the_kit_is_large_enough():
    assert len(READ) >= 20
    assert len(INVENTED) >= 20


def test_what_was_read_is_not_marked():
    wrong = {name: found for name, (data, steps, _) in READ.items() if (found := marks(data, *steps))}
    assert wrong == {}


def test_what_was_invented_is_marked():
    judged = {name: marks(data, *steps) for name, (data, steps, _) in INVENTED.items()}
    assert judged == {name: expected for name, (_, _, expected) in INVENTED.items()}
