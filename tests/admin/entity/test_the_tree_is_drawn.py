"""Owners and managers to the left, children and funds to the right: bounded, each once, whatever their names are."""

from xml.etree import ElementTree as ET

import pytest
from django.utils.html import escape

from common.text import cut_in_the_middle, width
from entities.admin.graph import draw, place, read_tree
from entities.admin.graph.layout import HEIGHT, WIDTH
from entities.admin.graph.svg import cut
from entities.memory import link
from tests.cases import cases
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db
SVG = "{http://www.w3.org/2000/svg}"
SCRIPTS = [
    "شركة الاتصالات", "בנק הפועלים", "株式会社三菱", "한국전력공사", "ธนาคารกรุงเทพ", "Ελληνική Τράπεζα", "Газпром",
    "भारतीय स्टेट बैंक", "বাংলাদেশ ব্যাংক", "தமிழ்நாடு வங்கி", "తెలుగు బ్యాంకు", "ಕನ್ನಡ ಬ್ಯಾಂಕ್", "മലയാളം ബാങ്ക്", "ગુજરાતી બેંક",
    "ਪੰਜਾਬੀ ਬੈਂਕ", "ଓଡ଼ିଆ ବ୍ୟାଙ୍କ", "සිංහල බැංකුව", "မြန်မာဘဏ်", "ខ្មែរ ធនាគារ", "ລາວ ທະນາຄານ", "བོད་ཡིག",
    "ქართული ბანკი", "Հայկական բանկ", "አማርኛ ባንክ", "ᏣᎳᎩ", "ᠮᠣᠩᠭᠣᠯ", "ܣܘܪܝܝܐ", "ދިވެހި", "ⵜⴰⵎⴰⵣⵉⵖⵜ", "臺灣銀行", "𐌰𐌱𐌲",
    "🦊 Ltd",
]  # fmt: skip


def svg_of(entity):
    text = draw(
        place(read_tree(entity)),
        entity_url=lambda one: f"/{one.slug}",
        more_url=lambda pk, side: f"/more/{pk}/{side}",
        title=entity.name,
    )
    return ET.fromstring(text)


def root_name(svg):
    [box] = [link for link in svg.iter(f"{SVG}a") if "root" in link.get("class").split()]
    return names_in(box)[0]


def names_in(svg):
    return [text.text for text in svg.iter(f"{SVG}text") if text.get("class") == "name"]


@cases("children, left_out", [(0, 0), (3, 0), (24, 0), (25, 1), (40, 16), (1_500, 1_476)])
def test_it_shows_so_many_and_counts_the_rest(children_of, children, left_out):
    root = EntityFactory(name="Root")
    children_of(root, children)
    tree = read_tree(root)
    assert len(tree.nodes) == 1 + children - left_out
    assert sum(tree.more.values()) == left_out
    if left_out:
        assert f"{left_out:,} more" in names_in(svg_of(root))


def test_the_number_of_questions_does_not_grow_with_the_children(children_of, django_assert_max_num_queries):
    root = EntityFactory()
    for child in children_of(root, 30):
        children_of(child, 2)
    with django_assert_max_num_queries(20):
        tree = read_tree(root)
    assert len(tree.nodes) > 50


def test_no_two_boxes_lie_upon_each_other(children_of):
    root = EntityFactory()
    for child in children_of(root, 6):
        children_of(child, 9)
    for n in range(5):
        parent = EntityFactory()
        link(subject=root, object=parent, type="owned-by", percentage=n)
        link(subject=parent, object=EntityFactory(), type="owned-by")
    boxes = place(read_tree(root)).boxes
    for place_, one in enumerate(boxes):
        for other in boxes[place_ + 1 :]:
            assert abs(one.x - other.x) >= WIDTH or abs(one.y - other.y) >= HEIGHT


def test_everything_lies_within_the_picture(children_of):
    root = EntityFactory()
    children_of(root, 30)
    link(subject=root, object=EntityFactory(), type="owned-by")
    picture = place(read_tree(root))
    for box in picture.boxes:
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + WIDTH <= picture.width
        assert box.y + HEIGHT <= picture.height


@cases("length", [2, 3, 5])
def test_a_circle_is_drawn_once(length):
    ring = [EntityFactory(name=f"Ring {n}") for n in range(length)]
    for one, other in zip(ring, [*ring[1:], ring[0]], strict=True):
        link(subject=one, object=other, type="owned-by", percentage=60)
    svg = svg_of(ring[0])
    assert sorted(names_in(svg)) == sorted(entity.name for entity in ring)
    assert len(list(svg.iter(f"{SVG}path"))) == length


def test_one_that_is_reached_twice_stands_there_once():
    root, parent, top = EntityFactory(name="root"), EntityFactory(name="parent"), EntityFactory(name="top")
    link(subject=root, object=parent, type="directly-consolidated-by")
    link(subject=parent, object=top, type="directly-consolidated-by")
    link(subject=root, object=top, type="ultimately-consolidated-by")
    tree = read_tree(root)
    assert {node.entity.name: node.level for node in tree.nodes.values()} == {
        "root": 0,
        "parent": -1,
        "top": -2,
    }
    assert sum(line.extra for line in place(tree).lines) == 1


