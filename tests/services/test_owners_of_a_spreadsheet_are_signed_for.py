"""A spreadsheet of owners goes the way of any research: read, checked, reviewed, and only then written."""

import pytest

from common.tables import CSV, BadTable
from entities.memory.interests import read_structure
from entities.models import Entity, Statement
from research.engine.runner import perform_run
from research.errors import InvalidParameters, NotPermitted
from research.models import AuditEvent, Document, ResearchResult, Run
from research.models.states import RunState
from research.services.execution import execute_verbs
from research.services.macros import sync_macros
from research.services.reviews import approve_result
from research.services.runs import start_run
from research.services.tables import keep_table, kept_table, preview_owners, suggest_reading
from tests.factories import ALL_RIGHTS, UserFactory

pytestmark = pytest.mark.django_db
SHEET = """\
Share register of Muster Handels AG;;;;
Firma;Eigentümer;Art;Anteil in %;Seit
Muster Handels AG;Anna Beispiel;natürliche Person;40 %;01.03.2020
;Muster Holding Limited;Gesellschaft;60 %;15.02.2021
Muster Holding Limited;Boris Testov;Person;mehr als 50 %, weniger als 75 %;2021
;Dritte GmbH;Gesellschaft;viel;
"""


@pytest.fixture
def person():
    sync_macros()
    return UserFactory(rights=ALL_RIGHTS)


def performed(person, sheet=SHEET, **more):
    """The run that read the sheet as it is suggested."""
    kept = keep_table(content=sheet.encode(), name="register.csv", actor=person)
    params = {"source": "Muster Handels AG", "stated_on": "2026-03-01", "table": kept.digest}
    params |= suggest_reading(kept_table(kept)) | more
    run = start_run(macro="owners-from-table", params=params, trigger="api", requested_by=person)
    perform_run(run.pk)
    run.refresh_from_db()
    return run


def test_rows_become_a_result_whose_values_are_found_in_the_archived_table(person):
    result = ResearchResult.objects.get(run=performed(person))
    first, second, third = result.data["ownership_chain"]
    assert (first["owner_name"], first["owner_type"], first["percentage"]) == ("Anna Beispiel", "person", 40)
    assert (second["owned_entity"], second["since"]) == ("Muster Handels AG", "2021-02-15")
    assert (third["more_than"], third["less_than"], third["since"]) == (50, 75, "2021")
    assert [row["row"] for row in result.data["not_read"]] == [6]
    assert any("row 6, share: it is no percentage" in each for each in result.limitations)
    verdicts = {check.kind: check.verdict for check in result.checks.all()}
    assert verdicts == {"schema": "pass", "origin": "pass", "ownership": "pass"}
    assert [source.document.mime for source in result.run.sources.all()] == [CSV]


def test_what_was_approved_is_written_with_its_bands_days_and_source(person):
    result = ResearchResult.objects.get(run=performed(person))
    decision = approve_result(result=result, reviewer=person, digest=result.digest, shown=[""])
    assert [call.state for call in execute_verbs(decision=decision, actor=person)] == ["succeeded"] * 3
    holding = Entity.objects.get(name="Muster Holding Limited")
    [interest] = read_structure(holding, holding.created_at.date()).interests
    assert str(interest.share) == "more than 50 to less than 75 %"
    assert (interest.source, str(interest.stated_on)) == ("Muster Handels AG", "2026-03-01")
    assert Entity.objects.get(name="Boris Testov").type == Entity.Type.PERSON
    assert set(
        Statement.objects.filter(property="shareholding").values_list("valid_from_precision", flat=True)
    ) == {
        "day",
        "year",
    }


def test_seventy_and_sixty_percent_in_a_sheet_fail_at_the_gate(person):
    sheet = "Company,Owner,Share\nT AG,A AG,70%\nT AG,B AG,60%\n"
    result = ResearchResult.objects.get(run=performed(person, sheet, owner_type="legal-entity"))
    assert [check.verdict for check in result.checks.filter(kind="ownership")] == ["fail", "fail"]


