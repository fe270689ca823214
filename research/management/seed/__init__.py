"""A small, lively database for whoever looks at Dossier for the first time, or works on it: ``manage.py seed``."""
