"""How Dossier reads the web: addresses, guard, fetcher, extraction, cleaning. Only the archive knows the
database."""
