"""Forty pieces of prose, invented and read, in four languages: each is judged right."""

from tests.checks.provenance.prose_kit import INVENTED, PAGES, READ
from tests.checks.provenance.told import page, verdicts


def marked(text, names):
    """What is marked in a report that was written from these pages."""
    pages = [page(PAGES[name], f"https://example.com/{name}", name) for name in names]
    return [one.subject for one in verdicts({"report": text}, *pages) if one.verdict != "pass"]


def test_the_kit_is_large_enough():
    assert (len(READ), len(INVENTED)) == (20, 20)


def test_what_was_read_is_not_marked():
    wrong = {name: found for name, (text, names) in READ.items() if (found := marked(text, names))}
    assert wrong == {}


def test_what_was_invented_is_marked_and_nothing_else():
    wrong = {}
    for name, (text, names, invented) in INVENTED.items():
        found = marked(text, names)
        missed = [one for one in invented if not any(one in other or other in one for other in found)]
        more = [one for one in found if not any(one in other or other in one for other in invented)]
        if missed or more:
            wrong[name] = {"missed": missed, "more": more}
    assert wrong == {}