def test_an_ultimate_parent_that_nothing_else_leads_to_stands_beyond_the_others():
    root, parent, top = EntityFactory(name="root"), EntityFactory(name="parent"), EntityFactory(name="top")
    link(subject=root, object=parent, type="directly-consolidated-by")
    link(subject=root, object=top, type="ultimately-consolidated-by")
    assert read_tree(root).nodes[top.pk].level == -2


def test_what_has_ended_is_not_drawn():
    root, parent = EntityFactory(), EntityFactory()
    link(subject=root, object=parent, type="owned-by")
    root.relationships.update(valid_to="2020-01-01")
    assert len(read_tree(root).nodes) == 1


def test_neighbours_who_are_not_above_or_below_are_not_drawn():
    root = EntityFactory()
    link(subject=root, object=EntityFactory(), type="competes-with")
    assert len(read_tree(root).nodes) == 1


def test_the_larger_shares_come_first(children_of):
    root = EntityFactory()
    rows = children_of(root, 40, kind="owned-by")
    root.related_from.filter(subject=rows[39]).update(percentage=99)
    assert rows[39].pk in read_tree(root).nodes


@cases(
    ("kind", "above", "below"),
    [
        ("directly-consolidated-by", "direct parent", "direct child"),
        ("ultimately-consolidated-by", "ultimate parent", "ultimate child"),
        ("owned-by", "owner", "owned"),
        ("controlled-by", "control", "controlled"),
        ("fund-managed-by", "fund manager", "managed fund"),
        ("subfund-of", "umbrella", "sub-fund"),
        ("feeder-to", "master fund", "feeder fund"),
        ("branch-of", "head office", "branch"),
        ("member-of", "group", "member"),
    ],
)
def test_a_box_says_what_it_is_to_the_one_beside_it(kind, above, below):
    """A child with the words "direct parent" under its name would read as the parent."""
    lower, upper = EntityFactory(name="Lower"), EntityFactory(name="Upper")
    link(subject=lower, object=upper, type=kind)
    assert above in words_in(svg_of(lower))
    assert below in words_in(svg_of(upper))


def words_in(svg):
    return [text.text for text in svg.iter(f"{SVG}text") if text.get("class") == "words"]


def test_a_share_is_told_beside_the_name():
    root, owner = EntityFactory(), EntityFactory(name="Owner")
    link(subject=root, object=owner, type="owned-by", percentage=75)
    link(subject=root, object=owner, type="controlled-by")
    words = words_in(svg_of(root))
    assert "owner 75 %, control" in words or "control, owner 75 %" in words


@cases("name", SCRIPTS)
def test_a_name_of_any_script_is_drawn_as_it_is(name):
    root = EntityFactory(name=name)
    link(subject=root, object=EntityFactory(), type="owned-by")
    assert root_name(svg_of(root)) == cut_in_the_middle(name, 26)


def test_two_companies_of_one_group_are_told_apart():
    root = EntityFactory(name="Allianz Global Investors Holdings GmbH")
    link(
        subject=root, object=EntityFactory(name="Allianz Global Investors Asia Pacific Ltd"), type="owned-by"
    )
    names = [text.text for text in svg_of(root).iter(f"{SVG}text") if text.get("class") == "name"]
    assert sorted(names) == ["Allianz Global…acific Ltd", "Allianz Global…dings GmbH"]


@cases(
    "name", ['<script>alert("x")</script>', "]]><!--", "a & b", "'\" onload='x", "</text></svg><img src=x>"]
)
def test_a_name_is_never_markup(name):
    root = EntityFactory(name=name)
    link(subject=root, object=EntityFactory(), type="owned-by")
    text = draw(
        place(read_tree(root)), entity_url=lambda one: "/", more_url=lambda pk, side: "/", title=root.name
    )
    assert "<script" not in text
    assert "<img" not in text
    assert escape(name) in text
    attributes = {name for element in ET.fromstring(text).iter() for name in element.attrib}
    assert not {name for name in attributes if name == "style" or name.startswith("on")}


def test_marks_that_turn_the_direction_are_left_out():
    root = EntityFactory(name="Acme \u202egpj.exe\u202c\u2066 \x07Ltd\n2")
    link(subject=root, object=EntityFactory(), type="owned-by")
    assert root_name(svg_of(root)) == "Acme gpj.exe Ltd 2"


@cases(
    ("text", "columns", "cut_text"),
    [
        ("short", 10, "short"),
        ("exactly ten", 11, "exactly ten"),
        ("a longer text", 8, "a longe…"),
        ("株式会社三菱", 12, "株式会社三菱"),
        ("株式会社三菱", 7, "株式会…"),
        ("", 5, ""),
    ],
)
def test_a_long_text_is_cut_by_columns(text, columns, cut_text):
    assert cut(text, columns) == cut_text
    assert sum(map(width, cut(text, columns))) <= columns
