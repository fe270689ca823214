import pytest

from research.checks.quotes import QuotedSource, check_quotes, coverage
from research.macros.loader import LIBRARY, load_macro
from tests.cases import cases

PAGE = (
    "Allianz SE is a holding company in Munich. It was founded in 1890 in Berlin. It employs 157,883 people. "
    + "Filler text of no interest. " * 30
    + "Its shares are listed in Frankfurt and part of the DAX index."
)
RECORD = '{"entity":{"jurisdiction":"DE","legalName":{"name":"Allianz SE"}},"lei":"529900K9B0N5BT694847"}'
SOURCES = {
    1: QuotedSource(1, "A page", 11, PAGE),
    2: QuotedSource(2, "LEI record", 12, RECORD, json=True),
    3: QuotedSource(3, "Without text"),
}
DATA = {"name": "Allianz SE", "founded": 1890, "sites": [{"town": "Munich"}], "a/b": "x"}


def check(quote, source=1, pointer="/name"):
    [verdict] = check_quotes(DATA, [{"pointer": pointer, "source": source, "quote": quote}], SOURCES.get)
    assert verdict.kind == "quote"
    return verdict


@cases(
    ("quote", "source", "code", "word"),
    [
        ("It was founded in 1890 in Berlin.", 1, "found", "pass"),
        ("it was founded in 1890 in BERLIN", 1, "found", "pass"),
        ("It was founded in 1890, in Berlin town.", 1, "similar", "warn"),
        ("Its shares are listed in Frankfurt and part of a DAX index.", 1, "nearly", "pass"),
        ("Its shares are listed at Frankfurt and are part of the DAX index.", 1, "similar", "warn"),
        ("Its shares are listed in Hamburg and part of the DAX index.", 1, "similar", "warn"),
        ("Its shares are noted in Frankfurt, which are in the DAX index", 1, "similar", "warn"),
        ("It was founded in 1891 in Berlin.", 1, "changed", "fail"),
        ("It is not a holding company in Munich. It was founded in 1890 in Berlin.", 1, "changed", "fail"),
        ("It was dissolved in the year of the dragon.", 1, "not-found", "fail"),
        ("in Berlin", 1, "short", "warn"),
        ("1890", 1, "short", "warn"),
        ("Allianz SE", 2, "found", "pass"),
        ('"jurisdiction": "DE"', 2, "short", "warn"),
        ("529900K9B0N5BT694847", 2, "found", "pass"),
        ("Allianz", 2, "short", "warn"),
        ("", 1, "empty", "fail"),
        (" \n ", 1, "empty", "fail"),
        ("It was founded in 1890 in Berlin.", 9, "no-source", "fail"),
        ("It was founded in 1890 in Berlin.", 3, "no-text", "unknown"),
        ("It was founded in 1890 in Berlin.", 2, "not-found", "fail"),
    ],
)
def test_it_judges_a_quote(quote, source, code, word):
    verdict = check(quote, source)
    assert (verdict.code, verdict.verdict) == (code, word)


def test_it_says_where_the_words_stand():
    verdict = check("founded in 1890 in Berlin")
    where = verdict.evidence
    assert PAGE[where["start"] : where["end"]] == where["passage"] == "founded in 1890 in Berlin"
    assert where["before"].endswith("It was ")
    assert where["after"].startswith(". It employs")
    assert (where["source"], where["document"], where["title"]) == (1, 11, "A page")


@pytest.mark.parametrize(
    ("quote", "message"),
    [
        ("It was founded in 1891 in Berlin.", "The quote says 1891, but source 1 says 1890."),
        ("Allianz SE is 1 holding company in Munich. It was founded", "Source 1 does not say 1 there."),
        ("It was not founded in 1890 in Berlin.", "The quote and source 1 differ by a “not”."),
    ],
)
def test_it_says_what_was_changed(quote, message):
    assert check(quote).message == message


REPORT = (
    "The company reported revenue of EUR 1,234.5 million in fiscal year 2023, an increase of 12.5% over the year "
    "before. The board of directors did not approve the proposed merger with Beta GmbH. The licence was granted by "
    "the Office on 5 May 2020. It is not liable for damages, unless it acted with gross negligence. It holds 51% of "
    "Alpha Ltd and 49% of Gamma Inc. The fund is authorised to invest in the organisation of real estate."
)


