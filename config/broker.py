"""The zero set-up broker: messages are files in a folder, as in kombu's transport, but written before they are seen.

The stock transport opens a message under its final name and then writes it; a worker that looks in between takes an
empty file, fails to read it, and ends.
"""

import logging
import time
from pathlib import Path
from queue import Empty
from typing import Any
from uuid import uuid4

from kombu.transport import filesystem
from kombu.utils.json import dumps

log = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    """A channel that shows a message when it is whole, and puts aside one that is not."""

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]  # as kombu does
        folder = Path(self.data_folder_out)
        name = f"{time.time_ns()}_{uuid4()}.{queue}.msg"
        written = folder / f".{name}"  # no name that a worker looks for
        written.write_text(dumps(payload), encoding="utf-8")
        written.replace(folder / name)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        try:
            return super()._get(queue)
        except ValueError:
            log.warning("a message in %s could not be read; the sweep will ring again", self.data_folder_in)
            raise Empty from None


class Transport(filesystem.Transport):
    """``filesystem://`` with the channel above."""

    Channel = Channel
