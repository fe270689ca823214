"""A file with any fault is refused whole: it says where and why, and nothing has changed."""

import zipfile

import pytest

from entities.gleif.golden import documents
from entities.gleif.golden.files import BadFile
from entities.gleif.golden.importing import Given, import_file
from entities.models import GoldenCopyImport, LeiName, LeiRecord
from tests.cases import cases
from tests.register_files import MORNING, attributes_of, exception_of, lei_of, relationship_of

pytestmark = pytest.mark.django_db

HEADER = "LEI,Entity.LegalName,Entity.EntityStatus,Registration.RegistrationStatus"
GOOD = f"{lei_of(1)},Muster,ACTIVE,ISSUED"
WRONG = lei_of(1)[:-2] + ("02" if not lei_of(1).endswith("02") else "03")
LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    '<lei:LEIData xmlns:lei="http://www.gleif.org/data/schema/leidata/2016">&b;</lei:LEIData>'
)
OUTSIDE = LAUGHS.replace('<!ENTITY a "ha">', '<!ENTITY a SYSTEM "file:///etc/hostname">')
NUL, HALF = r"A\u0000B", r"A\ud83dB"
ENTITY = f'{{"LEI": {{"$": "{lei_of(1)}"}}, "Entity": {{"LegalName": {{"$": "Muster"}}}}}}'
XML = '<lei:LEIData xmlns:lei="http://www.gleif.org/data/schema/leidata/2016"><lei:LEIRecords>'


def refused(path, **given) -> str:
    before = list(LeiRecord.objects.values()), list(LeiName.objects.values())
    with pytest.raises(BadFile) as error:
        import_file(path, given=Given(**{"scope": "full", "publish_date": MORNING, **given}))
    assert (list(LeiRecord.objects.values()), list(LeiName.objects.values())) == before
    assert not GoldenCopyImport.objects.filter(state="running").exists()
    return str(error.value)


@pytest.fixture(autouse=True)
def register(load):
    """What must not change."""
    load([attributes_of(1)])


