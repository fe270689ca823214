"""An entity has only forms that its type can have: no company's ISIN on a token, no token's address on a person."""

import pytest

from entities.memory import RefusedWrite, add_representation
from entities.models import Representation
from tests.cases import cases
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db
APPLE = "US0378331005"
MINT = "So11111111111111111111111111111111111111112"


@cases(
    ("kind", "form", "key"),
    [
        ("crypto-token", "isin", APPLE),
        ("meme", "isin", APPLE),
        ("protocol", "lei", "529900K9B0N5BT694847"),
        ("concept", "register-number", "HRB 164232"),
        ("macro-asset", "bic", "ALVSDEMM"),
        ("person", "isin", APPLE),
        ("person", "spot-token", MINT),
    ],
)
def test_a_form_that_the_type_cannot_have_is_refused(kind, form, key):
    with pytest.raises(RefusedWrite, match=f"is a {kind}, which has no {form}"):
        add_representation(entity=EntityFactory(type=kind), type=form, key=key)
    assert not Representation.objects.exists()


@cases(
    ("kind", "form", "key"),
    [
        ("legal-entity", "isin", APPLE),
        ("fund", "isin", APPLE),
        ("branch", "register-number", "CHE-1"),
        ("crypto-token", "spot-token", MINT),
        ("protocol", "lp-pair", "SOL/USDC"),
        ("macro-asset", "futures", "CL1"),
    ],
)
def test_a_form_that_the_type_can_have_is_kept(kind, form, key):
    assert add_representation(entity=EntityFactory(type=kind), type=form, key=key).key == key
    Representation.objects.all().delete()
