"""``python -m config.alive web``, or ``mcp``: does the server of this container answer? Exit code 1 when it does not.

It is asked by the name that people use, because in production a server answers to no other. The check of a container
runs twice a minute, so nothing of Django is loaded.
"""

import sys
from http.client import HTTPConnection, HTTPException

from config import env

SERVERS = {
    "web": (8000, "/readyz"),  # the database answers and is migrated
    "mcp": (8001, "/healthz"),
}


def answers(port: int, path: str) -> bool:
    """Whether the server on this port says that it is well, in five seconds at most."""
    host = env.words("DOSSIER_ALLOWED_HOSTS", "localhost")[0].lstrip("*.") or "localhost"
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path, headers={"Host": host, "X-Forwarded-Proto": "https"})
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(not answers(*SERVERS[sys.argv[1]]))
