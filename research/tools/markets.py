"""Market data about a token as tools. Missing values stay null or "unknown"."""

from collections.abc import Callable

from entities.markets.markets import Markets, open_markets
from entities.markets.prices import TIMEFRAMES
from research.jsontext import Json, JsonObject
from research.tools.tool import Answer, ToolContext, ToolError, register_source, tool, whole
from research.web.cleaning import clean_text

MINT = {
    "type": "string",
    "pattern": "^[1-9A-HJ-NP-Za-km-z]{32,44}$",
    "description": "Mint address on Solana: 32 to 44 characters of base58. Not an LEI.",
}
ABOUT_MINT: JsonObject = {"required": ["mint"], "properties": {"mint": MINT}}


@tool(
    "get_token_metadata",
    "Name, symbol, decimals, supply, programme and authorities of a token on Solana, by its mint. An authority that no "
    "source speaks of is unknown, which does not mean revoked.",
    ABOUT_MINT,
    found=whole,
)
def get_token_metadata(arguments: JsonObject, context: ToolContext) -> Answer:
    return _answer(arguments["mint"], "metadata", lambda m: m.token_metadata(arguments["mint"]))


@tool(
    "get_price_history",
    "Price of a token in US dollars, how it moved, what is traded in a day, liquidity and market value. Changes are in "
    "percent.",
    {
        "required": ["mint"],
        "properties": {
            "mint": MINT,
            "timeframe": {"type": "string", "enum": list(TIMEFRAMES), "default": "7d"},
        },
    },
    found=whole,
)
def get_price_history(arguments: JsonObject, context: ToolContext) -> Answer:
    mint, timeframe = arguments["mint"], arguments.get("timeframe", "7d")
    return _answer(mint, f"prices {timeframe}", lambda m: m.price_history(mint, timeframe))


@tool(
    "check_rugcheck",
    "Known risks of a token on Solana: risk list, score (higher is riskier), authorities, locked liquidity, largest "
    "holders.",
    ABOUT_MINT,
    found=whole,
)
def check_rugcheck(arguments: JsonObject, context: ToolContext) -> Answer:
    return _answer(arguments["mint"], "risks", lambda m: m.rugcheck(arguments["mint"]))


@tool(
    "analyze_sentiment",
    "How a token is talked about on X in the last 24 hours: bullish, bearish or neutral by word lists in EN, DE, FR, "
    "IT and ES, with counts and the posts most shared. The method is named in the answer; it reads no irony.",
    {
        "required": ["symbol"],
        "properties": {
            "symbol": {"type": "string", "minLength": 1, "maxLength": 30, "description": "symbol or cashtag"},
            "entityName": {"type": "string", "maxLength": 100, "description": "also look for this name"},
        },
    },
)
def analyze_sentiment(arguments: JsonObject, context: ToolContext) -> Answer:
    symbol, name = arguments["symbol"], arguments.get("entityName", "")
    return _answer(symbol, "talk", lambda m: m.sentiment(symbol, name))


@tool(
    "get_holder_distribution",
    "How many hold a token on Solana and how much the ten largest have, added up by owner. Owners may be pools or "
    "exchanges.",
    ABOUT_MINT,
    found=whole,
)
def get_holder_distribution(arguments: JsonObject, context: ToolContext) -> Answer:
    return _answer(arguments["mint"], "holders", lambda m: m.holder_distribution(arguments["mint"]))


def _answer(subject: str, what: str, ask: Callable[[Markets], JsonObject]) -> Answer:
    found = ask(open_markets())
    if not found["success"]:
        error = dict(found["error"])
        code, message, retryable = (error.pop(name) for name in ("code", "message", "retryable"))
        raise ToolError(code, message, retryable=retryable, source=found["source"], **error)
    data = {**_harmless(found["data"]), "source": found["source"], "retrieved_at": found["retrieved_at"]}
    source = register_source(
        key=f"{found['source']}:{what}:{subject}"[:200],
        url="",
        title=f"{found['source']}: {what} of {subject[:60]}",
        snippet=what,
        seen=data,
        as_of=found["retrieved_at"],
    )
    return Answer(data, ({**source, "kind": "market"},))


def _harmless(value: Json) -> Json:
    """Names and posts come from anyone, so remove what a model could read as markup."""
    if isinstance(value, str):
        return clean_text(value).text
    if isinstance(value, dict):
        return {name: _harmless(item) for name, item in value.items()}
    return [_harmless(item) for item in value] if isinstance(value, list) else value
