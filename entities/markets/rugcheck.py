"""Rugcheck: known risks of a token. No key is needed. In ``score_normalised`` (0 to 100) a higher number is riskier."""

from dataclasses import dataclass, field, replace
from decimal import Decimal

from common.outside.client import Client
from common.outside.faults import SourceFault
from entities.markets.authority import UNKNOWN, Authority, named_or_null
from entities.markets.values import JsonObject, amount, count, exact_json, inner, items, plain, text

MAX_RISKS, MAX_HOLDERS = 30, 10


@dataclass(frozen=True)
class Report:
    """What is None was not said. ``full`` is False for the summary, which says nothing about authorities."""

    full: bool
    score: Decimal | None
    score_normalised: Decimal | None
    lp_locked: Decimal | None
    risks: list[JsonObject]
    mint_authority: Authority = UNKNOWN
    freeze_authority: Authority = UNKNOWN
    top_holders: list[JsonObject] = field(default_factory=list)
    holders: int | None = None
    liquidity: Decimal | None = None
    insider_networks: int | None = None


class Rugcheck:
    """Asks one address; nothing is kept between questions."""

    def __init__(self, source: Client) -> None:
        self.source = source

    def report(self, mint: str) -> Report:
        """The full report. Raises SourceFault."""
        document = self._ask(f"/tokens/{mint}/report", mint)
        token = inner(document, "token")
        networks = document.get("insiderNetworks")
        return replace(
            _read(document),
            full=True,
            mint_authority=named_or_null(token, "mintAuthority", "rugcheck"),
            freeze_authority=named_or_null(token, "freezeAuthority", "rugcheck"),
            top_holders=_holders(document),
            holders=count(document.get("totalHolders")),
            liquidity=amount(document.get("totalMarketLiquidity")),
            insider_networks=len(networks) if isinstance(networks, list) else None,
        )

    def summary(self, mint: str) -> Report:
        """The summary: risks and scores. Raises SourceFault."""
        return _read(self._ask(f"/tokens/{mint}/report/summary", mint))

    def _ask(self, path: str, mint: str) -> JsonObject:
        document = self.source.ask(path, read=exact_json)
        if not isinstance(document, dict) or document.get("mint", mint) != mint:
            raise SourceFault("rugcheck", "unreadable", "answered about something else", status=200)
        if amount(document.get("score")) is None and not isinstance(document.get("risks"), list):
            raise SourceFault("rugcheck", "not_found", "has no report on this token", status=200)
        return document


def _read(document: JsonObject) -> Report:
    return Report(
        full=False,
        score=amount(document.get("score")),
        score_normalised=_share(document.get("score_normalised")),
        lp_locked=_share(document.get("lpLockedPct")),
        risks=[_risk(item) for item in items(document.get("risks"))[:MAX_RISKS]],
    )


def _share(value: object) -> Decimal | None:
    """A number from 0 to 100."""
    found = amount(value)
    return found if found is not None and found <= 100 else None


def _risk(item: JsonObject) -> JsonObject:
    return {
        "name": text(item.get("name"), 100) or "unnamed",
        "level": text(item.get("level"), 20) or "unknown",
        "value": text(item.get("value"), 100),
        "description": text(item.get("description"), 300),
        "score": plain(amount(item.get("score"))),
    }


def _holders(document: JsonObject) -> list[JsonObject]:
    """By owner: one that is listed twice is one holder."""
    shares: dict[str, Decimal] = {}
    for item in items(document.get("topHolders")):
        owner, share = text(item.get("owner"), 44), _share(item.get("pct"))
        if owner and share is not None:
            shares[owner] = shares.get(owner, Decimal(0)) + share
    best = sorted(shares.items(), key=lambda one: (-one[1], one[0]))[:MAX_HOLDERS]
    return [{"owner": owner, "percent": plain(share)} for owner, share in best]
