"""The page of an entity in Chromium, under the policy that allows no style and no script of a page's own."""

from datetime import date

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from entities import memory
from entities.models import Entity, EntityAct, Relationship
from tests.factories import EntityFactory, UserFactory

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("page"),
]


@pytest.fixture
def manager():
    """Forty funds below, an owner above, and a circle."""
    entity = EntityFactory(name="Example Management S.A.")
    owner = EntityFactory(name="שמות בעברית", slug="owner")
    rows = [Entity(slug=f"fund-{n}", name=f"Example Fund {n:02d}", type="fund") for n in range(40)]
    Entity.objects.bulk_create(rows)
    Relationship.objects.bulk_create(
        [Relationship(subject=row, object=entity, type="fund-managed-by") for row in rows]
    )
    memory.link(subject=entity, object=owner, type="owned-by", percentage=75)
    memory.link(subject=owner, object=rows[0], type="owned-by", percentage=5)
    memory.add_event(entity=entity, type="note", summary="Something happened.", importance=9)
    return entity


@pytest.fixture
def at(live_server, page, log_in):
    log_in(UserFactory(username="petra", is_superuser=True))

    def go(entity):
        page.goto(live_server.url + reverse("admin:entities_entity_change", args=[entity.pk]))
        return page

    return go


def view(page):
    return [float(number) for number in page.locator("svg.graph").get_attribute("viewBox").split()]


def test_the_tree_is_moved_and_zoomed_without_a_complaint(at, manager, complaints):
    page = at(manager)
    canvas = page.locator("[data-graph]")
    begin = view(page)
    page.get_by_role("button", name="Larger").click()
    assert view(page)[2] < begin[2]
    page.get_by_role("button", name="Back to the entity").click()
    assert view(page) == pytest.approx(begin)
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 140, box["y"] + 90, steps=4)
    page.mouse.up()
    assert view(page)[0] < begin[0]
    assert view(page)[1] < begin[1]
    page.get_by_role("button", name="The whole picture").click()
    assert view(page)[3] > begin[3]
    assert complaints == []


def test_the_keyboard_does_the_same(at, manager):
    page = at(manager)
    page.locator("[data-graph]").focus()
    begin = view(page)
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    assert view(page)[2] < begin[2]
    page.keyboard.press("0")
    assert view(page) == pytest.approx(begin)


def test_the_slider_shows_what_was_known_on_each_day_without_leaving_the_page(at, complaints):
    entity = EntityFactory(name="Example AG")
    owner = EntityFactory(name="Owner Holding Ltd", slug="holding")
    for share, since, until in ((70, date(2024, 1, 1), date(2025, 1, 1)), (40, date(2025, 1, 1), None)):
        memory.link(
            subject=entity, object=owner, type="owned-by", percentage=share, valid_from=since, valid_to=until
        )
    page = at(entity)
    facts, slider = page.locator("#facts"), page.get_by_role("slider", name="Day on which something changed")
    expect(facts.locator(".entity-told")).to_contain_text("40 %")
    page.evaluate("window.stayed = true")
    slider.focus()
    page.keyboard.press("Home")
    expect(facts.locator("h2")).to_contain_text("1 Jan 2024")
    expect(facts.locator(".entity-told")).to_contain_text("70 %")
    page.keyboard.press("ArrowRight")
    expect(facts.locator("h2")).to_contain_text("1 Jan 2025")
    expect(facts.locator(".entity-told")).not_to_contain_text("70 %")
    assert page.evaluate("window.stayed")
    assert "as_of=2025-01-01" in page.url
    assert complaints == []


def test_a_box_leads_to_its_entity(at, manager, live_server):
    page = at(manager)
    page.locator("svg.graph a", has_text="שמות בעברית").click()
    expect(page.locator("h1").first).to_contain_text("שמות בעברית")


def test_what_is_left_out_leads_to_the_list(at, manager):
    page = at(manager)
    page.get_by_role("button", name="The whole picture").click()
    page.locator("svg.graph a.more").click()
    expect(page.locator("#result_list tbody tr")).to_have_count(40)


def test_without_a_script_the_whole_tree_is_there(at, manager, chromium, live_server):
    page = at(manager)
    context = chromium.new_context(java_script_enabled=False, storage_state=page.context.storage_state())
    plain = context.new_page()
    plain.goto(page.url)
    expect(plain.locator("svg.graph a")).to_have_count(27)
    expect(plain.locator("svg.graph a.more")).to_be_visible()
    plain.locator("summary", has_text="Verify").click()
    plain.fill("#verify-reason", "Seen in the register.")
    plain.get_by_role("button", name="Verify").click()
    expect(plain.locator(".entity-badge")).to_contain_text("verified by team")
    context.close()
    assert EntityAct.objects.get().kind == "verified"


def test_a_person_merges_and_takes_it_back(at, manager, complaints):
    EntityFactory(name="Example Management Ltd", slug="the-same")
    page = at(manager)
    page.get_by_role("link", name="Merge another entity").click()
    page.fill("#with", "the-same")
    page.get_by_role("button", name="Look").click()
    expect(page.locator(".entity-merge")).to_contain_text("Goes in and is kept empty")
    page.fill("#reason", "The same company.")
    page.get_by_role("button", name="Merge them").click()
    expect(page.locator("#acts")).to_contain_text("merged Example Management Ltd")
    page.locator("summary", has_text="Undo").click()
    page.locator("#acts textarea").fill("They are two.")
    page.get_by_role("button", name="Undo the merge").click()
    expect(page.locator("#acts")).to_contain_text("undone on")
    assert complaints == []
    assert Entity.objects.get(slug="the-same").merged_into is None


def test_text_can_be_read_in_both_themes(at, manager):
    page = at(manager)
    for theme in ("light", "dark"):
        page.evaluate(f"localStorage.setItem('theme', '{theme}')")
        page.reload()
        colours = page.evaluate(
            """() => [['.graph .name', '.graph .root rect'], ['.graph .words', '.graph .root rect']].map(
                ([text, box]) => [getComputedStyle(document.querySelector(text)).fill,
                                  getComputedStyle(document.querySelector(box)).fill])"""
        )
        for text, box in colours:
            assert contrast(text, box) >= 4.5, theme


def contrast(one, other):
    """The ratio of WCAG 2.2 between two colours, as browsers compute them: rgb(r, g, b)."""

    def light(colour):
        parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    dark, bright = sorted([light(one), light(other)])
    return bright / dark


def test_it_fits_a_narrow_screen(at, manager):
    page = at(manager)
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
