"""When a page counts as settled. Without a browser a page is settled when it is there."""

from dataclasses import dataclass

NAVIGATION, DOM_QUIET, NETWORK_QUIET = "NAVIGATION", "DOM_QUIET", "NETWORK_QUIET"
_ALSO = {"DOM": DOM_QUIET, "NETWORK": NETWORK_QUIET}
WORDS = (NAVIGATION, DOM_QUIET, NETWORK_QUIET)


@dataclass(frozen=True)
class Settle:
    """Quiet for ``quiet`` seconds, and at most ``bound`` seconds of waiting for that."""

    name: str
    quiet: float
    bound: float


POLICIES = {
    NAVIGATION: Settle(NAVIGATION, 0.1, 1.0),
    DOM_QUIET: Settle(DOM_QUIET, 0.5, 5.0),
    NETWORK_QUIET: Settle(NETWORK_QUIET, 0.5, 8.0),
}


def settle_policy(word: str) -> Settle:
    """The policy of a word as callers write it (``dom-quiet``, ``DOM``). Raises ValueError."""
    name = word.strip().upper().replace("-", "_") or NAVIGATION
    name = _ALSO.get(name, name)
    if name not in POLICIES:
        raise ValueError(f"settlePolicy: {word[:40]!r} is none; there are {', '.join(WORDS)}")
    return POLICIES[name]
