"""Each list in its published format: names with script, quality and parts, dates as they are stated."""

import pytest

from entities.screening.errors import BadList
from entities.screening.lists import KINDS
from entities.screening.told import Told
from tests.entities.screening import samples
from tests.entities.screening.samples import written


def read(tmp_path, name, text):
    told = Told()
    path = written(tmp_path, text, "list.csv" if name == "uk" else "list.xml")
    return {entry.key: entry for entry in KINDS[name].read(path, told)}, told


def test_it_reads_ofac(tmp_path):
    entries, told = read(tmp_path, "ofac-sdn", samples.ofac())
    person, company, vessel = entries["7001"], entries["7002"], entries["7003"]
    assert (told.stated, f"{told.published:%Y-%m-%d}") == (3, "2026-09-23")
    assert (person.kind, person.name, person.births) == (
        "person",
        "Sergey Pavlovich KARELOV",
        ("1972-03-03", "1971~"),
    )
    assert [(name.text, name.weak) for name in person.names[1:]] == [
        ("Sergei KARELOFF", False),
        ("GREY FOX", True),
    ]
    assert person.names[0].parts == (("given", "Sergey Pavlovich"), ("family", "KARELOV"))
    assert [(one.type, one.number, one.issuer) for one in person.identifiers] == [
        ("Passport", "51 4472", "RU")
    ]
    assert (company.names[1].type, company.countries) == ("former", ("RU",))
    assert (vessel.kind, vessel.countries, vessel.identifiers[0].number) == ("vessel", ("PA",), "IMO 9000001")


def test_it_reads_the_un(tmp_path):
    entries, told = read(tmp_path, "un", samples.un())
    person, society = entries["TEi.001"], entries["TEe.002"]
    assert f"{told.published:%Y-%m-%d %H:%M}" == "2026-09-28 00:00"
    assert [(name.text, name.script, name.weak) for name in person.names] == [
        ("ABD AL-KARIM YUSUF AL-HADDADI", "Latn", False),
        ("عبد الكريم يوسف الحدادي", "Arab", False),
        ("Abdulkarim Haddadi", "Latn", False),
        ("Abd el-Kerim Yousef", "Latn", False),
        ("Abu Salim", "Latn", True),
    ]
    assert (person.births, person.countries) == (("1960/1963", "1961-02-03"), ("SY",))
    assert (society.kind, society.countries) == ("entity", ("IR",))
    assert [name.type for name in society.names] == ["primary", "alias", "former"]


def test_it_reads_the_eu(tmp_path):
    entries, told = read(tmp_path, "eu", samples.eu())
    person = entries["EU.9001.01"]
    assert f"{told.published:%Y-%m-%d %H:%M}" == "2026-08-05 14:00"
    assert [(name.text, name.script, name.language, name.weak) for name in person.names] == [
        ("Olha Marchenko-Test", "Latn", "", False),
        ("Ольга Марченко-Тест", "Cyrl", "uk", False),
        ("Olya", "Latn", "en", True),
    ]
    assert (person.births, person.countries, person.programs) == (("1980-07-09", "1981~"), ("UA",), ("TST",))
    assert person.listed_on == "2014-03-17"
    assert (entries["9002"].kind, entries["9002"].countries) == ("entity", ("CY",))


def test_it_reads_the_uk_and_joins_the_rows_of_one_target(tmp_path):
    entries, told = read(tmp_path, "uk", samples.uk())
    person = entries["TST0001"]
    assert f"{told.published:%Y-%m-%d}" == "2026-07-10"
    assert [(name.text, name.script, name.weak) for name in person.names] == [
        ("Viktor Ilyich TESTOV", "Latn", False),
        ("Виктор Ильич Тестов", "Cyrl", False),
        ("Victor TESTOFF", "Latn", True),
    ]
    assert (person.births, person.countries) == (("1965", "1965-04-01"), ("BY", "RU"))
    assert [one.number for one in person.identifiers] == ["701234", "709999"]
    assert (entries["TST0002"].kind, entries["TST0002"].identifiers[0].type) == ("vessel", "IMO")


def test_it_reads_only_the_current_state_of_seco(tmp_path):
    entries, told = read(tmp_path, "seco", samples.seco())
    assert (list(entries), told.delisted) == (["5001"], 1)
    person = entries["5001"]
    assert [(name.text, name.script, name.weak) for name in person.names] == [
        ("Ihor Testenko", "Latn", False),
        ("Игорь Тестенко", "Cyrl", False),
        ("Gosha", "Latn", True),
    ]
    assert (person.births, person.countries, person.programs) == (
        ("1970-05",),
        ("BY", "UA"),
        ("Test ordinance",),
    )
    assert person.listed_on == "2014-04-01"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ofac-sdn", samples.ofac()[:-40]),
        ("un", samples.un()[:900]),
        ("uk", samples.uk()[:-30]),
        ("uk", samples.uk() + '01/02/2026,TST0003,"never closed'),
        ("uk", "Date: yesterday\n" + samples.UK_HEAD),
        ("eu", "not XML at all"),
    ],
)
def test_a_file_that_is_cut_off_is_refused(tmp_path, name, text):
    with pytest.raises(BadList):
        read(tmp_path, name, text)


def test_a_file_with_entities_is_refused_before_they_are_read(tmp_path):
    secret = written(tmp_path, "not for lists", "secret.txt")
    text = samples.un().replace(
        "<CONSOLIDATED_LIST", f'<!DOCTYPE x [<!ENTITY leak SYSTEM "file://{secret}">]><CONSOLIDATED_LIST', 1
    )
    with pytest.raises(BadList, match="document type"):
        read(tmp_path, "un", text.replace("GCWS", "&leak;"))


def test_an_entry_without_a_name_is_left_out_and_named(tmp_path):
    nameless = "<sdnEntry><uid>7009</uid><sdnType>Entity</sdnType></sdnEntry>"
    entries, told = read(tmp_path, "ofac-sdn", samples.ofac(samples.OFAC_COMPANY, nameless))
    assert list(entries) == ["7002"]
    assert told.left_out == ["The entry 7009 has no name."]


def test_more_entries_that_cannot_be_read_than_a_list_ever_has_are_a_broken_file(tmp_path):
    nameless = [f"<sdnEntry><uid>{number}</uid></sdnEntry>" for number in range(101)]
    with pytest.raises(BadList, match="More than 100 entries"):
        read(tmp_path, "ofac-sdn", samples.ofac(*nameless))
