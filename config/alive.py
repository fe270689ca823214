"""``python -m config.alive web``, or ``mcp``, ``worker``, ``beat``, ``alarms``: is this container well? Exit 1: no.

The check of a container runs twice a minute, so it loads no more of Django than it needs.
"""

import os
import socket
import sys
import time
from http.client import HTTPConnection, HTTPException

from config import env

SERVERS = {
    "web": (8000, "/readyz"),  # the database answers and is migrated
    "mcp": (8001, "/healthz"),
}


def answers(port: int, path: str) -> bool:
    """Whether the server on this port says that it is well, in five seconds at most.

    It is asked by the name that people use, because in production a server answers to no other.
    """
    host = env.words("DOSSIER_ALLOWED_HOSTS", "localhost")[0].lstrip("*.") or "localhost"
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path, headers={"Host": host, "X-Forwarded-Proto": "https"})
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def gives_signs(kind: str) -> bool:
    """Whether such a process of this machine gave a sign of life of late; each container is a machine of its own."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from research.doctor.heartbeats import signs

    here = f"{socket.gethostname()}:"
    return any(sign.name.startswith(here) and not sign.is_stale(time.time()) for sign in signs(kind))


if __name__ == "__main__":
    asked = sys.argv[1]
    sys.exit(not (answers(*SERVERS[asked]) if asked in SERVERS else gives_signs(asked)))