@cases(
    ("quote", "code", "told"),
    [
        ("reported revenue of EUR 1234.5 million in fiscal year 2023, an increase", "nearly", ""),
        ("reported revenue of EUR 1.234,5 million in fiscal year 2023, an increase of 12,5%", "nearly", ""),
        ("revenue of € 1,234.5 million in fiscal year 2023, an increase of 12.5 percent", "nearly", ""),
        ("authorized to invest in the organization of real estate", "nearly", ""),
        ("It isn't liable for damages, unless it acted with gross negligence", "nearly", ""),
        (
            "reported revenue of EUR 12,345 million in fiscal year 2023, an increase of 12.5%",
            "changed",
            "12,345",
        ),
        ("reported revenue of USD 1,234.5 million in fiscal year 2023, an increase", "changed", "“usd”"),
        ("reported revenue of EUR 1,234.5 billion in fiscal year 2023, an increase", "changed", "“billion”"),
        ("The licence was granted by the Office on 5 June 2020. It is not liable", "changed", "“june”"),
        ("It holds 49% of Alpha Ltd and 51% of Gamma Inc. The fund", "changed", "“49"),
        (
            "The fund is unauthorised to invest in the organisation of real estate",
            "changed",
            "“unauthorised”",
        ),
        (
            "reported revenue of EUR 1,234.5 million in fiscal year 2023, a decrease",
            "similar",
            "“a decrease”",
        ),
        (
            "The licence was revoked by the Office on 5 May 2020.",
            "similar",
            "“revoked” where source 4 says “granted”",
        ),
        ("liable for damages, unless it acted with gross negligence", "cut", "“not”"),
        ("The board of directors ... approve the proposed merger with Beta GmbH", "cut", "“not”"),
        ("The company reported revenue … The licence was granted by the Office", "found", ""),
    ],
)
def test_a_word_that_says_something_else_does_not_pass(quote, code, told):
    sources = {4: QuotedSource(4, "A report", 14, REPORT)}
    [verdict] = check_quotes(DATA, [{"pointer": "/name", "source": 4, "quote": quote}], sources.get)
    assert verdict.code == code, verdict.message
    assert verdict.verdict == {"changed": "fail", "similar": "warn", "cut": "warn"}.get(code, "pass")
    assert told in verdict.message


PAGED = (
    "[Page 1]\nThe group increased its holding in the subsidiary to 75 % and intends to ac-\n\n[Page 2]\nquire the "
    "remaining shares by the end of 2026.[12] The auditors[a] agreed to it\n\n[Page 3]\nin the autumn of the year."
)


@cases(
    ("quote", "code"),
    [
        (
            "increased its holding in the subsidiary to 75 % and intends to acquire the remaining shares",
            "found",
        ),
        ("intends to acquire the remaining shares by the end of 2026. The auditors agreed to it", "nearly"),
        ("The auditors agreed to it in the autumn of the year.", "nearly"),
        ("agreed to it in the autumn of the year", "found"),
        ("acquire the remaining shares by the end of 2027. The auditors agreed to it", "changed"),
    ],
)
def test_neither_pages_nor_notes_stand_between_its_words(quote, code):
    sources = {5: QuotedSource(5, "A PDF", 15, PAGED)}
    [verdict] = check_quotes(DATA, [{"pointer": "/name", "source": 5, "quote": quote}], sources.get)
    assert verdict.code == code, verdict.message
    where = verdict.evidence
    assert where["passage"] == PAGED[where["start"] : where["end"]]


@cases("gap", ["[...]", "[…]", "...", "…", "(...)", " [ … ] "])
def test_it_finds_the_parts_around_a_gap(gap):
    verdict = check(f"It was founded in 1890 {gap} It employs 157,883 people.")
    assert verdict.verdict == "pass"
    parts = [PAGE[start:end] for start, end in verdict.evidence["parts"]]
    assert parts == ["It was founded in 1890", "It employs 157,883 people."]


def test_parts_far_apart_are_shown_by_the_first():
    evidence = check("It employs 157,883 people. […] part of the DAX index.").evidence
    assert evidence["passage"].startswith("It employs")
    assert len(evidence["parts"]) == 2


def test_parts_in_another_order_are_a_warning():
    verdict = check("It employs 157,883 people. […] It was founded in 1890")
    assert (verdict.code, verdict.verdict) == ("order", "warn")


