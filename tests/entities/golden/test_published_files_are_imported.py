"""Files that GLEIF has published, or parts of them, where there are any beside the project."""

import os
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from entities.gleif.finding import find_by_name
from entities.gleif.golden.files import BadFile
from entities.gleif.golden.importing import Given, import_file
from entities.gleif.register import open_register
from entities.models import LeiName, LeiRecord, LeiRelationship, ReportingException

DATA = Path(os.environ.get("DOSSIER_SHARED_DATA", "")) / "gleif"
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(
        not os.environ.get("DOSSIER_SHARED_DATA"), reason="no published files: set DOSSIER_SHARED_DATA"
    ),
]
NIGHT = datetime(2024, 5, 5, tzinfo=UTC)
PARTS = [
    ("bodspipelines/lei-data.xml", LeiRecord, 13),
    ("bodspipelines/rr-data.xml", LeiRelationship, 10),
    ("bodspipelines/repex-data.xml", ReportingException, 10),
    ("homebeaver/lei_data.xml", LeiRecord, 2),
    ("modusnl/20180901-gleif-concatenated-file-lei2-Top10.xml", LeiRecord, 10),
]


def test_a_delta_in_json_is_imported_whole_and_its_records_verify_and_are_found(settings):
    settings.DOSSIER_REGISTER = "gleif"
    [path] = (DATA / "golden-copy").glob("*.json")
    done = import_file(path, given=Given(scope="full", publish_date=NIGHT))
    assert done.counts["held"] == done.counts["read"] == LeiRecord.objects.count() > 100
    assert LeiName.objects.count() > LeiRecord.objects.count()
    register = open_register("gleif")
    for record in LeiRecord.objects.exclude(legal_name="")[:40]:
        found = find_by_name(record.legal_name, register=register)
        assert record.lei in found.outcome.leis or record.registration_status != "ISSUED"


@pytest.mark.parametrize(("name", "model", "count"), PARTS, ids=[name for name, _, _ in PARTS])
def test_parts_of_xml_files_are_imported_when_their_header_counts_them(tmp_path, name, model, count):
    text = (DATA / "cdf-xml" / name).read_text(encoding="utf-8")
    path = tmp_path / "part.xml"
    path.write_text(re.sub(r"RecordCount>\d+<", f"RecordCount>{count}<", text), encoding="utf-8")
    done = import_file(path, given=Given(scope="full"))
    assert done.counts["held"] == model.objects.count() == count


def test_a_part_is_no_whole_register():
    with pytest.raises(BadFile, match="holds 13 records; 2,394,586 are announced"):
        import_file(DATA / "cdf-xml" / PARTS[0][0])
