"""Sending a message to an address that somebody entered, behind the guard of everything that is fetched.

A redirect is not followed: what was meant for one address is not for another.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from common.outside.trust import trust_store
from research.web.guard import Policy, Resolver, check_url, resolve_checked
from research.web.wire import Deadline, Route, exchange

MAX_ANSWER = 2_000
CONNECT_SECONDS = 5.0


@dataclass(frozen=True)
class Reply:
    """The answer: its status, its headers in lower case, and how its body begins."""

    status: int
    headers: Mapping[str, str]
    text: str


def post(
    url: str,
    message: bytes,
    headers: Mapping[str, str],
    *,
    policy: Policy,
    seconds: float,
    trusted: str = "",
    resolver: Resolver | None = None,
) -> Reply:
    """POST ``message`` and read how the answer begins, all within ``seconds``.

    Raises:
        FetchFault: the guard refuses the address, or there was no answer.
    """
    deadline = Deadline(seconds)
    address = check_url(url, policy)
    addresses = resolve_checked(address.host, address.port, policy=policy, resolver=resolver)
    route = Route(address, addresses, trust_store(trusted), CONNECT_SECONDS)
    own = {"Accept-Encoding": "identity", "Connection": "close"}
    with exchange(route, {**own, **headers}, deadline, wire_limit=MAX_ANSWER, message=message) as answer:
        body = b"" if answer.head.headers.get("content-encoding") else answer.body(MAX_ANSWER, cut=True)
        text = body.decode("utf-8", "replace").replace("\x00", "")
        return Reply(answer.head.status, answer.head.headers, text)
