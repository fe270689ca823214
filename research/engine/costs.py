"""Maximum and actual cost of model calls, in US dollars.

A step's ``usage`` says how sure its cost is: ``"cost": "known"``; ``"reserved"`` when the provider did not say what it
used, so that the reservation was booked; ``"unknown"`` when the model has no price, which is not the same as free.
"""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_UP, Decimal
from typing import Literal, TypeAlias

from research.engine.history import size
from research.jsontext import JsonObject, canonical_once
from research.llm.interface import Abilities, ModelRequest, Usage
from research.llm.wire import MAX_SEARCHES, searches_itself
from research.models import ModelPrice
from research.store import rows

Sureness: TypeAlias = Literal["known", "reserved", "unknown"]

CHARS_PER_TOKEN = 3  # characters per token: few, so that estimates are high
MILLION, THOUSAND = Decimal(1_000_000), Decimal(1_000)
MICRO = Decimal("0.000001")
ZERO = Decimal(0)
MAX_COUNT = 10**9  # tokens in one call; ignore a provider that reports more
MAX_COST = Decimal(10_000)  # cost of one call


@dataclass(frozen=True)
class Price:
    """US dollars per token and per search."""

    input: Decimal = ZERO
    cached: Decimal = ZERO
    cache_write: Decimal = ZERO
    output: Decimal = ZERO
    search: Decimal = ZERO


FREE = Price()


def model_id(name: str) -> str:
    """The provider's name of the model: ``anthropic:MODEL`` without the protocol."""
    return name.partition(":")[2]


def price_of(name: str, day: date) -> Price | None:
    """The price of a model on a day. None if nobody entered one. A researcher without a provider is free."""
    if ":" not in name:
        return FREE
    latest = "WHERE model = %s AND valid_from <= %s ORDER BY valid_from DESC LIMIT 1"
    found = rows.read(ModelPrice, latest, [model_id(name), day])
    if not found:
        return None
    known = found[0]
    return Price(
        input=known.input_usd / MILLION,
        cached=known.cached_usd / MILLION,
        cache_write=known.cache_write_usd / MILLION,
        output=known.output_usd / MILLION,
        search=known.search_usd / THOUSAND,
    )


def worst_case(price: Price, request: ModelRequest, abilities: Abilities) -> Decimal:
    """Maximum cost of one call: all input at the highest price, the longest answer, the most searches.

    A provider that searches itself has its model read the conversation again after each search, with all that was
    found: as much as the model can read.
    """
    if price == FREE:
        return ZERO
    tokens = request_size(request) // CHARS_PER_TOKEN + 1
    searches = MAX_SEARCHES if searches_itself(request, abilities) else 0
    if searches:
        tokens = max(tokens, abilities.context_tokens) * (1 + searches)
    amount = tokens * max(price.input, price.cache_write) + request.max_tokens * price.output
    return (amount + searches * price.search).quantize(MICRO, rounding=ROUND_UP)


def cost_of(price: Price | None, usage: Usage | None, reserved: Decimal) -> tuple[Decimal, JsonObject | None]:
    """The amount to book for an answer, and its usage for the journal.

    What no call can use or cost counts as not said: it could not be stored.
    """
    sure: Sureness = "known"
    if usage is not None and max(vars(usage).values()) > MAX_COUNT:
        usage = None
    if price == FREE and usage is None:
        return ZERO, None
    if price is None:
        amount, sure = ZERO, "unknown"
    elif usage is None or not usage.known:
        amount, sure = reserved, "reserved"
    else:
        tokens = (
            usage.input_tokens * price.input
            + usage.cached_tokens * price.cached
            + usage.cache_write_tokens * price.cache_write
            + usage.output_tokens * price.output
        )
        amount = (tokens + usage.searches * price.search).quantize(MICRO)
        if amount > MAX_COST:
            amount, sure = reserved, "reserved"
    counted = {key: value for key, value in vars(usage).items() if value and key != "known"} if usage else {}
    return amount, {**counted, "cost": sure}


def request_size(request: ModelRequest) -> int:
    """Number of characters that are sent."""
    return fixed_size(request) + sum(map(size, request.messages))


def fixed_size(request: ModelRequest) -> int:
    """Number of characters that are sent in addition to the conversation."""
    tools = sum(
        len(tool.name) + len(tool.description) + len(canonical_once(tool.parameters))
        for tool in request.tools
    )
    shape = 0 if request.schema is None else len(canonical_once(request.schema))
    return len(request.system) + tools + shape
