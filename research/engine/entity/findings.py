"""Findings about an entity: their schema, and those that rules derive from the sources. Pure."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from research.jsontext import Json, JsonObject

MAX_LISTED = 20
CONCENTRATED = 50  # per cent of the supply held by ten
MOST_SURE = 85  # no person has checked it
TEXTS: JsonObject = {"type": "array", "items": {"type": "string"}}
SCHEMA: JsonObject = {
    "type": "object",
    "required": ["summary", "confidence"],
    "properties": {
        "summary": {"type": "string", "minLength": 1},
        "confidence": {"type": "number", "minimum": 0, "maximum": 100, "description": "0 to 100"},
        "sentiment": {"type": "string", "enum": ["bullish", "bearish", "neutral", "unknown"]},
        "risks": TEXTS,
        "opportunities": TEXTS,
        "metadata": {
            "type": "object",
            "description": "what programs may want to read; lei: the LEI found, if it is a legal entity",
        },
    },
}
Answers = Mapping[str, JsonObject | None]


def token_findings(mint: str, answers: Answers) -> JsonObject:
    """Findings from successful answers of market tools by rules. ``answers`` are their data by tool.

    Confidence grows with the number of sources that answered, and falls where they disagree. Rules see no
    opportunities.
    """
    meta, price = answers.get("get_token_metadata"), answers.get("get_price_history")
    rug, holders = answers.get("check_rugcheck"), answers.get("get_holder_distribution")
    talk = answers.get("analyze_sentiment")
    said = [_named(mint, meta), _priced(price), _checked(rug), _held(holders), _talked(talk)]
    answered = sum(data is not None for data in (meta, price, rug, holders, talk))
    disagree = len((meta or {}).get("disagreements") or [])
    return {
        "summary": " ".join(filter(None, said)),
        "confidence": max(10, min(MOST_SURE, 25 + 12 * answered) - 10 * disagree),
        "sentiment": str((talk or {}).get("sentiment") or "unknown"),
        "risks": [
            *_authority_risks(meta, rug),
            *[_risk(risk) for risk in (rug or {}).get("risks") or []],
            *_holder_risks(holders),
        ][:MAX_LISTED],
        "opportunities": [],
        "metadata": {
            "composed_by": "rules",
            "mint": mint,
            "symbol": (meta or {}).get("symbol"),
            "price_usd": (price or {}).get("currentPrice"),
            "market_cap_usd": (price or {}).get("marketCap"),
            "holders": (holders or {}).get("totalHolders"),
            "unknown": [
                f"{tool}.{name}"
                for tool, data in answers.items()
                for name in (data or {}).get("unknown") or []
            ],
        },
    }


def authority(name: str, meta: JsonObject | None, rug: JsonObject | None) -> str:
    """set, revoked or unknown, by both sources. Contradictions are unknown."""
    said = {str((data or {}).get(name, {}).get("state", "unknown")) for data in (meta, rug)} - {"unknown"}
    return said.pop() if len(said) == 1 else "unknown"


def _named(mint: str, meta: JsonObject | None) -> str:
    if meta is None:
        return f"What the token {mint} is called is not known."
    name, symbol = meta.get("name") or "A token without a name", meta.get("symbol")
    label = f"{name} ({symbol})" if symbol else str(name)
    standard = {"spl-token": "an SPL token", "token-2022": "a Token-2022 token"}.get(
        str(meta.get("standard")), "a token"
    )
    supply = f" Its supply is {meta['supply']}." if meta.get("supply") else " Its supply is not known."
    return f"{label} is {standard} on Solana, mint {mint}.{supply}"


def _priced(price: JsonObject | None) -> str:
    if price is None:
        return "Its price is not known."
    change = price.get("priceChange")
    moved = f", {_signed(change)} % in {price.get('timeframe')}" if change is not None else ""
    return f"It costs {price.get('currentPrice')} USD{moved}."


def _checked(rug: JsonObject | None) -> str:
    if rug is None:
        return "Its known risks were not to be had."
    score = rug.get("scoreNormalised")
    told = f", with {score} of 100 where higher is riskier" if score is not None else ""
    count = len(rug.get("risks") or [])
    return f"Rugcheck names {count} {'risk' if count == 1 else 'risks'}{told}."


def _held(holders: JsonObject | None) -> str:
    if holders is None:
        return "Who holds it is not known."
    total, share = holders.get("totalHolders"), holders.get("top10Concentration")
    many = f"It has {total} holders" if total is not None else "How many hold it is not known"
    return f"{many}; the ten largest have {share} % of it." if share is not None else f"{many}."


def _talked(talk: JsonObject | None) -> str:
    if talk is None:
        return ""
    word, count = talk.get("sentiment"), talk.get("mentionCount")
    return f"On X it was mentioned {count} times in a day; by word lists that is {word}."


def _authority_risks(meta: JsonObject | None, rug: JsonObject | None) -> list[str]:
    words = {
        "mintAuthority": ("more of it can be minted", "more of it can still be minted"),
        "freezeAuthority": ("accounts can be frozen", "accounts can be frozen"),
    }
    found = []
    for name, (whether, that) in words.items():
        state = authority(name, meta, rug)
        if state == "set":
            found.append(f"An authority is set: {that}.")
        elif state == "unknown":
            found.append(f"Whether {whether} is not known.")
    return found


def _risk(risk: JsonObject) -> str:
    value = f": {risk['value']}" if risk.get("value") else ""
    return f"{risk.get('name')}{value} (Rugcheck, {risk.get('level')})"


def _holder_risks(holders: JsonObject | None) -> list[str]:
    share = (holders or {}).get("top10Concentration")
    try:
        concentrated = share is not None and Decimal(str(share)) > CONCENTRATED
    except InvalidOperation:
        return []
    return [f"The ten largest holders have {share} % of the supply."] if concentrated else []


def _signed(change: Json) -> str:
    text = str(change)
    return text if text.startswith("-") else f"+{text}"
