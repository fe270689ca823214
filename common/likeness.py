"""How alike two texts are: ``rapidfuzz``, loaded when two are compared for the first time. Most processes never do."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["OSA", "Indel", "fuzz", "process"]


class _Later:
    """A module that is imported for the first name that is asked of it."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        found = getattr(import_module(self._module), name)
        setattr(self, name, found)  # so that the second time costs nothing
        return found


if TYPE_CHECKING:
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import OSA, Indel
else:
    fuzz, process = _Later("rapidfuzz.fuzz"), _Later("rapidfuzz.process")
    OSA, Indel = _Later("rapidfuzz.distance.OSA"), _Later("rapidfuzz.distance.Indel")
