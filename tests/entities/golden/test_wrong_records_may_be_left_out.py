"""A wrong record refuses its file, unless so many may be left out; then each is named."""

import pytest

from entities.gleif.golden import importing
from entities.gleif.golden.files import BadFile
from entities.gleif.golden.importing import Given, import_file
from entities.models import GoldenCopyImport, LeiRecord
from tests.cases import cases
from tests.register_files import MORNING, attributes_of, lei_of, relationship_of

pytestmark = pytest.mark.django_db


def wrong(number):
    """A record with one wrong check digit."""
    right = lei_of(number)
    return attributes_of(number, "Falsch") | {"lei": right[:-1] + str((int(right[-1]) + 1) % 10)}


def records():
    return [attributes_of(1), wrong(2), attributes_of(3), {**attributes_of(4), "lei": ""}, attributes_of(5)]


def load(path, most, **given):
    return import_file(path, given=Given(scope="full", publish_date=MORNING, skip_bad=most, **given))


@pytest.mark.parametrize("form", ["csv", "json", "xml"])
def test_they_are_left_out_and_each_is_named_with_its_place_and_reason(folder, form):
    done = load(folder.file(records(), form=form), 2)
    assert [*LeiRecord.objects.values_list("lei", flat=True)] == [lei_of(1), lei_of(3), lei_of(5)]
    first, second = done.left_out
    place = {
        "csv": ("Line 3", "Line 5"),
        "json": ("Record 2", "Record 4"),
        "xml": ("The record at line",) * 2,
    }
    assert (first.startswith(place[form][0]), second.startswith(place[form][1])) == (True, True)
    assert "is no LEI" in first
    assert second.endswith("a record without its LEI.")
    assert done.counts["read"] == 3


@cases("form", ["csv", "json", "xml"])
@cases(("most", "said"), [(0, "is no LEI"), (1, "More than 1 records are wrong; the next: ")])
def test_one_too_many_refuses_the_file(folder, form, most, said):
    with pytest.raises(BadFile, match=said):
        load(folder.file(records(), form=form), most)
    assert not LeiRecord.objects.exists()
    assert GoldenCopyImport.objects.get().left_out == []


def test_those_left_out_count_for_the_number_that_is_announced(folder):
    path = folder.file(records(), form="xml")
    assert load(path, 2, expected=5).counts["held"] == 3


@pytest.mark.parametrize("form", ["csv", "json"])
def test_relationships_are_left_out_too(folder, form):
    bad = relationship_of(1, 2)
    bad["relationship"]["endNode"]["id"] = "no LEI"
    done = load(folder.file([relationship_of(1, 3), bad], kind="rr", form=form), 1)
    assert len(done.left_out) == done.counts["held"] == 1


def test_a_file_that_is_broken_in_itself_is_refused_all_the_same(folder):
    path = folder.file(records())
    path.write_text(path.read_text(encoding="utf-8") + '"too","few"\n', encoding="utf-8")
    with pytest.raises(BadFile, match="Line 7 has 2 columns"):
        load(path, 10)


def test_processes_that_read_tell_the_same(folder, monkeypatch, settings):
    """What they give is as in one process; PostgreSQL alone has them."""
    monkeypatch.setattr(importing, "WORTH_PROCESSES", 0)
    settings.GOLDEN_COPY_PROCESSES = 2
    path = folder.file(records())
    done = load(path, 2)
    assert [sentence.partition(":")[0] for sentence in done.left_out] == ["Line 3", "Line 5"]
    assert done.counts["held"] == 3
    with pytest.raises(BadFile, match="More than 1 records are wrong; the next: Line 5"):
        load(path, 1, shrunk=True)
    with pytest.raises(BadFile, match="Line 3: the LEI"):
        load(path, 0, shrunk=True)
