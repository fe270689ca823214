"""A ``requests`` adapter for which a timeout bounds the whole head of an answer, not only the gaps between its bytes.

Without it a server that sends a byte of its headers now and then holds a thread for as long as it likes.
"""

import socket
import threading
from contextlib import suppress
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.response import HTTPResponse


class _Punctual(HTTPConnection):
    """``timeout`` is what urllib3 allows one read; here it is also all the time there is for status and headers."""

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # urllib3 gives its own
        late = threading.Event()
        timer = threading.Timer(float(self.timeout or 0), self._hang_up, (late,))
        timer.daemon = True
        timer.start()
        try:
            response = super().getresponse()
        except Exception:
            if late.is_set():
                raise TimeoutError("the head of the answer was not there in time") from None
            raise
        finally:
            timer.cancel()
        if late.is_set():
            raise TimeoutError("the head of the answer was not there in time")
        return response

    def _hang_up(self, late: threading.Event) -> None:
        late.set()
        line: socket.socket | None = self.sock
        if line is not None:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)


class _PunctualTls(_Punctual, HTTPSConnection):
    pass


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Punctual


class _PoolTls(HTTPSConnectionPool):
    ConnectionCls = _PunctualTls


class PunctualAdapter(HTTPAdapter):
    """Use it for http and https alike; every request needs a timeout."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _PoolTls}
