"""Faults of what Dossier stands on, made on purpose; see ``__main__``."""
