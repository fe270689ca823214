"""What a model may call. Each module is one family; importing it enters its tools in the registry."""

from research.tools import lei, memory

__all__ = ["lei", "memory"]