def test_who_has_sold_does_not_count_beside_who_has_bought(person):
    sheet = "Company,Owner,Share,Until\nT AG,A AG,100%,2025-01-01\nT AG,B AG,100%,\n"
    result = ResearchResult.objects.get(run=performed(person, sheet))
    assert [check.verdict for check in result.checks.filter(kind="ownership")] == ["pass"]


def test_a_table_of_which_no_row_can_be_read_fails_with_the_first_reason(person):
    run = performed(person, "Company,Owner,Share\nT AG,A AG,much\n")
    assert (run.state, run.error["code"]) == (RunState.FAILED, "nothing_read")
    assert "row 2, share: it is no percentage" in run.error["message"]


def test_a_table_that_is_not_kept_is_not_read(person):
    columns = {"owner": 1}
    params = {"source": "x", "stated_on": "2026-03-01", "table": "0" * 64, "columns": columns}
    run = start_run(macro="owners-from-table", params=params, trigger="api", requested_by=person)
    perform_run(run.pk)
    assert Run.objects.get(pk=run.pk).error["code"] == "not_found"
    with pytest.raises(InvalidParameters, match="is kept"):
        preview_owners({"table": "0" * 64, "columns": columns})


def test_a_document_of_another_kind_is_no_table(person):
    page = Document.objects.create(
        digest="1" * 64, mime="text/html", text="a,b", size=3, fetched_at=person.date_joined
    )
    with pytest.raises(InvalidParameters):
        preview_owners({"table": page.digest, "columns": {"owner": 1}})


def test_a_column_that_the_table_does_not_have_is_refused(person):
    kept = keep_table(content=SHEET.encode(), name="a.csv", actor=person)
    with pytest.raises(InvalidParameters, match="only 5 columns"):
        preview_owners({"table": kept.digest, "columns": {"owner": 9}})


def test_the_same_table_is_kept_once_and_each_keeping_is_on_the_trail(person):
    digests = {keep_table(content=SHEET.encode(), name="a.csv", actor=person).digest for _ in range(2)}
    assert len(digests) == 1
    assert AuditEvent.objects.filter(action="table.kept", actor=person).count() == 2


def test_a_file_that_is_no_table_is_not_kept(person):
    with pytest.raises(BadTable):
        keep_table(content=b"PK\x03\x04", name="a.xlsx", actor=person)
    assert not Document.objects.filter(mime=CSV).exists()


def test_nobody_keeps_a_table_without_the_right_to_start_research():
    with pytest.raises(NotPermitted):
        keep_table(content=SHEET.encode(), name="a.csv", actor=UserFactory())


def test_the_columns_of_the_last_table_with_the_same_header_are_remembered(person):
    performed(
        person,
        "who,of whom,how much\nA AG,T AG,10%\n",
        columns={"owner": 1, "owned": 2, "share": 3},
        header_row=1,
    )
    again = keep_table(content=b"who,of whom,how much\nB AG,T AG,20%\n", name="b.csv", actor=person)
    assert suggest_reading(kept_table(again))["columns"] == {"owner": 1, "owned": 2, "share": 3}
    other = keep_table(content=b"who,of whom\nB AG,T AG\n", name="c.csv", actor=person)
    assert suggest_reading(kept_table(other))["columns"] == {}


def test_two_thousand_owners_are_read_and_one_more_is_refused(person):
    sheet = "Company,Owner,Share\n" + "".join(f"T{n} AG,Owner {n} AG,10%\n" for n in range(2_001))
    assert performed(person, sheet).error["code"] == "too_large"
    kept = keep_table(content=sheet[: sheet.rindex("T2000")].encode(), name="a.csv", actor=person)
    assert len(preview_owners({"table": kept.digest, **suggest_reading(kept_table(kept))}).rows) == 2_000
