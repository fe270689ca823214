"""One POST is one attempt. Nothing is retried here, and every failure is a ModelFault."""

import codecs
import io
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field

from urllib3 import BaseHTTPResponse
from urllib3 import exceptions as urllib3

from common.bounded_json import MAX_DEPTH, MAX_ENVELOPE, TooDeep, load_json
from common.outside.deadline import was_late, within
from research.jsontext import Json, JsonObject, compact_json, storable_json
from research.llm.connection import send
from research.llm.faults import fault_in_answer, fault_of
from research.llm.interface import ModelFault

log = logging.getLogger(__name__)

DONE = "[DONE]"
MAX_ANSWER = 64_000_000  # maximum bytes of one answer; search results of one turn can have half a megabyte
MAX_ERROR = 100_000
_PIECE = 16_384
_KEY_LIKE = re.compile(r"\bsk[-_][\w\-.*]{6,}|\bBearer \S{8,}")
_HEADERS = {
    "User-Agent": "Dossier",
    "Accept": "*/*",
    "Accept-Encoding": "identity",
    "Content-Type": "application/json",
}


@dataclass(frozen=True)
class Endpoint:
    """A provider's address. ``headers`` and ``key`` are secret: they are in no repr and in no fault.

    ``total`` seconds bound the whole attempt, ``connect`` the connection, ``quiet`` the silence between two events of
    a stream. A plain answer may be silent for the whole time: the model thinks before the first byte.
    """

    provider: str
    base: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    key: str = field(default="", repr=False)
    needs: str = ""  # the required setting; empty for servers without a key
    connect: float = 5.0
    quiet: float = 120.0
    total: float = 600.0
    max_answer: int = MAX_ANSWER

    def post(self, path: str, body: JsonObject) -> JsonObject:
        """The JSON object of the response. Raises ModelFault for everything else."""
        encoded = _encoded(body)
        del body  # free the memory: it is as long as the conversation, and the wait is long
        return self._whole("POST", path, encoded)

    def get(self, path: str) -> JsonObject:
        return self._whole("GET", path, [])

    def events(
        self, path: str, body: JsonObject, *, ends: Callable[[JsonObject], bool]
    ) -> Iterator[JsonObject]:
        """The ``data`` of each server-sent event, as it comes, until the server ends the stream.

        ``[DONE]`` is given as ``{"type": DONE}``. ``ends`` knows the event after which the answer is whole: what breaks
        behind it has lost nothing.
        """
        whole = False
        with closing(_Attempt(self)) as attempt:
            attempt.send("POST", path, _encoded(body), silence=min(self.quiet, self.total))
            data = None
            try:
                for data in events_in(attempt.pieces()):
                    event = {"type": DONE} if data == DONE else self._object(data)
                    whole = whole or ends(event)
                    yield event
            except ModelFault:
                if not whole:
                    raise
            if data is None:
                attempt.expect_stream()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Turn errors of reading an answer into a fault of the provider."""
        try:
            yield
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            log.warning("%s: an answer cannot be read", self.provider, exc_info=True)
            what = f"gave an answer that is not built as its protocol says ({type(error).__name__})"
            raise self.fault("server", what) from error

    def _whole(self, method: str, path: str, body: list[bytes]) -> JsonObject:
        with closing(_Attempt(self)) as attempt:
            attempt.send(method, path, body, silence=self.total)
            answer = self._object(b"".join(attempt.pieces()).decode("utf-8", "replace"))
        if answer.get("error") and not answer.keys() & {"object", "status", "choices"}:
            raise self.reported(answer["error"])  # gateways also do this with status 200
        return answer

    def _object(self, text: str) -> JsonObject:
        try:
            data = storable_json(load_json(text, max_depth=MAX_DEPTH + MAX_ENVELOPE))
        except TooDeep:
            raise self.fault("server", "answered JSON that is nested too deeply") from None
        except ValueError:
            whole = text.lstrip().startswith("<")
            raise self.fault(
                "server" if whole else "truncated",
                "answered something else than JSON; check the base URL"
                if whole
                else "sent an answer that breaks off",
            ) from None
        if not isinstance(data, dict):
            raise self.fault("server", "answered JSON that is no object")
        document: JsonObject = data
        return document

    def fault(self, kind: str, what: str, *, billed: bool = True) -> ModelFault:
        """A fault of the transport, or of an invalid answer."""
        return ModelFault(kind, f"{self.provider} {what}.", billed=billed)  # type: ignore[arg-type]

    def reported(self, error: Json) -> ModelFault:
        """The fault that a provider reports inside an HTTP 200 response."""
        return self.redacted(fault_in_answer(self.provider, error))

    def redacted(self, fault: ModelFault) -> ModelFault:
        """Remove the key from a message, because providers quote refused keys."""
        text = fault.message.replace(self.key, "[key]") if self.key else fault.message
        fault.message = _KEY_LIKE.sub("[key]", text)
        fault.args = (fault.message,)
        return fault


class _Attempt:
    """One exchange with its deadline."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.response: BaseHTTPResponse | None = None
        self.clock = ExitStack()

    def close(self) -> None:
        self.clock.close()
        if self.response is not None:
            self.response.close()

    def send(self, method: str, path: str, body: list[bytes], *, silence: float) -> None:
        """Send the request. Any status but 200 is a fault."""
        end = self.endpoint
        if end.needs and not end.key:
            raise ModelFault(
                "auth",
                f"{end.provider} wants a key: set {end.needs}, or {end.needs}_FILE to the path of a file with it.",
            )
        try:
            self.clock.enter_context(within(end.total))
            self.response = send(
                method,
                end.base.rstrip("/") + path,
                {**_HEADERS, **end.headers},
                body,
                connect=end.connect,
                silence=silence,
            )
        except (urllib3.HTTPError, OSError, ValueError) as error:
            raise _transport_fault(end, error) from None
        if self.response.status != 200:
            raise self._refusal(self.response)

    def expect_stream(self) -> None:
        """Explain a response without events: a complete document, or a page for people."""
        assert self.response is not None  # noqa: S101 - called after send
        type_ = str(self.response.headers.get("content-type", "")).partition(";")[0].strip().lower()
        if type_ in ("application/json", "text/html"):
            what = f"answered with {type_} instead of a stream; check the base URL, or set DOSSIER_MODEL_STREAM=off"
            raise self.endpoint.fault("server", what)

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives, within the deadline and the size limit."""
        size = 0
        while piece := self._read():
            size += len(piece)
            if size > self.endpoint.max_answer:
                raise self.endpoint.fault("server", f"sent more than {self.endpoint.max_answer:,} bytes")
            yield piece

    def _read(self) -> bytes:
        assert self.response is not None  # noqa: S101 - pieces are read after send
        try:
            return self.response.read1(_PIECE, decode_content=True) or b""
        except Exception as error:  # noqa: BLE001 - urllib3, http.client and the socket each have their own words
            if was_late(error):
                raise self.endpoint.fault(
                    "timeout", f"did not finish within {self.endpoint.total:g} seconds"
                ) from None
            raise self.endpoint.fault("truncated", f"broke the answer off ({type(error).__name__})") from None

    def _refusal(self, response: BaseHTTPResponse) -> ModelFault:
        read = b""
        try:
            for piece in self.pieces():
                read += piece
                if len(read) > MAX_ERROR:
                    break
        except ModelFault:
            pass  # the text so far is enough; the status tells the rest
        fault = fault_of(
            self.endpoint.provider, response.status, response.headers, self._said(read[:MAX_ERROR])
        )
        return self.endpoint.redacted(fault)

    def _said(self, body: bytes) -> Json:
        text = body.decode("utf-8", "replace")
        try:
            return load_json(text)
        except ValueError:
            return "" if text.lstrip().startswith("<") else text


def _encoded(body: JsonObject) -> list[bytes]:
    return [compact_json(body)]


def _transport_fault(endpoint: Endpoint, error: Exception) -> ModelFault:
    """A failed connection costs nothing. A broken one may have carried the request."""
    if isinstance(error, urllib3.NewConnectionError | urllib3.SSLError):
        return endpoint.fault("network", "could not be reached", billed=False)
    if isinstance(error, urllib3.ConnectTimeoutError):
        reached = f"could not be reached within {endpoint.connect:g} seconds"
        return endpoint.fault("network", reached, billed=False)
    if was_late(error):
        return endpoint.fault("timeout", f"gave no answer within {endpoint.total:g} seconds")
    if isinstance(error, urllib3.LocationValueError):
        return endpoint.fault("invalid", "has a base URL that is no address", billed=False)
    if isinstance(error, ValueError):
        return endpoint.fault("invalid", "cannot be asked; check its key and its base URL", billed=False)
    return endpoint.fault("network", "could not be reached, or hung up")


def events_in(pieces: Iterable[bytes]) -> Iterator[str]:
    """The data of each server-sent event (WHATWG HTML, 9.2), without an incomplete last one."""
    data: list[str] = []
    for line in _lines(pieces):
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
            if data == [DONE]:  # the last event; some streams end without a blank line
                yield data.pop()
        elif not line and data:
            yield "\n".join(data)
            data = []


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    """Lines end in CR, LF or both, also across pieces. An incomplete last line is dropped."""
    decoder = io.IncrementalNewlineDecoder(
        codecs.getincrementaldecoder("utf-8-sig")("replace"), translate=True
    )
    rest = ""
    for piece in pieces:
        *whole, rest = (rest + decoder.decode(piece)).split("\n")
        yield from whole
    if decoder.decode(b"", final=True).endswith("\n"):  # the LF of a CR at the end of the last piece
        yield rest
