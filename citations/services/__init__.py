"""What writes to the tables of citations: the authorities' indexes, what was verified, and who used it where."""

from citations.services.authorities import act_table, bge_index, import_bge, import_codes

__all__ = ["act_table", "bge_index", "import_bge", "import_codes"]
