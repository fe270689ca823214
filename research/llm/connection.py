"""Connections to model providers: one pool per site, shared by all threads.

Below ``requests``, in the library that it stands on itself: what it adds (cookies, redirects, proxies, ``.netrc``) is
not wanted here, and took a quarter of a call. How long a read may last is the deadline's business.
"""

import os
import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from urllib3 import BaseHTTPResponse, Timeout
from urllib3.connectionpool import HTTPConnectionPool
from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from common.outside.deadline import PunctualPool, PunctualSecurePool
from common.outside.trust import trust_store

KEPT = 500  # open connections kept per site; more are closed with a warning
_MAX_ADDRESSES = 100
_pools: dict[tuple[str, str, int | None], HTTPConnectionPool] = {}
_lock = threading.Lock()
os.register_at_fork(after_in_child=_pools.clear)  # processes must not share a connection


def send(
    method: str, url: str, headers: dict[str, str], body: list[bytes], *, connect: float, silence: float
) -> BaseHTTPResponse:
    """The answer, its body unread. One attempt, bounded by the ``within`` around it; ``silence`` bounds one wait.

    ``body`` is emptied: it is long, and the wait for the answer too, so nobody keeps it meanwhile.

    Raises what ``urllib3`` raises; LocationParseError for what is no address.
    """
    site, target = _address(url)
    if body:
        headers = {**headers, "Content-Length": str(sum(map(len, body)))}
    return _pool(site).urlopen(
        method,
        target,
        _handed_over(body) if body else None,
        headers,
        retries=False,
        redirect=False,
        assert_same_host=False,
        timeout=Timeout(connect=connect, read=silence),
        preload_content=False,
    )


def _handed_over(body: list[bytes]) -> Iterator[bytes]:
    while body:
        yield body.pop(0)


@lru_cache(maxsize=_MAX_ADDRESSES)
def _address(url: str) -> tuple[tuple[str, str, int | None], str]:
    """Scheme, host, port and target of the request."""
    parsed = parse_url(url)
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise LocationParseError("neither http nor https")
    return (parsed.scheme, parsed.host, parsed.port), parsed.request_uri


def _pool(site: tuple[str, str, int | None]) -> HTTPConnectionPool:
    with _lock:
        if site not in _pools:
            if len(_pools) >= _MAX_ADDRESSES:
                _pools.pop(next(iter(_pools))).close()
            _pools[site] = _opened(*site)
        return _pools[site]


def _opened(scheme: str, host: str, port: int | None) -> HTTPConnectionPool:
    options: dict[str, Any] = {"port": port, "maxsize": KEPT}
    if scheme == "http":
        return PunctualPool(host, **options)
    return PunctualSecurePool(host, **options, ssl_context=trust_store())
