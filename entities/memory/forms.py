"""What tells one representation from another: the key in its context, and what a key of each kind looks like."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from entities import lei as iso17442
from entities.memory.base import MAX_KEY, RefusedWrite
from entities.models import Entity, Representation, ShippedType

Type = Representation.Type
OF_COMPANIES = frozenset({Type.LEI, Type.REGISTER_NUMBER, Type.ISIN, Type.BIC})
OF_TOKENS = frozenset({Type.SPOT_TOKEN, Type.LP_PAIR, Type.LENDING, Type.STAKING})
NO_COMPANIES = frozenset(
    {
        ShippedType.PERSON,
        ShippedType.CRYPTO_TOKEN,
        ShippedType.MEME,
        ShippedType.PROTOCOL,
        ShippedType.MACRO_ASSET,
        ShippedType.CONCEPT,
    }
)

# The names under which a context may hold the key, the first being ours.
KEYS: dict[str, tuple[str, ...]] = {
    Type.LEI: ("lei",),
    Type.REGISTER_NUMBER: ("number", "registerNumber"),
    Type.ISIN: ("isin",),
    Type.BIC: ("bic",),
    Type.DOCKET: ("docket",),
    Type.SPOT_TOKEN: ("mint",),
    Type.PERP_CONTRACT: ("market",),
    Type.LP_PAIR: ("poolAddress", "pair"),
    Type.LENDING: ("market", "mint"),
    Type.STAKING: ("market", "mint"),
    Type.FUTURES: ("market",),
    Type.OPTION: ("market",),
    Type.FORMER_SLUG: ("slug",),
    Type.OTHER: ("key",),
}
ISIN = re.compile(r"[A-Z]{2}[A-Z0-9]{9}[0-9]")
BASE58 = re.compile(r"[1-9A-HJ-NP-Za-km-z]{32,44}")  # an address on Solana: 32 bytes


def key_of(type: str, context: Mapping[str, Any]) -> str:
    """The key that a context holds. Raises RefusedWrite when the type is unknown or the context lacks it."""
    names = KEYS.get(type)
    if names is None:
        raise RefusedWrite(f"there is no type of representation called {type[:60]!r}")
    found = next((context[name] for name in names if isinstance(context.get(name), str)), "")
    if not found.strip():
        raise RefusedWrite(f"the context of a {type} needs {' or '.join(names)}")
    return str(found)


def sound_key(type: str, key: str) -> str:
    """The key as it is stored. Raises RefusedWrite for one that cannot be a key of this type."""
    key = key.replace("\0", "").strip()
    if not key:
        raise RefusedWrite(f"a {type} needs a key")
    if len(key) > MAX_KEY:
        raise RefusedWrite(f"a key has at most {MAX_KEY} characters, this one {len(key):,}")
    check = _CHECKS.get(type)
    return check(key) if check else key


def require_fit(entity: Entity, type: str) -> None:
    """Raises RefusedWrite for a form that no entity of this type has: the ISIN of a company is no form of a token.

    Types that people have added may have any form.
    """
    if (type in OF_COMPANIES and entity.type in NO_COMPANIES) or (
        type in OF_TOKENS and entity.type == ShippedType.PERSON
    ):
        raise RefusedWrite(f"{entity.slug} is a {entity.type}, which has no {type}")


def isin_is_valid(text: str) -> bool:
    """ISO 6166: two letters, nine letters or digits, and a check digit (Luhn over the digits of base 36)."""
    if not ISIN.fullmatch(text):
        return False
    digits = "".join(str(int(char, 36)) for char in text)
    doubled = (int(digit) * (2 - place % 2) for place, digit in enumerate(digits[::-1], start=1))
    return sum(sum(divmod(number, 10)) for number in doubled) % 10 == 0


def _lei(key: str) -> str:
    lei = iso17442.normalise(key)
    if not iso17442.is_valid(lei):
        raise RefusedWrite(f"{key[:40]!r} is not a valid LEI")
    return lei


def _isin(key: str) -> str:
    isin = iso17442.normalise(key)  # blanks, dashes and small letters are in the way of both
    if not isin_is_valid(isin):
        raise RefusedWrite(f"{key[:40]!r} is not a valid ISIN")
    return isin


def _unbroken(key: str) -> str:
    if any(char.isspace() for char in key):
        raise RefusedWrite(f"{key[:40]!r} is not an address: it has a blank")
    return key


_CHECKS: dict[str, Callable[[str], str]] = {Type.LEI: _lei, Type.ISIN: _isin, Type.SPOT_TOKEN: _unbroken}
