"""Content encodings, undone within bounds: a small answer must not unpack into a large one."""

import zlib
from typing import Protocol

from research.web.faults import FetchFault

ACCEPTED = "gzip, deflate"  # what we ask for; Brotli would need a package of its own
MAX_RATIO = 200
RATIO_FROM = 1_000_000  # unpacked bytes below which a high ratio is only a short page


class Decoder(Protocol):
    def feed(self, data: bytes, room: int) -> bytes:
        """What ``data`` unpacks into, at most ``room`` bytes; more means that the limit is passed."""

    def finish(self) -> None:
        """Raise FetchFault when the stream is not at its end."""


def decoder_for(encoding: str, limit: int) -> Decoder:
    """The decoder of a Content-Encoding header.

    Raises:
        FetchFault: ``encoding``: one that was not asked for, or several on top of each other.
    """
    name = encoding.strip().lower()
    if name in {"", "identity"}:
        return _Plain()
    if name in {"gzip", "x-gzip", "deflate"}:
        return _Zlib(name == "deflate", limit)
    raise FetchFault("encoding", f"The page is encoded as {name[:40]!r}, which was not asked for.")


class _Plain:
    def feed(self, data: bytes, room: int) -> bytes:
        return data[:room]

    def finish(self) -> None:
        return


class _Zlib:
    """gzip of one or several members, or deflate with or without zlib's frame."""

    def __init__(self, deflate: bool, limit: int) -> None:
        self._deflate, self._limit = deflate, limit
        self._stream = zlib.decompressobj(zlib.MAX_WBITS if deflate else zlib.MAX_WBITS | 16)
        self._read = self._made = 0

    def feed(self, data: bytes, room: int) -> bytes:
        self._read += len(data)
        made = bytearray()
        while data and len(made) < room:
            if self._stream.eof and not self._next_member(data):
                break
            made += self._inflate(data, room - len(made))
            data = self._stream.unconsumed_tail or self._stream.unused_data
        self._made += len(made)
        if self._made > RATIO_FROM and self._made > MAX_RATIO * self._read:
            raise FetchFault("too_large", f"The page unpacks to more than {MAX_RATIO} times its size.")
        return bytes(made)

    def finish(self) -> None:
        if self._read and not self._stream.eof:
            raise FetchFault("truncated", "The compressed page breaks off.", retryable=True)

    def _inflate(self, data: bytes, room: int) -> bytes:
        try:
            return self._stream.decompress(data, room)
        except zlib.error:
            if not self._deflate or self._made or self._stream.eof:
                raise FetchFault("encoding", "The compressed page is damaged.") from None
        self._deflate = False  # raw deflate is what some servers mean by it
        self._stream = zlib.decompressobj(-zlib.MAX_WBITS)
        return self._inflate(data, room)

    def _next_member(self, data: bytes) -> bool:
        """A further gzip member begins here; anything else behind the end is padding and ignored."""
        if data[:2] != b"\x1f\x8b":
            return False
        self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        return True
