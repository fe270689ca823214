"""Places as people write them."""

from entities.gleif.jurisdictions import fits, jurisdiction_code
from tests.cases import cases


@cases(
    ("text", "code"),
    [
        ("DE", "DE"),
        ("de", "DE"),
        (" us-de ", "US-DE"),
        ("Germany", "DE"),
        ("DEUTSCHLAND", "DE"),
        ("Österreich", "AT"),
        ("osterreich", "AT"),
        ("uk", "GB"),
        ("U.K.", "GB"),
        ("England and Wales", "GB"),
        ("United States of America", "US"),
        ("The Netherlands", "NL"),
        ("Côte d'Ivoire", "CI"),
        ("Cayman Islands", "KY"),
        ("Delaware", "US-DE"),
        ("Delaware, USA", "US-DE"),
        ("Munich, Germany", "DE"),
        ("Luxembourg, Luxembourg", "LU"),
        ("Ontario, Germany", "DE"),
        ("Narnia", ""),
        ("", ""),
        ("x" * 10_000, ""),
    ],
)
def test_it_gives_the_code_of_the_register(text, code):
    assert jurisdiction_code(text) == code


@cases(
    ("jurisdiction", "wanted", "fit"),
    [
        ("US-DE", "US", True),
        ("US-DE", "US-DE", True),
        ("US", "US-DE", False),
        ("DE", "US-DE", False),
        ("", "DE", False),
    ],
)
def test_a_country_includes_its_subdivisions(jurisdiction, wanted, fit):
    assert fits(jurisdiction, wanted) is fit
