"""The table of fields is made from GLEIF's dictionary."""

from entities.gleif.golden.dictionary import as_csv, table


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
    assert table(DICTIONARY)["lei2"] == [
        ("lei", "LEI", ""),
        ("lines[]", "Line[]", ""),
        ("names[].language", "Names/Name[]/@xml:lang", ""),
        ("names[].name", "Names/Name[]", ""),
        ("registration.date", "Registration/Date", "date"),
    ]


def test_it_writes_the_table_as_csv():
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
    head, *rows = as_csv([*DICTIONARY, *more]).splitlines()
    assert head == "kind,api,cdf,type"
    assert rows == [
        *(f"lei2,{','.join(row)}" for row in table(DICTIONARY)["lei2"]),
        "rr,relationship.type,T,",
        "repex,lei,LEI,",
    ]