def test_every_part_must_be_there():
    assert check("It was founded in 1890 […] and dissolved in the same year").code == "not-found"


@pytest.mark.parametrize("source", [1, "1", "[1]", " #1 "])
def test_it_reads_numbers_as_models_write_them(source):
    assert check("It was founded in 1890", source).verdict == "pass"


@cases("source", [None, True, "one", 1.5, [1], {}, -1, 10**30, "", "9" * 40])
def test_other_numbers_name_no_source(source):
    assert check("It was founded in 1890", source).code == "no-source"


@cases(
    ("pointer", "place"),
    [("/founded", "/founded"), ("founded", "/founded"), ("$.founded", "/founded"), ("sites[0].town", "/sites/0/town"),
     ("$.sites[0].town", "/sites/0/town"), ("/a~1b", "/a~1b"), ("/sites/0", "/sites/0")],
)  # fmt: skip
def test_it_stands_at_the_place_that_is_meant(pointer, place):
    verdict = check("It was founded in 1890", pointer=pointer)
    assert (verdict.pointer, verdict.verdict) == (place, "pass")


@cases("pointer", ["/nothing", "nothing", "", None, 7, "/sites/9", "/sites/-1", "/~2", "/" + "x" * 900])
def test_a_place_that_is_not_there_is_a_warning(pointer):
    verdict = check("It was founded in 1890", pointer=pointer)
    assert verdict.verdict == "warn"
    assert "document has not" in verdict.message
    assert len(verdict.pointer) <= 500


def test_a_place_that_is_not_there_does_not_soften_a_failure():
    assert check("nowhere to be found at all", pointer="/nothing").verdict == "fail"


@pytest.mark.parametrize(
    ("quote", "pointer", "names"),
    [("It was founded in 1890", "/founded", True), ("It was founded in Berlin", "/founded", False),
     ("company in munich.", "/sites/0/town", True), ("company in munich.", "/sites", False)],
)  # fmt: skip
def test_it_notes_whether_the_quote_names_the_value(quote, pointer, names):
    assert check(quote, pointer=pointer).evidence["names_value"] is names


def test_verdicts_stand_in_the_order_of_the_evidence():
    quotes = [(2, "Allianz SE"), (1, "It was founded in 1890"), (2, "529900K9B0N5BT694847"), (9, "x")]
    evidence = [{"pointer": "/name", "source": number, "quote": quote} for number, quote in quotes]
    verdicts = check_quotes(DATA, evidence, SOURCES.get)
    assert [(v.evidence["source"], v.evidence["quote"]) for v in verdicts] == quotes


def test_it_reads_each_source_once():
    asked = []

    def find(number):
        asked.append(number)
        return SOURCES.get(number)

    evidence = [{"pointer": "/name", "source": number, "quote": "Allianz SE"} for number in (1, 2, 1, 2, 1)]
    check_quotes(DATA, evidence, find)
    assert asked == [1, 2]


@pytest.mark.parametrize(
    "item", [{}, {"quote": 7}, {"quote": None, "source": 1}, {"pointer": [], "source": {}, "quote": []}]
)
def test_whatever_a_model_wrote_gets_a_verdict(item):
    [verdict] = check_quotes(DATA, [item], SOURCES.get)
    assert verdict.verdict == "fail"


SCHEMA = {
    "properties": {
        "confidence": {"enum": ["high", "low"]},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
        "deep": {"properties": {"kind": {"const": "x"}}},
    }
}
CLAIMS = {
    "name": "Allianz SE", "founded": 1890, "zero": 0, "listed": True, "none": None, "empty": "", "confidence": "high",
    "tags": ["a"], "deep": {"kind": "x", "text": "y"}, "towns": ["Munich", "Berlin"],
}  # fmt: skip


def quotes(**verdicts):
    made = []
    for place, quote in verdicts.items():
        pointer = "/" + place.replace("__", "/")
        made += check_quotes(CLAIMS, [{"pointer": pointer, "source": 1, "quote": quote}], SOURCES.get)
    return made


def test_it_counts_claims_but_not_judgements():
    assert coverage(CLAIMS, SCHEMA, []) == {"claims": 6, "quoted": 0, "found": 0}
    assert coverage({}, {}, []) == {"claims": 0, "quoted": 0, "found": 0}


