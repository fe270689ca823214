"""The compact form, addresses instead of ids, and the guard that answers what was read with what was not."""

import pytest

from research.errors import WalkRefused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def compact(settings):
    settings.DOSSIER_BROWSE_FORM = "compact"


def test_a_view_is_a_few_lines_with_addresses(walk, site):
    view = walk("open", url=site.url())
    assert view["menu"][:3] == [
        f"For Companies: {site.url('/companies')}",
        f"For Search: {site.url('/search')}",
        "To choose Closed today (button, disabled): m2",
    ]
    assert len(view["menu"]) <= 12
    assert len(view["excerpt"]) <= 500


def test_what_was_read_is_answered_with_what_was_not(walk, site):
    walk("open", url=site.url())
    for target in (site.url(), "/", site.url("/#top")):
        with pytest.raises(WalkRefused) as refused:
            walk("navigate", target=target)
        assert refused.value.code == "already_visited"
        assert f"For Companies: {site.url('/companies')}" in refused.value.message
    assert walk("menu")["viewToken"] == "v1"


def test_a_model_that_repeats_itself_gets_out_of_the_loop(walk, site):
    """It asks for the start page for ever, unless an answer holds an address: then it takes the first."""
    read, target = [], site.url()
    for _ in range(12):
        try:
            view = walk("navigate", target=target)
        except WalkRefused as refused:
            lines = refused.detail["alternatives"]
            target = lines[0].partition(": ")[2] if lines else target
            continue
        read.append(view["url"])
        target = site.url()
        if "CHE-111.222.333" in view["excerpt"]:
            break
    assert len(set(read)) == len(read)
    assert site.url("/c/1") in read


def test_where_every_link_was_followed_the_refusal_says_to_answer(walk, site):
    walk("open", url=site.url("/note.txt"))
    with pytest.raises(WalkRefused, match="answer now"):
        walk("navigate", target="note.txt")
