import re
from datetime import timedelta

import pytest
from django.utils import timezone

from config.csp import POLICY
from research.admin.gate.changes import field_id
from tests.admin.review.conftest import ALLIANZ, RETIRED
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
HOSTILE = '<script>alert("x")</script>"><img src=x onerror=alert(1)>'


def test_it_says_what_the_result_is_about_and_where_it_comes_from(page, result):
    for text in (
        "Allianz SE",
        "Pending Review",
        str(result.run.macro),
        "on the command line",
        "as of 2026-01-02",
    ):
        assert text in page.text


def test_it_puts_each_check_beside_its_field(browse, make_result, reviewer):
    page = browse(make_result({"head": {"name": "Allianz Global Investors GmbH", "lei": RETIRED}}), reviewer)

    badges = page.view.badges["/head/lei"]

    assert {"registration_status", "successor"} <= {check.code for check in badges.problems}
    assert f'id="{field_id("/head/lei")}-c"' in page.text
    assert "The registration of this LEI is RETIRED" in page.text
    assert "checks failed: approving needs a reason" in page.text


def test_it_links_rows_and_sources_both_ways(page):
    links = {link.get("href") for link in page.links}

    assert {"#source-1", f"#{field_id('/head/lei')}"} <= links
    assert {"source-1", field_id("/head/lei")} <= page.ids


def test_it_opens_only_web_links_and_gives_them_no_referrer(browse, make_result, reviewer):
    result = make_result()
    result.run.sources.create(number=2, kind="web", key="x", url="javascript:alert(1)", title="A bad link")
    page = browse(result, reviewer)

    outward = [link for link in page.links if link.get("href", "").startswith(("http", "javascript"))]

    assert [(link["href"], link["rel"]) for link in outward] == [
        (f"https://register.example/{ALLIANZ}", "noopener noreferrer nofollow")
    ]
    assert "javascript:alert(1)" in page.text


def test_it_shows_hostile_text_as_text(browse, make_result, reviewer):
    data = {
        "head": {"name": HOSTILE, "lei": HOSTILE[:20], HOSTILE: HOSTILE},
        "funds": [{"name": HOSTILE}],
        "note": HOSTILE * 3,
    }
    result = make_result(data, limitations=[HOSTILE])
    result.run.sources.create(
        number=2, kind="web", key="x", url="https://example.org/", title=HOSTILE, snippet=HOSTILE
    )
    page = browse(result, reviewer)
    opened = page.text
    page.press("confirm", {"/head/name": HOSTILE + "2"}, reason=HOSTILE)

    for text in (opened, page.text):
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "&lt;script&gt;alert" in text


def test_it_needs_nothing_that_a_strict_policy_forbids(page):
    markup = re.sub(r"<textarea.*?</textarea>", "", page.text, flags=re.DOTALL)

    assert page.page.headers["Content-Security-Policy"] == POLICY
    assert "unsafe" not in POLICY
    assert not re.search(r"<[^>]+\s(style|on\w+)\s*=", markup)
    assert not re.search(r"<style|<script(?![^>]*\ssrc=)", markup)


def test_it_binds_every_field_to_a_label_and_every_id_to_one_element(page):
    fields = re.findall(
        r'<(?:input type="text"|select|textarea)[^>]*\sname="leaf:[^>]*\sid="([^"]+)"', page.text
    )
    ids = re.findall(r'\sid="([^"]+)"', page.text)

    assert len(fields) == 12
    assert all(f'<label for="{place}"' in page.text for place in fields)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("pointer", "words"),
    [
        ("/head/listed", '<option value="true" selected>'),
        ("/head/staff", 'value="12"'),
        ("/note", "<textarea"),
    ],
)
def test_it_gives_each_kind_of_value_its_own_control(page, pointer, words):
    start = page.text.index(f'name="leaf:{pointer}"')

    assert words in page.text[start - 40 : start + 400]


def test_it_finds_no_edit_when_nothing_was_touched(page):
    page.press("preview")

    assert page.page.status_code == 200
    assert page.view.edits == []


def test_it_goes_from_pending_result_to_pending_result(browse, make_result, reviewer):
    first, second, third = make_result(), make_result(), make_result()
    page = browse(second, reviewer)

    hrefs = {link.get("rel"): link["href"] for link in page.links if link.get("rel") in ("prev", "next")}

    assert str(first.pk) in hrefs["prev"]
    assert str(third.pk) in hrefs["next"]
    assert "2 of 3 pending" in page.text


def test_it_is_reached_from_the_list_and_from_the_stock_change_page(client, result, reviewer):
    client.force_login(reviewer)

    assert str(result.pk) in client.get("/admin/research/researchresult/").content.decode()
    response = client.get(f"/admin/research/researchresult/{result.pk}/change/")

    assert response.url == f"/admin/research/researchresult/{result.pk}/review/"


@pytest.mark.parametrize(
    ("rights", "staff", "status"), [((), True, 403), (("view_researchresult",), True, 200), ((), False, 302)]
)
def test_it_is_for_those_who_may_see_results(client, result, rights, staff, status):
    client.force_login(UserFactory(rights=rights, is_staff=staff))

    assert client.get(f"/admin/research/researchresult/{result.pk}/review/").status_code == status


def test_it_is_404_for_a_result_that_does_not_exist(client, reviewer):
    client.force_login(reviewer)

    assert (
        client.get("/admin/research/researchresult/00000000-0000-0000-0000-000000000000/review/").status_code
        == 404
    )


@pytest.mark.parametrize("page_name", ["add/", "{pk}/delete/"])
def test_it_cannot_be_gone_around_by_the_stock_forms(client, result, page_name):
    client.force_login(UserFactory(is_superuser=True))

    assert (
        client.post(
            f"/admin/research/researchresult/{page_name.format(pk=result.pk)}", {"post": "yes"}
        ).status_code
        == 403
    )


def test_it_says_that_a_result_is_out_of_date_and_refuses_to_sign_for_it(browse, make_result, reviewer):
    result = make_result(expires_at=timezone.now() - timedelta(days=1))
    page = browse(result, reviewer)
    assert "Out of date." in page.text
    assert page.press("confirm").status_code == 422
    assert "send it back and run it again" in page.text


def test_it_says_once_what_fails_in_many_places(browse, make_result, reviewer):
    fund = {"name": "Allianz Global Investors GmbH", "lei": RETIRED}
    data = {"head": {"name": "Allianz SE", "lei": ALLIANZ}, "funds": [fund] * 8}
    page = browse(make_result(data), reviewer)
    page.press("confirm")
    ((places, checks),) = page.view.failed_by_place
    assert places.startswith("Funds › 1. Allianz Global Investors GmbH")
    assert places.endswith("and 2 more")
    assert page.view.failed_count == len(checks) == 3
    assert "3 checks failed" in page.text
