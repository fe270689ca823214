"""The page of a run shows the end of its journal and leads to the rest; a run of many steps asks no more questions."""

import pytest
from django.urls import reverse
from lxml import html as markup

from research.admin.runs import SHOWN
from tests.factories import ALL_RIGHTS, MacroFactory, RunFactory, SourceFactory, StepFactory, UserFactory

pytestmark = pytest.mark.django_db
QUERIES = 30


def run_of(count):
    run = RunFactory(state="succeeded")
    for number in range(1, count + 1):
        StepFactory(run=run, seq=number, kind="tool", name=f"tool-{number:03}")
        SourceFactory(run=run, number=number, title=f"source-{number:03}")
    return run


def page_of(client, run):
    text = client.get(reverse("admin:research_run_change", args=[run.pk])).content.decode()
    return markup.fromstring(text)


@pytest.fixture(autouse=True)
def person(client):
    client.force_login(UserFactory(rights=ALL_RIGHTS))


def test_the_end_of_a_long_journal_is_shown_and_the_rest_a_link_away(client):
    run = run_of(SHOWN + 3)
    page = page_of(client, run)
    names = [cell.text_content().strip() for cell in page.xpath("//td[contains(@class, 'field-name')]")]
    assert names == [f"tool-{number:03}" for number in range(4, SHOWN + 4)]
    assert f"The last {SHOWN} stand below." in page.text_content()
    (link,) = page.xpath(f"//a[text()='{SHOWN + 3} steps']")
    assert str(run.pk) in link.get("href")


def test_the_first_sources_of_many_are_shown_and_the_rest_a_link_away(client):
    page = page_of(client, run_of(SHOWN + 3))
    numbers = [cell.text_content().strip() for cell in page.xpath("//td[contains(@class, 'field-number')]")]
    assert numbers == [str(number) for number in range(1, SHOWN + 1)]
    assert f"The first {SHOWN} stand below." in page.text_content()
    assert client.get(page.xpath(f"//a[text()='{SHOWN + 3} sources']")[0].get("href")).status_code == 200


def test_a_short_journal_is_shown_whole(client):
    page = page_of(client, run_of(2))
    assert len(page.xpath("//td[contains(@class, 'field-name')]")) == 2
    assert "stand below" not in page.text_content()


@pytest.mark.parametrize("count", [1, SHOWN + 10])
def test_it_asks_the_database_as_often_for_much_as_for_little(client, count, django_assert_max_num_queries):
    run = run_of(count)
    with django_assert_max_num_queries(QUERIES):
        page = page_of(client, run)
    assert page.xpath("//td[contains(@class, 'field-name')]")


@pytest.mark.parametrize(
    ("length", "shown"), [(120, "n" * 120), (121, "n" * 119 + "…"), (200, "n" * 119 + "…")]
)
def test_a_title_that_was_cut_says_so(length, shown):
    assert RunFactory.build(macro=MacroFactory.build(), params={"client_name": "n" * length}).title == shown
