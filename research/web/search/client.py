"""How providers are asked: how often each may be, with how much patience, and one try over HTTP.

Keys go into headers only, because addresses reach logs and messages of exceptions.
"""

from collections.abc import Callable, Mapping

from common.outside.client import Client, Patience, fault_of, json_object, json_or_none
from common.outside.exchange import MAX_BODY, Reply
from common.outside.faults import FaultCode, SourceFault
from common.outside.pace import Rate
from research.jsontext import Json, JsonObject

RATES: Mapping[str, Rate] = {
    "tavily": Rate(3, 3),
    "brave": Rate(1, 1),  # the plan without a contract
    "google": Rate(3, 3),
    "perplexity": Rate(3, 3),
    "searxng": Rate(3, 3),  # the engines behind it count too
    "semantic_scholar": Rate(9, 10),
    "openalex": Rate(10, 0.2),
    "crossref": Rate(3, 1),  # lists are held to less than single works
    "archive": Rate(0, 0),
}
# The next provider is asked when one fails, so nobody waits long for any.
PATIENCE = Patience(seconds=30.0, queue=5.0, throttled=1.0)

Refine = Callable[[int, Json], FaultCode | None]


def ask(
    provider: str,
    url: str,
    *,
    seconds: float,
    headers: Mapping[str, str] | None = None,
    params: Mapping[str, str | int] | None = None,
    body: JsonObject | None = None,
    refine: Refine | None = None,
) -> JsonObject:
    """The JSON object with which ``url`` answers: GET with ``params``, or POST with ``body``. One try.

    ``refine`` may know a fault better than its HTTP status does; it is given the status and the answer's JSON (None
    where it is no JSON).

    Raises:
        SourceFault: in every other case.
    """

    def known(reply: Reply) -> SourceFault | None:
        code = refine(reply.status, json_or_none(reply)) if refine and reply.status != 200 else None
        return fault_of(provider, code, reply) if code else None

    client = Client(provider, url, headers=headers or {}, refine=known, max_body=MAX_BODY)
    return client.once(seconds=seconds, read=json_object, params=params, body=body)