def test_what_a_macro_says_is_no_claim_is_not_counted():
    """How it was searched, the address of a source: nobody would put a quote beside these."""
    schema = {
        "properties": {
            "strategy": {"x-claim": False, "properties": {"query": {"type": "string"}}},
            "findings": {"items": {"properties": {"url": {"x-claim": False}, "claim": {"x-claim": True}}}},
        }
    }
    data = {"strategy": {"query": "q", "sources": ["a"]}, "findings": [{"url": "u", "claim": "c"}]}
    assert coverage(data, schema, [])["claims"] == 1


@pytest.mark.parametrize(
    ("macro", "data", "claims"),
    [
        (
            "deep-research",
            {
                "question": "Q",
                "report": "R",
                "findings": [{"claim": "C", "sources": [1], "confidence": "high"}],
                "sources": [{"number": 1, "title": "T", "url": "u", "accessed": "2026-01-01"}],
                "limitations": ["L"],
            },
            2,
        ),
        (
            "legal-research",
            {
                "question": "Q",
                "memo": {
                    "title": "T",
                    "executiveSummary": "S",
                    "methodology": "M",
                    "findings": [
                        {
                            "issue": "I",
                            "conclusion": "C",
                            "confidence": 0.5,
                            "supportingCitations": ["BGE 1"],
                            "passages": [{"quote": "W", "citation": "BGE 1", "source": 1, "url": "u"}],
                        }
                    ],
                    "citations": [{"citation": "BGE 1", "title": "T", "note": "N"}],
                },
                "strategy": {"queries": [{"query": "q"}]},
                "metadata": {"phase": "deliver"},
            },
            3,
        ),
    ],
)
def test_only_statements_of_a_report_are_claims(macro, data, claims):
    schema = load_macro((LIBRARY / f"{macro}.yaml").read_text(encoding="utf-8")).schema
    assert coverage(data, schema, [])["claims"] == claims


def test_it_counts_what_is_quoted_and_what_was_found():
    checks = quotes(
        name="Allianz SE is a holding company", founded="nowhere to be found, this one is not there"
    )
    assert coverage(CLAIMS, SCHEMA, checks) == {"claims": 6, "quoted": 2, "found": 1}


def test_a_quote_at_a_list_counts_for_the_values_in_it():
    checks = quotes(towns="a holding company in Munich")
    assert coverage(CLAIMS, SCHEMA, checks) == {"claims": 6, "quoted": 2, "found": 2}


def test_one_quote_that_is_found_is_enough_for_a_value():
    checks = quotes(name="nowhere to be found at all") + quotes(name="Allianz SE is a holding company")
    assert coverage(CLAIMS, SCHEMA, checks) == {"claims": 6, "quoted": 1, "found": 1}


def test_a_quote_that_is_too_short_backs_nothing():
    assert coverage(CLAIMS, SCHEMA, quotes(name="in Berlin")) == {"claims": 6, "quoted": 1, "found": 0}


def test_a_quote_of_the_whole_document_counts_for_nothing():
    [verdict] = check_quotes(
        CLAIMS, [{"pointer": "", "source": 1, "quote": "It was founded in 1890"}], SOURCES.get
    )
    assert coverage({"a": "b"}, {}, [verdict]) == {"claims": 1, "quoted": 0, "found": 0}


@cases(
    ("claim", "quote", "code", "word"),
    [
        ("Allianz SE employs 157,883 people.", "It employs 157,883 people.", "found", "pass"),
        ("It employs 175,883 people today.", "It employs 157,883 people.", "contradicted", "fail"),
        ("It was not founded in Berlin.", "It was founded in 1890 in Berlin.", "contradicted", "fail"),
        ("It was founded in Berlin in 1980.", "It was founded in 1890 in Berlin.", "contradicted", "fail"),
        ("The holding sits in Bavaria and is old.", "It was founded in 1890 in Berlin.", "found", "pass"),
    ],
)
def test_a_true_quote_does_not_bear_out_the_opposite(claim, quote, code, word):
    evidence = [{"pointer": "/claim", "source": 1, "quote": quote}]
    [verdict] = check_quotes({"claim": claim}, evidence, SOURCES.get)
    assert (verdict.code, verdict.verdict) == (code, word)
