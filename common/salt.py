"""What is mixed into the fingerprint of a row, so that nobody can guess what stood in it once both are gone."""

import secrets


def new_salt() -> str:
    """128 random bits as 22 characters."""
    return secrets.token_urlsafe(16)
