"""A file becomes the list in one step: what changed is counted, what is cut off or older is refused."""

from datetime import timedelta

import pytest

from entities.models import ListEntry, ListVersion
from entities.screening import importing
from entities.screening.errors import BadList, RefusedList
from entities.screening.importing import import_list, live_version
from tests.entities.screening import samples
from tests.entities.screening.samples import OFAC_COMPANY, OFAC_PERSON, OFAC_VESSEL, ofac, written

pytestmark = pytest.mark.django_db


def take(tmp_path, now, text, name="ofac-sdn", **given):
    path = written(tmp_path, text, "list.csv" if name == "uk" else "list.xml")
    return import_list(path, list_name=name, now=now, **given)


def current(name="ofac-sdn"):
    return dict(ListEntry.objects.filter(list_name=name, until=None).values_list("key", "name"))


@pytest.mark.parametrize("name", [*samples.FILES])
def test_every_list_goes_live(tmp_path, now, name):
    version = take(tmp_path, now, samples.FILES[name](), name)
    assert (version.state, version.confirmed_at) == ("live", now)
    assert version.counts["held"] == version.counts["added"] == len(current(name)) > 0
    assert len(version.digest) == 64


def test_the_next_file_tells_what_changed(tmp_path, now):
    first = take(tmp_path, now, ofac())
    other = OFAC_PERSON.replace("KARELOFF", "KARELOW")
    new = OFAC_VESSEL.replace("7003", "7004")
    second = take(tmp_path, now, ofac(other, OFAC_COMPANY, new, date="09/24/2026"))
    counts = {key: second.counts[key] for key in ("added", "changed", "removed", "held")}
    assert counts == {"added": 1, "changed": 1, "removed": 1, "held": 3}
    assert set(current()) == {"7001", "7002", "7004"}
    first.refresh_from_db()
    assert first.state == "replaced"
    rows = ListEntry.objects.filter(key="7001").order_by("id")
    assert [(row.since_id, row.until_id) for row in rows] == [(first.pk, second.pk), (second.pk, None)]


def test_the_same_file_again_only_renews_its_date(tmp_path, now):
    first = take(tmp_path, now, ofac())
    later = now + timedelta(days=2)
    again = take(tmp_path, later, ofac())
    assert (again.pk, again.confirmed_at) == (first.pk, later)
    assert ListVersion.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (ofac(count=4), BadList, "states 4 entries and holds 3"),
        (ofac(date="soon"), BadList, "when it was published"),
        (ofac(date="09/22/2026"), RefusedList, "is older"),
        (ofac(date="12/31/2026"), RefusedList, "to come"),
        (ofac(OFAC_COMPANY, date="09/24/2026"), RefusedList, "at least 2"),
        (ofac(OFAC_COMPANY, OFAC_COMPANY, date="09/24/2026"), BadList, "twice"),
        ("<!DOCTYPE html><html><body>Please try later</body></html>", BadList, "web page"),
        ("  <html lang='en'>", BadList, "web page"),
        (ofac(date="09/24/2026")[:-60], BadList, "cut off"),
    ],
)
def test_a_file_that_cannot_be_right_changes_nothing(tmp_path, now, text, error, words):
    before = take(tmp_path, now, ofac())
    with pytest.raises(error, match=words):
        take(tmp_path, now, text)
    assert live_version("ofac-sdn") == before
    assert set(current()) == {"7001", "7002", "7003"}
    assert not ListVersion.objects.filter(state="reading").exists()


def test_a_file_that_lacks_much_is_taken_when_a_person_says_so(tmp_path, now):
    take(tmp_path, now, ofac())
    version = take(tmp_path, now, ofac(OFAC_COMPANY, date="09/24/2026"), shrunk=True)
    assert version.counts["removed"] == 2


def test_a_file_too_small_to_be_a_list_is_refused(tmp_path, now, monkeypatch):
    monkeypatch.undo()
    with pytest.raises(BadList, match=r"at least 5,000,000"):
        take(tmp_path, now, ofac())


def test_an_import_that_breaks_off_while_it_goes_live_leaves_the_list_as_it_was(tmp_path, now, monkeypatch):
    before = take(tmp_path, now, ofac())

    def broken(version, line):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(importing, "_row", broken)
        with pytest.raises(KeyboardInterrupt):
            take(
                tmp_path,
                now,
                ofac(OFAC_PERSON, OFAC_VESSEL, OFAC_COMPANY.replace("7002", "7005"), date="09/24/2026"),
            )
    assert live_version("ofac-sdn") == before
    assert set(current()) == {"7001", "7002", "7003"}
    again = take(
        tmp_path, now, ofac(OFAC_PERSON, OFAC_VESSEL, OFAC_COMPANY.replace("7002", "7005"), date="09/24/2026")
    )
    assert (again.state, set(current())) == ("live", {"7001", "7003", "7005"})


def test_one_import_of_a_list_runs_at_a_time(tmp_path, now):
    running = ListVersion.objects.create(
        list_name="ofac-sdn", source="x", digest="x", size=1, owner="elsewhere 1", started_at=now, beat_at=now
    )
    with pytest.raises(RefusedList, match="Another import"):
        take(tmp_path, now, ofac())
    later = now + importing.DEAD_AFTER + timedelta(seconds=1)
    assert take(tmp_path, later, ofac()).state == "live"
    running.refresh_from_db()
    assert running.state == "failed"


def test_an_entry_that_cannot_be_read_makes_the_list_partial(tmp_path, now):
    nameless = "<sdnEntry><uid>7009</uid><sdnType>Entity</sdnType></sdnEntry>"
    version = take(tmp_path, now, ofac(OFAC_COMPANY, nameless))
    assert (version.counts["left_out"], version.left_out) == (1, ["The entry 7009 has no name."])
