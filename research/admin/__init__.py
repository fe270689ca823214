"""The cockpit: read-only pages, the gate, and macros as versions. Importing this package registers them."""

from research.admin import macros, records, results, runs

__all__ = ["macros", "records", "results", "runs"]
