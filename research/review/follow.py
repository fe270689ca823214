"""Where the places of a document are after a person edited it."""

from collections.abc import Iterable, Sequence

from research.jsontext import Json, JsonObject
from research.review.patch import apply_patch
from research.review.pointer import escape, is_index, is_inside, parse, resolve


def follow(pointers: Iterable[str], document: Json, edits: Sequence[JsonObject]) -> dict[str, str | None]:
    """Each place → where it is after the edits (which must apply); None for what was removed.

    What is replaced keeps its place; an item that is added or removed moves those behind it.
    """
    places: dict[str, str | None] = {pointer: pointer for pointer in pointers}
    for edit in edits:
        moved = _Move(document, edit)
        places = {first: None if now is None else moved.of(now) for first, now in places.items()}
        document = apply_patch(document, [edit])
    return places


class _Move:
    """What one operation does to places."""

    def __init__(self, document: Json, edit: JsonObject) -> None:
        self._document, self._op = document, str(edit.get("op"))
        self._path, self._origin = str(edit.get("path", "")), str(edit.get("from", ""))

    def of(self, place: str) -> str | None:
        if self._op == "remove":
            return self._without(self._path, place)
        if self._op in ("add", "copy"):
            return self._with(place)
        if self._op == "move":
            if is_inside(place, self._origin):
                return self._path + place.removeprefix(self._origin)
            left = self._without(self._origin, place)
            return None if left is None else self._with(left)
        return place

    def _without(self, removed: str, place: str) -> str | None:
        return None if is_inside(place, removed) else self._shifted(removed, place, -1)

    def _with(self, place: str) -> str:
        return self._shifted(self._path, place, 1)

    def _shifted(self, path: str, place: str, by: int) -> str:
        """The place, counted on by one when it stands at or behind an item of the same list."""
        parent, _, token = path.rpartition("/")
        if (
            not is_index(token)
            or not is_inside(place, parent)
            or place == parent
            or not self._is_list(parent)
        ):
            return place
        head, *rest = parse(place.removeprefix(parent))
        if not is_index(head) or int(head) < int(token):
            return place
        return "/".join([parent, str(int(head) + by), *map(escape, rest)])

    def _is_list(self, pointer: str) -> bool:
        return isinstance(resolve(self._document, pointer)[1], list)