@cases(
    ("text", "reason"),
    [
        ("", "The file is empty."),
        ("Name;Land\nA;DE\n", "separates its columns by ';'"),
        ("Name\tLand\n", "separates its columns by '\\t'"),
        ("Name,Land\nA,DE\n", "no columns of a golden copy"),
        (
            "LEI,Entity.LegalName\n",
            "lacks columns of LEI records: Entity.EntityStatus, Registration.RegistrationStatus",
        ),
        (
            "Relationship.StartNode.NodeID,Relationship.RelationshipType\n",
            "lacks columns of relationships: Relationship.EndNode.NodeID, Relationship.RelationshipStatus",
        ),
        ("LEI,Exception.Category\n", "lacks columns of reporting exceptions: ExceptionReason"),
        (f"{HEADER},LEI\n", "names a column twice"),
        (f"{HEADER}\n{GOOD}\n{GOOD},too,many\n", "Line 3 has 6 columns instead of 4."),
        (f"{HEADER}\n{GOOD}\n,Ohne,ACTIVE,ISSUED\n", "Line 3: a record without its LEI."),
        (f"{HEADER}\n{WRONG},Falsch,ACTIVE,ISSUED\n", f"Line 2: the LEI '{WRONG}' is no LEI:"),
        (f"{HEADER}\n{lei_of(1).lower()},Klein,ACTIVE,ISSUED\n", "it has blanks or small letters"),
        (
            f"{HEADER}\n{GOOD}\n{lei_of(2)},B,ACTIVE,ISSUED\n{GOOD}\n",
            f"Line 4: the LEI {lei_of(1)} is in the file already",
        ),
        (f'{HEADER}\n{lei_of(1)},"offen,ACTIVE,ISSUED\n', "cannot be read after line 2"),
        (f"{HEADER}\n{lei_of(1)},{'x' * 140_000},ACTIVE,ISSUED\n", "field larger than field limit"),
        (f"{HEADER}\n{lei_of(1)},A\0B,ACTIVE,ISSUED\n", "NUL byte"),
        (f"{HEADER}\n", "The file holds no records."),
        ('{"records": [', "broken or cut off at record 1"),
        ('{"records": []}', "The file holds no records."),
        ('{"records": 7}', "no list of records"),
        ('{"records": [{"Entity": {}}', "Record 1: a record without its LEI."),
        ('[{"a": 1}]', "its first record is none of"),
        (f'[{{"LEI": {{"$": "{lei_of(1)}"}}, "Entity": {{}}}} nonsense', "broken after record 1"),
        (f"[{ENTITY},{ENTITY},]", "broken or cut off at record 3"),
        (f"[{ENTITY},{ENTITY.replace('Muster', NUL)}]", "Record 2 holds a NUL character"),
        (f"[{ENTITY},{ENTITY.replace('Muster', HALF)}]", "Record 2 holds half of a character"),
        ('[{"LEI": NaN, "Entity": {}}]', "broken or cut off at record 1"),
        ('{"records": ' + "[" * 100_000, "broken or cut off"),
        (LAUGHS, "The XML declares a document type"),
        (OUTSIDE, "The XML declares a document type"),
        ("<html></html>", "its root is <html>"),
        ("<LEIData/>", "format that is not supported (no namespace)"),
        (f"{XML}<lei:LEIRecord>", "broken or cut off at line 1"),
        (
            f"{XML}\n<lei:LEIRecord><lei:Entity/></lei:LEIRecord>",
            "The record at line 2: a record without its LEI",
        ),
        (f"{XML}<lei:LEIRecord>{'<lei:a>' * 3_000}", "Excessive depth in document"),
        (f"{XML}<lei:LEIRecord><lei:LEI>{'x' * 2_100_000}", "too long"),
        (f'{XML}<lei:LEIRecord><lei:LEI a="{"x" * 2_300_000}', "too long"),
        (f"{XML}</lei:LEIRecords></lei:LEIData>", "The file holds no records."),
        ('<?xml version="1.0" encoding="x-odd"?><a/>', "The XML"),
    ],
)
def test_it_says_where_and_why(folder, text, reason):
    assert reason in refused(folder.text(text))


def test_a_record_of_tags_without_end(folder, monkeypatch):
    monkeypatch.setattr(documents, "MAX_RECORD", 2_000)
    text = f"{XML}<lei:LEIRecord>{'<lei:a/>' * 2_100}"
    assert "record or tag after line 1 is too long" in refused(folder.text(text))


def test_text_that_is_not_utf_8(folder):
    assert "not UTF-8" in refused(
        folder.text(f"{HEADER}\n{lei_of(1)},Köln,ACTIVE,ISSUED\n".encode("latin-1"))
    )
    assert "not UTF-8" in refused(folder.text('{"records": [{"LEI": "Köln"}]}'.encode("latin-1")))


@cases(
    ("records", "kind", "words"),
    [([relationship_of(1, 2)], "rr", "relationships"), ([exception_of(1)], "repex", "reporting exceptions")],
)
@cases("form", ["csv", "json", "xml"])
def test_a_file_of_another_kind(folder, records, kind, words, form):
    path = folder.file(records, kind=kind, form=form, name=f"file.{form}")
    assert refused(path, kind="lei2") == f"The file holds {words}, not LEI records."
    named = path.rename(path.with_name(f"20260210-0800-gleif-goldencopy-lei2-golden-copy.{form}"))
    assert refused(named) == f"The file holds {words}, not LEI records."


@pytest.mark.parametrize("form", ["csv", "json", "xml"])
def test_an_lei_that_comes_twice(folder, form):
    path = folder.file([attributes_of(2), attributes_of(3), attributes_of(2, "Noch einmal")], form=form)
    assert f"the LEI {lei_of(2)} is in the file already" in refused(path)


