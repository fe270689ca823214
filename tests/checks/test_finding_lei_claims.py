"""Where a document states an LEI, and what it says beside it."""

from hypothesis import given
from hypothesis import strategies as st

from entities.gleif.verification import Claim
from entities.lei import complete
from research.checks.leis import find_claims
from research.review.pointer import resolve
from tests.cases import cases

ALLIANZ, RETIRED = "529900K9B0N5BT694847", "529900FAHFDMSXCPII15"
INVENTED = "529900ABCDEFGHIJKL57"  # the check digits are wrong


def found_in(data):
    return [(found.pointer, found.claim) for found in find_claims(data)]


@cases(
    ("data", "pointer", "claim"),
    [
        ({"lei": ALLIANZ}, "/lei", Claim(ALLIANZ)),
        ({"LEI": ALLIANZ}, "/LEI", Claim(ALLIANZ)),
        ({"lei": ALLIANZ, "name": "Allianz SE"}, "/lei", Claim(ALLIANZ, "Allianz SE")),
        (
            {"lei": ALLIANZ, "name": " Allianz SE ", "jurisdiction": "DE"},
            "/lei",
            Claim(ALLIANZ, "Allianz SE", "DE"),
        ),
        ({"owner_lei": ALLIANZ, "name": "Other"}, "/owner_lei", Claim(ALLIANZ)),
        (
            {"owner_lei": ALLIANZ, "owner_name": "Allianz SE", "owner_jurisdiction": "DE"},
            "/owner_lei",
            Claim(ALLIANZ, "Allianz SE", "DE"),
        ),
        (
            {"owned_entity_lei": ALLIANZ, "owned_entity": "Allianz SE"},
            "/owned_entity_lei",
            Claim(ALLIANZ, "Allianz SE"),
        ),
        ({"entity_lei": ALLIANZ, "entity": {"name": "Nested"}}, "/entity_lei", Claim(ALLIANZ)),
        ({"funds": [{}, {"lei": ALLIANZ}]}, "/funds/1/lei", Claim(ALLIANZ)),
        ({"leis": ["", ALLIANZ]}, "/leis/1", Claim(ALLIANZ)),
        ({"fund_leis": ["nonsense"]}, "/fund_leis/0", Claim("nonsense")),
        ({"a/b~c": {"lei": ALLIANZ}}, "/a~1b~0c/lei", Claim(ALLIANZ)),
        ({"lei": "not one"}, "/lei", Claim("not one")),
        ({"lei": f" {ALLIANZ}"}, "/lei", Claim(f" {ALLIANZ}")),
        ({"lei": 529900}, "/lei", Claim("529900")),
        ({"lei": ALLIANZ, "name": None, "jurisdiction": 3}, "/lei", Claim(ALLIANZ)),
        ({"findings": [f"See {ALLIANZ}."]}, "/findings/0", Claim(ALLIANZ)),
        ({"note": f"the LEI {INVENTED} was named"}, "/note", Claim(INVENTED)),
        ({"by_lei": {ALLIANZ: {"x": 1}}}, f"/by_lei/{ALLIANZ}", Claim(ALLIANZ)),
        ({"lei": {"value": ALLIANZ}}, "/lei/value", Claim(ALLIANZ)),
        (ALLIANZ, "", Claim(ALLIANZ)),
    ],
)
def test_it_finds_a_stated_lei(data, pointer, claim):
    assert found_in(data) == [(pointer, claim)]


@cases(
    "data",
    [
        {"lei": None},
        {"lei": ""},
        {"lei": "  "},
        {"lei": []},
        {"lei": True},
        {"leis": [None, "", {}]},
        {"nuclei": "none"},
        {"lei_count": "three"},
        {"note": f"order {INVENTED}"},
        {"note": f"X{ALLIANZ}"},
        {"name": "Allianz SE"},
        [],
        None,
        7,
    ],
)
def test_nothing_stated_is_no_claim(data):
    assert found_in(data) == []


def test_one_lei_at_several_places_is_several_claims():
    data = {
        "lei": ALLIANZ,
        "items": [{"lei": ALLIANZ, "name": "A"}],
        "note": f"{ALLIANZ} and {ALLIANZ}, {RETIRED}",
    }
    assert found_in(data) == [
        ("/lei", Claim(ALLIANZ)),
        ("/items/0/lei", Claim(ALLIANZ, "A")),
        ("/note", Claim(ALLIANZ)),
        ("/note", Claim(RETIRED)),
    ]


keys = st.sampled_from(["lei", "owner_lei", "leis", "name", "a/b", "~", "", "0", "x y"])
leis = st.integers(0, 999).map(lambda number: complete(f"SYNTHETIC{number:09d}"))
documents = st.recursive(
    st.none() | st.booleans() | st.integers() | leis | leis.map("see {}.".format) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=20,
)


@given(documents)
def test_every_pointer_leads_to_the_text_of_its_claim(data):
    for found in find_claims(data):
        exists, value = resolve(data, found.pointer)
        assert exists
        assert found.claim.lei in str(value)


@given(documents)
def test_no_lei_of_the_document_is_overlooked(data):
    stated = " ".join(found.claim.lei for found in find_claims(data))
    words = str(data).replace("'", " ").replace(".", " ").split()
    assert all(word in stated for word in words if word.startswith("SYNTHETIC"))
