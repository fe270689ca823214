"""``.ci/run`` tries the suite without servers, then again what servers bear on: no test may fall between the two."""

from types import SimpleNamespace

import pytest

from tests.conftest import needs_servers

ELSEWHERE = ("DOSSIER_SHARED_DATA", "curl", "make is not installed", "only Linux")
"""What a test may lack besides a server: recorded answers, programs, and a system."""


def lost(items):
    """Tests that are skipped for a reason that is no lack of data or of a program, and need no server either."""
    return [
        item.nodeid
        for item in items
        for mark in item.iter_markers("skipif")
        if not any(word in mark.kwargs.get("reason", "") for word in ELSEWHERE) and not needs_servers(item)
    ]


def test_what_is_skipped_for_want_of_a_server_is_tried_with_it(request):
    assert lost(request.session.items) == []


def test_one_that_lacks_redis_and_does_not_say_so_is_lost():
    marks = [pytest.mark.skipif(True, reason="set TEST_REDIS_URL").mark]
    item = SimpleNamespace(
        nodeid="x", iter_markers=lambda name: marks, get_closest_marker=lambda name: None, fixturenames=()
    )
    assert lost([item]) == ["x"]
    item.get_closest_marker = {"redis": marks[0]}.get
    assert lost([item]) == []
