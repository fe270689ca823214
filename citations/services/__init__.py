"""What writes to the tables of citations: the authorities' lists, what was verified, and where it is cited."""

from citations.services.authorities import act_table, bge_index, import_articles, import_bge, import_codes

__all__ = ["act_table", "bge_index", "import_articles", "import_bge", "import_codes"]
