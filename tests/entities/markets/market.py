"""The five market sources on loopback, each below its own path, answering in the documented shapes about one token."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from entities.markets.mint import ALPHABET
from tests.web.search.doubles import Double, Question, Reply

MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
KEYS = {
    "HELIUS_API_KEY": "helius-secret",
    "BIRDEYE_API_KEY": "birdeye-secret",
    "JUPITER_API_KEY": "jupiter-secret",
    "X_BEARER_TOKEN": "x-secret",
}
NOW = 1_790_000_000  # 21 September 2026
PATHS = {
    "price": "/birdeye/defi/price",
    "history": "/birdeye/defi/history_price",
    "overview": "/birdeye/defi/token_overview",
    "security": "/birdeye/defi/token_security",
    "holders": "/birdeye/defi/v3/token/holder",
    "report": f"/rugcheck/tokens/{MINT}/report",
    "summary": f"/rugcheck/tokens/{MINT}/report/summary",
    "posts": "/x/2/tweets/search/recent",
    "jupiter": "/jupiter/tokens/v2/search",
}
NAMES = {path: name for name, path in PATHS.items()}


def address(number: int) -> str:
    """The 32 bytes of a number as an address."""
    digits, value = "", number + (1 << 250)
    while value:
        value, digit = divmod(value, 58)
        digits = ALPHABET[digit] + digits
    return digits


ALICE, BOB, CAROL = address(1), address(2), address(3)


def rpc(result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": "1", "result": result}


def account(number: int, owner: str, amount: Any, mint: str = MINT) -> dict[str, Any]:
    return {
        "address": address(1000 + number),
        "mint": mint,
        "owner": owner,
        "amount": amount,
        "frozen": False,
    }


def holder(number: int, owner: str, amount: Any) -> dict[str, Any]:
    return {
        "token_account": address(2000 + number),
        "mint": MINT,
        "owner": owner,
        "amount": amount,
        "decimals": 6,
        "ui_amount": 0.1,
    }


def post(number: int, text: str, lang: str = "en", likes: int = 1) -> dict[str, Any]:
    return {
        "id": str(number),
        "text": text,
        "lang": lang,
        "author_id": "7",
        "created_at": "2026-09-21T14:00:00.000Z",
        "public_metrics": {"like_count": likes, "retweet_count": 2},
    }


GOOD: dict[str, Any] = {
    "getAsset": rpc(
        {
            "interface": "FungibleToken",
            "id": MINT,
            "content": {
                "metadata": {"name": "Mill Coin", "symbol": "MILL", "description": "A coin."},
                "links": {"image": "https://example.org/mill.png"},
            },
            "mutable": True,
            "token_info": {
                "symbol": "MILL",
                "supply": 9_007_199_254_740_993_000_001,
                "decimals": 6,
                "token_program": "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
                "mint_authority": ALICE,
                "freeze_authority": BOB,
            },
        }
    ),
    "getTokenAccounts": rpc(
        {
            "total": 4,
            "limit": 1000,
            "cursor": None,
            "token_accounts": [
                account(1, ALICE, 6_000_000_000_000_000_000_000),
                account(2, BOB, 1_000_000_000_000_000_000_000),
                account(3, ALICE, 1_000_000_000_000_000_000_000),
                account(4, CAROL, 0),
            ],
        }
    ),
    "price": {
        "success": True,
        "data": {"value": 1.1, "updateUnixTime": NOW, "priceChange24h": -2.5, "liquidity": 1234.5},
    },
    "history": {
        "success": True,
        "data": {
            "items": [{"unixTime": NOW - 3600, "value": 1.05}, {"unixTime": NOW - 7 * 86_400, "value": 1.0}]
        },
    },
    "overview": {"success": True, "data": {"v24hUSD": 5000, "marketCap": "1000000.5"}},
    "security": {"success": True, "data": {"totalSupply": 1000, "top10HolderPercent": 0.304}},
    "holders": {
        "success": True,
        "data": {
            "items": [holder(1, ALICE, "500000000"), holder(2, BOB, "100000000"), holder(3, ALICE, "1")]
        },
    },
    "report": {
        "mint": MINT,
        "score": 1991,
        "score_normalised": 61,
        "lpLockedPct": 12.5,
        "risks": [
            {"name": "Low Liquidity", "value": "$0.41", "description": "d", "score": 1990, "level": "danger"}
        ],
        "token": {"mintAuthority": None, "freezeAuthority": BOB, "supply": 5, "decimals": 6},
        "topHolders": [{"owner": ALICE, "pct": 20.5}, {"owner": ALICE, "pct": 1.5}, {"owner": BOB, "pct": 3}],
        "totalHolders": 42,
        "totalMarketLiquidity": 99.5,
        "insiderNetworks": [{"tokenAmount": 99_007_199_254_740_993}],
    },
    "summary": {"score": 101, "score_normalised": 1, "risks": [], "lpLockedPct": 0},
    "posts": {
        "data": [
            post(1, "MILL to the moon, buying more"),
            post(2, "Ich kaufe MILL, das Wachstum ist stark", "de"),
            post(3, "MILL: une arnaque, à éviter", "fr"),
            post(4, "MILL è in crescita, ottimo", "it"),
            post(5, "MILL va a subir, excelente", "es"),
            post(6, "The mill opens at nine.", likes=90),
        ],
        "includes": {"users": [{"id": "7", "username": "miller"}]},
        "meta": {"result_count": 6, "newest_id": "6", "oldest_id": "1"},
    },
    "jupiter": [
        {"id": ALICE, "name": "Fake Mill", "symbol": "MILL", "decimals": 9, "isVerified": False},
        {
            "id": MINT,
            "name": "Mill",
            "symbol": "MILL",
            "icon": "https://example.org/j.png",
            "decimals": 6,
            "totalSupply": 9_000_000.25,
            "isVerified": True,
            "audit": {"mintAuthorityDisabled": True, "freezeAuthorityDisabled": False},
        },
    ],
}

Play = Reply | dict | list | bytes | Callable[[Question], Any]


class Market(Double):
    """``says(price=...)`` changes what is said; ``asked`` lists what was, by name."""

    def __init__(self) -> None:
        super().__init__()
        self.plays: dict[str, Play] = deepcopy(GOOD)

    def says(self, **plays: Play) -> None:
        self.plays |= plays

    def everything(self, play: Play) -> None:
        self.plays = dict.fromkeys(self.plays, play)

    @property
    def asked(self) -> list[str]:
        return [_name(question) for question in self.questions]

    def urls(self) -> dict[str, str]:
        names = ("helius", "birdeye", "rugcheck", "x", "jupiter")
        return {f"{name.upper()}_BASE_URL": f"{self.url}/{name}" for name in names}

    def _next(self, question: Question) -> Reply:
        play = self.plays[_name(question)]
        while callable(play):
            play = play(question)
        return play if isinstance(play, Reply) else Reply(play)


def _name(question: Question) -> str:
    return question.body["method"] if question.path == "/helius" else NAMES[question.path]