def test_a_header_that_counts_otherwise(folder):
    path = folder.file([attributes_of(1), attributes_of(2)], form="xml", count=3)
    assert refused(path) == "The file holds 2 records; 3 are announced."


def test_a_header_that_says_nothing_but_a_count(folder):
    header = "<lei:LEIHeader><lei:RecordCount>3</lei:RecordCount></lei:LEIHeader>"
    record = f"<lei:LEIRecord><lei:LEI>{lei_of(1)}</lei:LEI></lei:LEIRecord></lei:LEIRecords></lei:LEIData>"
    path = folder.text(XML.replace("<lei:LEIRecords>", f"{header}<lei:LEIRecords>") + record)
    assert refused(path) == "The file holds 1 records; 3 are announced."


def test_a_publisher_that_counts_otherwise(folder):
    assert "2 records; 5 are announced" in refused(
        folder.file([attributes_of(1), attributes_of(2)]), expected=5
    )
    path = folder.file([attributes_of(1)], form="xml")
    assert refused(path, expected=5) == "The header counts 1 records, the publisher 5."


def test_a_header_that_says_delta_where_all_is_expected(folder):
    path = folder.file(
        [attributes_of(1)], form="xml", name="20260210-0800-gleif-goldencopy-lei2-last-day.xml"
    )
    assert refused(path, scope="full") == "By its header the file is a delta."


def test_a_file_that_nobody_says_anything_of(folder):
    path = folder.file([attributes_of(1)], name="file.csv")
    assert "all of the register or a delta" in refused(path, scope=None)
    assert "when it was published" in refused(path, publish_date=None)


class TestArchives:
    def test_cut_off(self, folder):
        whole = folder.zipped(folder.file([attributes_of(n) for n in range(1, 200)]))
        data = whole.read_bytes()
        assert "its table of contents is missing" in refused(folder.text(data[: len(data) // 2], "a.zip"))

    def test_damaged_inside(self, folder):
        data = bytearray(folder.zipped(folder.file([attributes_of(n) for n in range(1, 200)])).read_bytes())
        data[400:440] = b"x" * 40
        assert "damaged or cut off" in refused(folder.text(bytes(data), "a.zip"))

    def test_text_called_zip(self, folder):
        assert (
            refused(folder.text(f"{HEADER}\n{GOOD}\n", "a.csv.zip"))
            == "The file is called .zip but is no zip archive."
        )

    @pytest.mark.parametrize("count", [0, 2])
    def test_not_one_file(self, folder, count):
        path = folder.path / "a.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for number in range(count):
                archive.writestr(f"{number}.csv", f"{HEADER}\n{GOOD}\n")
        assert refused(path) == f"The archive holds {count} files; one of the golden copy holds exactly one."

    def test_a_bomb(self, folder):
        path = folder.path / "a.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a.csv", f"{HEADER}\n" + " " * 20_000_000)
        assert "more than 100 times its size" in refused(path)

    def test_encrypted(self, folder):
        data = bytearray(folder.zipped(folder.file([attributes_of(1)])).read_bytes())
        data[6] |= 1
        data[data.rindex(b"PK\x01\x02") + 8] |= 1
        assert refused(folder.text(bytes(data), "a.zip")) == "The archive is encrypted."

    def test_bytes_after_a_good_start(self, folder):
        assert refused(folder.text(b"PK\x03\x04 and then nothing", "a.zip"))


def test_a_file_that_is_not_there(folder):
    assert "cannot be opened" in refused(folder.path / "gone.csv")


def test_the_account_keeps_the_reason(folder):
    refused(folder.text(f"{HEADER}\n,Ohne,ACTIVE,ISSUED\n"))
    account = GoldenCopyImport.objects.first()
    assert (account.state, account.error) == ("failed", "Line 2: a record without its LEI.")
