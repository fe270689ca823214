"""The table of fields is made from GLEIF's dictionary."""

from entities.gleif.golden.dictionary import module, table


def field(id: str, path: str | None, xpath: str | None, kind: str = "STRING") -> dict:
    return {"id": id, "attributes": {"jsonPath": path, "xpath": xpath, "data_type": kind}}


BASE = "/lei:LEIData/lei:LEIRecords/lei:LEIRecord"
DICTIONARY = [
    field("LEIREC_LEI", "$.lei", f"{BASE}/lei:LEI"),
    field("LEIREC_DATE", "$.registration.date", f"{BASE}/lei:Registration/lei:Date", "DATE"),
    field("LEIREC_NAME", "$.names[*].name", f"{BASE}/lei:Names/lei:Name"),
    field("LEIREC_NAME_LANGUAGE", "$.names[*].language", f"{BASE}/lei:Names/lei:Name/@xml:lang"),
    field("LEIREC_LINES", "$.lines[*]", f"{BASE}/lei:Line"),
    field("LEIREC_BIC", "$.bic", None),
    field("LEIREC_EVENT", None, f"{BASE}/lei:Event"),
    field("entity.odd", "REVIEW", "/LEIRecord/Entity"),
]


def test_it_pairs_what_has_both_paths():
    assert table(DICTIONARY)["LEI"] == [
        ("lei", "LEI", ""),
        ("lines[]", "Line[]", ""),
        ("names[].language", "Names/Name[]/@xml:lang", ""),
        ("names[].name", "Names/Name[]", ""),
        ("registration.date", "Registration/Date", "date"),
    ]


def test_it_writes_a_module_that_says_the_same():
    more = [
        field(
            "RR_TYPE",
            "$.relationship.type",
            "/rr:RelationshipData/rr:RelationshipRecords/rr:RelationshipRecord/rr:T",
        ),
        field(
            "REPEX_LEI",
            "$.lei",
            "/repex:ReportingExceptionData/repex:ReportingExceptions/repex:Exception/repex:LEI",
        ),
    ]
    names: dict = {}
    exec(module([*DICTIONARY, *more]), names)
    assert list(names["LEI"]) == table(DICTIONARY)["LEI"]
    assert names["RELATIONSHIP"] == (("relationship.type", "T", ""),)
    assert names["EXCEPTION"] == (("lei", "LEI", ""),)
