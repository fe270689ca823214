"""A token's own facts, whoever tells them. None is what a source does not say."""

from dataclasses import dataclass

from entities.markets.authority import UNKNOWN, Authority


@dataclass(frozen=True)
class TokenFacts:
    """``supply`` is in base units, as the chain has it."""

    source: str
    name: str | None = None
    symbol: str | None = None
    decimals: int | None = None
    supply: int | None = None
    logo: str | None = None
    description: str | None = None
    program: str | None = None
    mutable: bool | None = None
    verified: bool | None = None
    mint_authority: Authority = UNKNOWN
    freeze_authority: Authority = UNKNOWN
    extensions: tuple[str, ...] = ()
