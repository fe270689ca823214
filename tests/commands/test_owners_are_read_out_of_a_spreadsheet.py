"""``manage.py research owners-table``: a spreadsheet of owners from a terminal."""

import pytest

from research.models import ResearchResult, Run
from research.services.macros import sync_macros

pytestmark = pytest.mark.django_db


@pytest.fixture
def take(run, admin, tmp_path):
    """What the command says of a sheet."""
    sync_macros()
    path = tmp_path / "owners.csv"

    def take(sheet, *options):
        path.write_text(sheet)
        return run(
            "research", "owners-table", str(path), "--source", "T AG", "--stated-on", "2026-03-01", *options
        )

    return take


def test_it_reads_the_file_and_leaves_a_result_for_review(take):
    assert take("Company,Owner,Share\nT AG,Anna,10%\n", "--owner-type", "person").code == 0
    [owner] = ResearchResult.objects.get().data["ownership_chain"]
    assert (owner["owner_name"], owner["owner_type"], owner["percentage"]) == ("Anna", "person", 10)


def test_columns_are_named_where_their_header_does_not_say_it(take):
    told = take("a,b,c\nAnna,10%,x\n", "--column", "owner=1", "--column", "share=2", "--owned", "T AG")
    assert told.code == 0
    assert Run.objects.get().params["columns"] == {"owner": 1, "share": 2}


@pytest.mark.parametrize(
    ("sheet", "options", "words"),
    [
        ("", (), "The table is empty"),
        ("Company,Owner\nT,A\n", ("--column", "banana=1"), "write WHAT=N"),
        ("a,b\nT,A\n", (), "owner"),
    ],
)
def test_what_cannot_be_started_is_told_with_what_to_do(take, sheet, options, words):
    told = take(sheet, *options)
    assert told.code != 0
    assert words in told.err + told.out
    assert not Run.objects.exists()
