"""Natures of control as Companies House writes them, read into bands. Pure.

The words are those of the PSC regulations (SI 2016/339), for example ``ownership-of-shares-25-to-50-percent-as-trust``:
"more than 25 % but not more than 50 %". A word that is not known is kept as it is, as "other".
"""

import re
from decimal import Decimal

from entities.registers.records import Control, NatureOfControl, OwnerKind

_BAND = re.compile(r"([0-9]{1,3})-to-([0-9]{1,3})-percent")
_MORE = re.compile(r"more-than-([0-9]{1,3})-percent")
_KINDS = (
    ("ownership-of-shares", Control.SHARES),
    ("voting-rights", Control.VOTES),
    ("right-to-appoint-and-remove", Control.APPOINTS),
    ("right-to-share-surplus-assets", Control.SURPLUS),
    ("part-right-to-share-surplus-assets", Control.SURPLUS),
    ("significant-influence-or-control", Control.INFLUENCE),
)


def control_of(word: str) -> NatureOfControl:
    """One nature of control; a share of 0 to 100 percent that the word does not state in bounds has none."""
    kind = next((kind for start, kind in _KINDS if word.startswith(start)), Control.OTHER)
    low, high = _bounds(word)
    return NatureOfControl(kind, word, low, high, _through(word))


def owner_kind(kind: str) -> OwnerKind:
    """What a PSC is, by the ``kind`` of the register; a legal person is a government, agency or the like."""
    bare = kind.removeprefix("super-secure-")
    if bare.startswith("individual") or kind.startswith("super-secure-person"):
        return "natural_person"
    if bare.startswith("corporate-entity"):
        return "legal_entity"
    return "government" if bare.startswith("legal-person") else "unknown"


def _bounds(word: str) -> tuple[Decimal | None, Decimal | None]:
    band = _BAND.search(word)
    if band and int(band[1]) < int(band[2]) <= 100:
        return Decimal(band[1]), Decimal(band[2])
    more = _MORE.search(word)
    if more and int(more[1]) < 100:
        return Decimal(more[1]), None
    return None, None


def _through(word: str) -> str:
    if "trust" in word:
        return "trust"
    return "firm" if "-firm" in word else ""
