"""How far something long is: a bar that is drawn over itself on a terminal, a line now and then elsewhere."""

import time
from collections.abc import Callable
from typing import TextIO

WIDTH = 24
EVERY_SECONDS = 10.0  # between two lines where nothing can be drawn over
REDRAW_SECONDS = 0.1


class Bar:
    """Draws on one stream; ``close`` leaves the line free for what follows."""

    def __init__(self, stream: TextIO, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._drawn = stream.isatty()
        self._last: float | None = None
        self._length = 0

    def show(self, done: int, total: int, text: str, *, always: bool = False) -> None:
        """Draw, unless that was only just done."""
        now = self._clock()
        pause = REDRAW_SECONDS if self._drawn else EVERY_SECONDS
        if self._last is not None and now - self._last < pause and not always:
            return
        self._last = now
        share = min(done / total, 1.0) if total else 0.0
        if not self._drawn:
            self._stream.write(f"{share:4.0%}  {text}\n")
            return
        full = int(share * WIDTH)
        line = f"{'█' * full}{'░' * (WIDTH - full)} {share:4.0%}  {text}"
        self._stream.write("\r" + line + " " * (self._length - len(line)))
        self._stream.flush()
        self._length = len(line)

    def close(self) -> None:
        if self._drawn and self._length:
            self._stream.write("\n")
        self._length, self._last = 0, None


def duration(seconds: float | None) -> str:
    """ "2 h 5 min", "3 min 20 s", "4 s"; "" for None."""
    if seconds is None:
        return ""
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"


def size(count: int) -> str:
    """Bytes in words: "12.5 MB"."""
    return (
        f"{count / 1e9:.1f} GB"
        if count >= 1e9
        else f"{count / 1e6:.1f} MB"
        if count >= 1e5
        else f"{count:,} B"
    )
