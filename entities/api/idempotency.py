"""``Idempotency-Key`` on what REST writes to entity memory.

Who remembers the answers is not known here: whoever puts the APIs together says so (``config.api``).
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

from rest_framework.response import Response

Handler: TypeAlias = Callable[..., Response]


class Remembering:
    """What makes of a ``post`` one that answers again what is sent again."""

    by: Callable[[Handler], Handler] | None = None


def idempotent(post: Handler) -> Handler:
    """Wrap a view's ``post``."""

    @wraps(post)
    def once(*args: Any, **kwargs: Any) -> Response:
        return (Remembering.by(post) if Remembering.by else post)(*args, **kwargs)

    return once
