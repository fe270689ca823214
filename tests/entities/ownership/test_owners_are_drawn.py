"""The chart of owners: each holder below what it holds, gaps named, ways to owners marked, bounded at any size."""

from xml.etree import ElementTree as ET

from entities.ownership.assessment import assess
from entities.ownership.chart import MAX_ROWS, OVERVIEW, RowKind, make_chart
from entities.ownership.drawing import NARROW, WIDE, draw_chart
from entities.ownership.interests import Party, PartyKind
from entities.ownership.thresholds import threshold
from tests.cases import cases
from tests.entities.ownership.structures import structure

SVG = "{http://www.w3.org/2000/svg}"


def chart_of(links, rule="eu-amlr", people=True, owner="", whole=False, **parties):
    given = structure(links, **parties)
    found = assess(given, "T", threshold(rule))
    return make_chart(given, found, owner=owner, whole=whole, people=people)


def rows(chart):
    return [(row.level, row.kind, row.party.id, row.marked) for row in chart.rows]


def texts(svg):
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{SVG}text")]


def test_each_holder_stands_below_what_it_holds_and_the_way_to_an_owner_is_marked():
    assert rows(chart_of("P 60 H; H 50 T; Q 50 T; R 40 H"))[:5] == [
        (0, RowKind.PARTY, "T", True),
        (1, RowKind.PARTY, "H", True),
        (2, RowKind.PARTY, "P", True),
        (2, RowKind.PARTY, "R", False),
        (1, RowKind.PARTY, "Q", True),
    ]


def test_the_ways_to_one_owner_can_be_marked_alone():
    marked = {row[2] for row in rows(chart_of("P 60 H; H 50 T; Q 50 T; R 40 H", owner="R")) if row[3]}
    assert marked == {"T", "H", "R"}


def test_a_party_of_several_chains_is_drawn_once_and_pointed_to_again():
    found = chart_of("P 100 H; H 50 A; H 50 B; A 50 T; B 50 T")
    kinds = [row.kind for row in found.rows if row.party.id == "H"]
    assert kinds == [RowKind.PARTY, RowKind.AGAIN]
    assert len([row for row in found.rows if row.party.id == "P"]) == 1


def test_a_circle_ends():
    found = chart_of("P 60 X; Q 50 Y; X 50 Y; Y 40 X; X 100 T")
    assert [row.kind for row in found.rows if row.party.id == "X"] == [RowKind.PARTY, RowKind.AGAIN]


def test_a_gap_is_drawn_where_a_chain_ends_in_one():
    leaf, rest = (texts(draw_chart(chart_of(links))) for links in ("H 60 T; P 40 T", "P 60 H; H 100 T"))
    assert "60 % · not looked for" in leaf
    assert "40 %: not looked for" in rest


def test_three_hundred_parties_are_an_overview_that_can_be_opened():
    links = "; ".join(
        [
            *(f"C{number} 4 T" for number in range(25)),
            *(f"D{number} 8 C{number % 25}" for number in range(275)),
        ]
    )
    overview, whole = chart_of(links), chart_of(links, whole=True)
    assert len(overview.rows) <= OVERVIEW
    assert overview.left_out >= 275
    assert {row.party.id for row in whole.rows} >= {f"D{number}" for number in range(275)}
    assert whole.left_out == 0


def test_the_way_to_an_owner_is_shown_through_all_levels():
    chain = "; ".join(f"C{number + 1} 100 C{number}" for number in range(40))
    found = chart_of(f"{chain}; C0 100 T; P 100 C40; " + "; ".join(f"D{n} 0.1 C5" for n in range(80)))
    assert "P" in {row.party.id for row in found.rows}


@cases(
    "links",
    [
        "; ".join(f"C{n} 0.01 T" for n in range(2_000)),
        "; ".join(["C0 100 T", *(f"C{n + 1} 100 C{n}" for n in range(2_000))]),
    ],
)
def test_a_chart_of_any_size_is_bounded(links):
    for whole in (False, True):
        assert len(chart_of(links, whole=whole).rows) <= MAX_ROWS + 1


def test_names_of_persons_are_withheld_from_whoever_may_not_see_them():
    person = Party("P", "Jane Doe", PartyKind.PERSON, born="1970-05")
    assert "Jane Doe" in draw_chart(chart_of("P 60 T; Q 40 T", P=person))
    hidden = draw_chart(chart_of("P 60 T; Q 40 T", P=person, people=False))
    assert "Jane" not in hidden
    assert "a natural person" in hidden


@cases(
    "name",
    [
        '<script>alert("x")</script>',
        "]]><!--",
        "a & b",
        "'\" onload='x",
        "</text></svg><img src=x>",
        "株式会社" * 40,
    ],
)
def test_a_name_is_never_markup_and_never_wider_than_the_chart(name):
    for size in (WIDE, NARROW):
        svg = draw_chart(chart_of("H 60 T; Q 40 H", H=Party("H", name)), size=size, styled=True)
        attributes = {each for element in ET.fromstring(svg).iter() for each in element.attrib}
        assert not {each for each in attributes if each == "style" or each.startswith("on")}
        assert "<img" not in svg
        assert all(len(each) <= size.columns for each in texts(svg))


def test_the_picture_says_in_words_what_it_draws():
    svg = draw_chart(chart_of("P 60 H; H (25,50] T"))
    titles = [each.text for each in ET.fromstring(svg).iter(f"{SVG}title")]
    assert titles[0] == "Owners of T on 2026-03-01"
    assert "P, 60 % · in all more than 15 to 30 % · undecided" in titles
