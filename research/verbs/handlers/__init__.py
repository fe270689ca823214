"""Handlers of verbs. A handler reads first (registers, memory) and returns what is to be written.

The reading happens outside any transaction; the returned ``Write`` runs inside the one that also marks the call as
done, so a call either happened with all its changes or did not happen.
"""

from research.verbs.handlers.base import Context, Handler, VerbRefused, Write
from research.verbs.handlers.gleif import HANDLERS as GLEIF
from research.verbs.handlers.memory import HANDLERS as MEMORY
from research.verbs.handlers.ownership import HANDLERS as OWNERSHIP

HANDLERS: dict[str, Handler] = {**GLEIF, **MEMORY, **OWNERSHIP}

__all__ = ["HANDLERS", "Context", "Handler", "VerbRefused", "Write"]
