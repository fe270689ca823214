"""Helius: the Digital Asset Standard API of Solana over JSON-RPC 2.0. Its key is part of the address."""

from dataclasses import dataclass

from common.outside.client import Client, fault_of, json_or_none
from common.outside.exchange import Reply
from common.outside.faults import SourceFault
from entities.markets.authority import held_by
from entities.markets.token import TokenFacts
from entities.markets.values import (
    JsonObject,
    address,
    count,
    decimals_of,
    exact_json,
    inner,
    items,
    text,
)

PAGE = 1_000  # the most that the API gives at once
MAX_PAGES = 10
INVALID_PARAMS = -32602


@dataclass(frozen=True)
class Accounts:
    """Token accounts ``{address: (owner, raw amount)}``; ``complete`` when these are all there are."""

    held: dict[str, tuple[str, int]]
    complete: bool


def refine_helius(reply: Reply) -> SourceFault | None:
    """A JSON-RPC error comes with HTTP 200."""
    document = json_or_none(reply)
    if reply.status != 200 or not isinstance(document, dict) or "error" not in document:
        return None
    error = document["error"] if isinstance(document["error"], dict) else {}
    said = str(error.get("message", "")).lower()
    if "not found" in said or "notfound" in said:
        return fault_of("helius", "not_found", reply)
    if error.get("code") == INVALID_PARAMS:
        return fault_of("helius", "refused", reply)
    limited = error.get("code") in (429, -32429) or "rate limit" in said
    return fault_of("helius", "rate_limited" if limited else "server_error", reply)


class Helius:
    """Asks one address; nothing is kept between questions."""

    def __init__(self, source: Client) -> None:
        self.source = source

    def token(self, mint: str) -> TokenFacts:
        """What the chain and the token's own metadata say.

        An authority that is absent is unknown: an answer may leave it out for other reasons than that there is none.

        Raises:
            SourceFault: no answer, or one about something else.
        """
        asset = self._ask("getAsset", {"id": mint, "displayOptions": {"showFungible": True}})
        if asset.get("id") != mint:
            raise SourceFault("helius", "unreadable", "answered about another token", status=200)
        info, meta = inner(asset, "token_info"), inner(asset, "content", "metadata")
        mutable = asset.get("mutable")
        return TokenFacts(
            source="helius",
            name=text(meta.get("name"), 200),
            symbol=text(info.get("symbol"), 30) or text(meta.get("symbol"), 30),
            decimals=decimals_of(info.get("decimals")),
            supply=count(info.get("supply")),
            logo=address(inner(asset, "content", "links").get("image")),
            description=text(meta.get("description"), 1_000),
            program=text(info.get("token_program"), 44),
            mutable=mutable if isinstance(mutable, bool) else None,
            mint_authority=held_by(info.get("mint_authority"), "helius"),
            freeze_authority=held_by(info.get("freeze_authority"), "helius"),
            extensions=tuple(sorted(name for name in inner(asset, "mint_extensions") if len(name) < 60))[:30],
        )

    def accounts(self, mint: str) -> Accounts:
        """The accounts that hold the token, page by page, at most ``MAX_PAGES``; one that comes twice counts once.

        Raises:
            SourceFault: a page did not come: the accounts of the others would prove nothing.
        """
        held: dict[str, tuple[str, int]] = {}
        cursor, seen = "", set[str]()
        for _ in range(MAX_PAGES):
            params = {"mint": mint, "limit": PAGE, **({"cursor": cursor} if cursor else {})}
            page = self._ask("getTokenAccounts", params)
            if not isinstance(page.get("token_accounts"), list):
                raise SourceFault("helius", "unreadable", "sent no list of accounts", status=200)
            rows = items(page["token_accounts"])
            held |= {str(row["address"]): found for row in rows if (found := _held(row, mint))}
            following = page.get("cursor")
            if not isinstance(following, str) or not following or not rows:
                return Accounts(held, complete=following is None or not rows)
            if following in seen:
                raise SourceFault("helius", "unreadable", "sent pages that go in circles", status=200)
            seen.add(following)
            cursor = following
        return Accounts(held, complete=False)

    def _ask(self, method: str, params: JsonObject) -> JsonObject:
        body = {"jsonrpc": "2.0", "id": "1", "method": method, "params": params}
        document = self.source.ask(read=exact_json, body=body)
        if not isinstance(document, dict) or not isinstance(document.get("result"), dict):
            raise SourceFault("helius", "unreadable", "gave an answer that cannot be read", status=200)
        result: JsonObject = document["result"]
        return result


def _held(row: JsonObject, mint: str) -> tuple[str, int] | None:
    """Owner and amount of an account that can be counted."""
    owner, held = row.get("owner"), count(row.get("amount"))
    if not isinstance(row.get("address"), str) or not isinstance(owner, str) or not owner or held is None:
        return None
    return (owner, held) if row.get("mint", mint) == mint else None
