"""Search quality, computed from calls and answers rather than by the researcher."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from research.jsontext import Json, JsonObject

Quality: TypeAlias = Literal["HIGH", "MEDIUM", "LOW"]
Outcome: TypeAlias = Literal["found", "nothing", "failed"]
FIELD = "search_quality"
ORDER: tuple[Quality, ...] = ("LOW", "MEDIUM", "HIGH")


def quality_of(outcomes: Sequence[Outcome], data: JsonObject, schema: JsonObject) -> tuple[Quality, str]:
    """The quality, and the reason if it is not HIGH.

    LOW: no call found anything, most did not, or a list that the schema requires is empty. HIGH: every call found
    something, and at least half of what the schema asks for in lists was found. MEDIUM: all else.
    """
    found = outcomes.count("found")
    properties = schema.get("properties")
    known: Mapping[str, Json] = properties if isinstance(properties, Mapping) else {}
    lists = [
        name
        for name, part in known.items()
        if isinstance(part, Mapping) and part.get("type") == "array" and part.get("x-claim") is not False
    ]
    filled = [name for name in lists if data.get(name)]
    needed = [name for name in lists if name in schema.get("required", ()) and not data.get(name)]
    if not found:
        return "LOW", "no look-up found anything"
    if found * 2 < len(outcomes):
        return "LOW", f"{len(outcomes) - found} of {len(outcomes)} look-ups found nothing or failed"
    if needed:
        return "LOW", f"nothing was found for {', '.join(needed)}"
    if found < len(outcomes):
        return "MEDIUM", f"{len(outcomes) - found} of {len(outcomes)} look-ups found nothing or failed"
    if len(filled) * 2 < len(lists):
        missing = ", ".join(name for name in lists if name not in filled)
        return "MEDIUM", f"nothing was found for {missing}"
    return "HIGH", ""


def no_better(claimed: Json, judged: Quality) -> Quality | Literal[""]:
    """The worse of the two. Empty if nothing is claimed."""
    word = str(claimed or "").upper()
    return min((one for one in ORDER if one in (word, judged)), key=ORDER.index) if word in ORDER else ""
