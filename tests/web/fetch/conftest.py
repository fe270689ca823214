"""Sites on loopback that are closed after the test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest

from tests.web.fetch.site import RawSite, Site


@pytest.fixture
def open_site() -> Iterator[Callable[..., Site]]:
    with ExitStack() as stack:
        yield lambda pages=None, **options: stack.enter_context(closing(Site(pages, **options)))


@pytest.fixture
def open_raw() -> Iterator[Callable[..., RawSite]]:
    with ExitStack() as stack:
        yield lambda *parts, **options: stack.enter_context(closing(RawSite(*parts, **options)))
