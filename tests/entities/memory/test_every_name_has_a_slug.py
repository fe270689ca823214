"""An address for each entity, whatever its name is written in."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from entities.memory import create_entity, ensure_entity, free_slug
from entities.models import Entity
from tests.factories import EntityFactory

SLUG = re.compile(r"[A-Za-z0-9_-]{1,120}")
NAMES = [
    *("شركة الاتصالات", "בנק הפועלים", "株式会社三菱", "한국전력공사", "ธนาคารกรุงเทพ", "Ελληνική Τράπεζα"),
    *("Газпром", "भारतीय स्टेट बैंक", "বাংলাদেশ ব্যাংক", "தமிழ்நாடு வங்கி", "తెలుగు బ్యాంకు", "ಕನ್ನಡ ಬ್ಯಾಂಕ್"),
    *("മലയാളം ബാങ്ക്", "ગુજરાતી બેંક", "ਪੰਜਾਬੀ ਬੈਂਕ", "ଓଡ଼ିଆ ବ୍ୟାଙ୍କ", "සිංහල බැංකුව", "မြန်မာဘဏ်", "ខ្មែរ ធនាគារ"),
    *("ລາວ ທະນາຄານ", "བོད་ཡིག", "ქართული ბანკი", "Հայկական բանկ", "አማርኛ ባንክ", "ᏣᎳᎩ", "ᠮᠣᠩᠭᠣᠯ", "ܣܘܪܝܝܐ", "ދިވެހި"),
    *("ⵜⴰⵎⴰⵣⵉⵖⵜ", "臺灣銀行", "𐌰𐌱𐌲", "🦊", "—", "_", "---"),
]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["legal-entity", "crypto-token"])
def test_names_of_thirty_scripts_have_each_their_own(kind):
    made = [ensure_entity(name=name, type=kind) for name in NAMES]
    assert len({entity.slug for entity in made}) == len(NAMES)
    assert all(SLUG.fullmatch(entity.slug) for entity in made)


@pytest.mark.django_db
def test_a_name_that_very_many_have_still_finds_a_free_one():
    Entity.objects.bulk_create(
        Entity(slug="fund" if n == 1 else f"fund-{n}", name="Fund", type="fund") for n in range(1, 30)
    )
    slug = free_slug("Fund")
    assert re.fullmatch(r"fund-[0-9a-f]{6}", slug)
    assert not Entity.objects.filter(slug=slug).exists()


@pytest.mark.django_db
def test_a_very_long_name_of_one_that_waits_fits():
    EntityFactory(name="x" * 5000, type="meme")
    assert SLUG.fullmatch(create_entity(name="x" * 5000, type="meme", key="Key123").slug)


class TestAnyName(TestCase):
    @given(st.text(min_size=1, max_size=60))
    def test_any_text_gives_an_address(self, name):
        assert SLUG.fullmatch(free_slug(name))
