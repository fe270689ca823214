"""Who may still mint a token or freeze accounts. What a source does not say is ``unknown``, never "revoked". Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from entities.markets.mint import is_mint
from entities.markets.values import Json, JsonObject

State: TypeAlias = Literal["set", "revoked", "unknown"]


@dataclass(frozen=True)
class Authority:
    """``address`` is whose it is, when it is set and the source says whose; ``source`` is who says so."""

    state: State = "unknown"
    address: str | None = None
    source: str | None = None

    def as_json(self) -> JsonObject:
        return {"state": self.state, "address": self.address, "source": self.source}


UNKNOWN = Authority()


def held_by(value: Json, source: str) -> Authority:
    """Of a source that names the holder: any other value says nothing."""
    return Authority("set", value, source) if isinstance(value, str) and is_mint(value) else UNKNOWN


def named_or_null(owner: JsonObject, name: str, source: str) -> Authority:
    """Of a source whose explicit null means none; a field that is missing says nothing."""
    if name in owner and owner[name] is None:
        return Authority("revoked", None, source)
    return held_by(owner.get(name), source)


def disabled(value: Json, source: str) -> Authority:
    """Of a source that says only whether it is disabled."""
    if not isinstance(value, bool):
        return UNKNOWN
    return Authority("revoked" if value else "set", None, source)


def agreed(said: Iterable[Authority]) -> Authority:
    """What the sources say together; when they contradict each other, nothing is known."""
    known = [one for one in said if one.state != "unknown"]
    if not known or len({one.state for one in known}) > 1:
        return UNKNOWN
    return next((one for one in known if one.address), known[0])
