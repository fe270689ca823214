"""One POST is one attempt: nothing is asked again by itself, and whatever goes wrong is a ModelFault."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field

import requests

from research.jsontext import Json, JsonObject, storable_json
from research.llm.base import ModelFault
from research.llm.connection import send
from research.llm.faults import fault_in_answer, fault_of

MAX_ANSWER = 64_000_000  # bytes of one answer; search results of one turn were seen to weigh half a megabyte
MAX_ERROR = 100_000
_PIECE = 16_384
_KEY_LIKE = re.compile(r"\bsk[-_][\w\-.*]{6,}|\bBearer \S{8,}")
_HEADERS = {
    "User-Agent": "Dossier",
    "Accept": "*/*",
    "Accept-Encoding": "identity",
    "Content-Type": "application/json",
}
# what a database may refuse stands in the text like this; so does much that is harmless, and only slower
_UNSTORABLE = re.compile(r"\\u(?:0000|[dD])|\x00|NaN|Infinity|\d{16}|\d[eE][+-]?\d")


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
    needs: str = ""  # the variable without which nothing is sent; none for servers that want no key
    connect: float = 5.0
    quiet: float = 120.0
    total: float = 600.0
    max_answer: int = MAX_ANSWER

    def post(self, path: str, body: JsonObject) -> JsonObject:
        """The JSON object of the answer. Raises ModelFault for everything else."""
        return self._whole("POST", path, body)

    def get(self, path: str) -> JsonObject:
        return self._whole("GET", path, None)

    def events(self, path: str, body: JsonObject) -> Iterator[JsonObject]:
        """The ``data`` of each server-sent event, as it comes, until the server ends the stream or says ``[DONE]``.

        ``[DONE]`` is given as ``{"type": "[DONE]"}``: whether a stream was whole is for the protocol to say.
        """
        with closing(_Attempt(self)) as attempt:
            attempt.send("POST", path, body, silence=min(self.quiet, self.total))
            for data in _events(attempt.lines()):
                yield {"type": "[DONE]"} if data == "[DONE]" else self._object(data)

    def _whole(self, method: str, path: str, body: JsonObject | None) -> JsonObject:
        with closing(_Attempt(self)) as attempt:
            attempt.send(method, path, body, silence=self.total)
            return self._object(b"".join(attempt.pieces()).decode("utf-8", "replace"))

    def _object(self, text: str) -> JsonObject:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            whole = text.lstrip().startswith("<")
            raise self.fault(
                "server" if whole else "truncated",
                "answered something else than JSON; check the base URL"
                if whole
                else "sent an answer that breaks off",
            ) from None
        if not isinstance(data, dict):
            raise self.fault("server", "answered JSON that is no object")
        document: JsonObject = storable_json(data) if _UNSTORABLE.search(text) else data
        return document

    def fault(self, kind: str, what: str, *, billed: bool = True) -> ModelFault:
        """A fault of the transport, or of an answer that is not what it should be."""
        return ModelFault(kind, f"{self.provider} {what}.", billed=billed)  # type: ignore[arg-type]

    def reported(self, error: Json) -> ModelFault:
        """The fault that a provider reports inside an answer of HTTP 200."""
        return self.redacted(fault_in_answer(self.provider, error))

    def redacted(self, fault: ModelFault) -> ModelFault:
        """Providers quote the key they refuse."""
        text = fault.message.replace(self.key, "[key]") if self.key else fault.message
        fault.message = _KEY_LIKE.sub("[key]", text)
        fault.args = (fault.message,)
        return fault


class _Attempt:
    """One exchange, with its clock running."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.response: requests.Response | None = None

    def close(self) -> None:
        if self.response is not None:
            self.response.close()

    def send(self, method: str, path: str, body: JsonObject | None, *, silence: float) -> None:
        """Send, and refuse every answer but 200."""
        end = self.endpoint
        if end.needs and not end.key:
            raise ModelFault(
                "auth",
                f"{end.provider} wants a key: set {end.needs}, or {end.needs}_FILE to the path of a file with it.",
            )
        try:
            headers = {**_HEADERS, **end.headers}
            self.response = send(
                method,
                end.base.rstrip("/") + path,
                headers,
                _encoded(body),  # nobody else keeps it: it is long, and the wait is too
                connect=end.connect,
                silence=silence,
                total=end.total,
            )
        except (requests.RequestException, UnicodeError, ValueError) as error:
            raise _transport_fault(end, error) from None
        if self.response.status_code != 200:
            raise self._refusal(self.response)

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives, within the deadline and the size limit."""
        size = 0
        while piece := self._read():
            size += len(piece)
            if size > self.endpoint.max_answer:
                raise self.endpoint.fault("server", f"sent more than {self.endpoint.max_answer:,} bytes")
            yield piece

    def lines(self) -> Iterator[str]:
        """The lines of the body, without their ends. An unfinished last line is left out: it was cut."""
        rest = b""
        for piece in self.pieces():
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                yield line.decode("utf-8", "replace").removesuffix("\r")

    def _read(self) -> bytes:
        assert self.response is not None  # noqa: S101 - pieces are read after send
        try:
            return self.response.raw.read1(_PIECE, decode_content=True) or b""
        except Exception as error:  # noqa: BLE001 - urllib3, http.client and the socket each have their own words
            if _is_timeout(error):
                raise self._late() from None
            raise self.endpoint.fault("truncated", f"broke the answer off ({type(error).__name__})") from None

    def _late(self) -> ModelFault:
        return self.endpoint.fault("timeout", f"did not finish within {self.endpoint.total:g} seconds")

    def _refusal(self, response: requests.Response) -> ModelFault:
        read = b""
        try:
            for piece in self.pieces():
                read += piece
                if len(read) > MAX_ERROR:
                    break
        except ModelFault:
            pass  # what was said so far is enough; the status tells the rest
        fault = fault_of(
            self.endpoint.provider, response.status_code, response.headers, self._said(read[:MAX_ERROR])
        )
        return self.endpoint.redacted(fault)

    def _said(self, body: bytes) -> Json:
        text = body.decode("utf-8", "replace")
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return "" if text.lstrip().startswith("<") else text


def _encoded(body: JsonObject | None) -> bytes | None:
    return None if body is None else json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _transport_fault(endpoint: Endpoint, error: Exception) -> ModelFault:
    if isinstance(error, requests.ConnectTimeout):
        return endpoint.fault(
            "network", f"could not be reached within {endpoint.connect:g} seconds", billed=False
        )
    if isinstance(error, requests.Timeout):
        return endpoint.fault("timeout", f"gave no answer within {endpoint.total:g} seconds")
    if isinstance(error, requests.exceptions.InvalidURL | requests.exceptions.MissingSchema | UnicodeError):
        return endpoint.fault("invalid", "has a base URL that is no address", billed=False)
    if isinstance(error, requests.ConnectionError):
        # the request may have been sent before the connection broke; a refused connection never got that far
        return endpoint.fault(
            "network", "could not be reached, or hung up", billed=not _never_connected(error)
        )
    return endpoint.fault(
        "invalid", f"cannot be asked ({type(error).__name__}); check the base URL", billed=False
    )


def _never_connected(error: requests.ConnectionError) -> bool:
    reason = getattr(error.args[0], "reason", None) if error.args else None
    return type(reason).__name__ in {
        "NewConnectionError",
        "NameResolutionError",
        "ConnectTimeoutError",
        "SSLError",
    }


def _is_timeout(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, TimeoutError) or type(error).__name__ == "ReadTimeoutError":
            return True
        error = error.__cause__ or error.__context__
    return False


def _events(lines: Iterator[str]) -> Iterator[str]:
    """The data of each server-sent event (WHATWG HTML, 9.2). One that no blank line ends was cut and is left out."""
    data: list[str] = []
    for line in lines:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line and data:
            yield "\n".join(data)
            data = []
