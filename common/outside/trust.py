"""Who vouches for certificates: the public authorities, unless the environment of the process names others."""

import os
import ssl
from functools import cache
from pathlib import Path

_VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")


def authorities() -> str | None:
    """The file or folder of certificates that the environment names in one of the usual variables.

    What it says is trusted instead of the public authorities, as curl and ``requests`` do it.
    """
    return next((path for name in _VARIABLES if (path := os.environ.get(name))), None)


def trust_store(extra: str = "") -> ssl.SSLContext:
    """A context for clients, and those in the PEM file ``extra`` too. One for all: it holds some hundred certificates.

    Raises ValueError for a place where no certificates can be read.
    """
    return _store(authorities(), extra)


@cache
def _store(named: str | None, extra: str) -> ssl.SSLContext:
    import certifi

    place = named or certifi.where()
    folder = Path(place).is_dir()
    try:
        context = ssl.create_default_context(
            cafile=None if folder else place, capath=place if folder else None
        )
        if extra:
            context.load_verify_locations(cafile=extra)
    except OSError as error:
        raise ValueError(f"no certificates can be read in {extra or place}") from error
    return context
