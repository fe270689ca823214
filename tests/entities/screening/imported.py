"""Lists that are there, for tests of what is done with them."""

from entities.screening import looking
from entities.screening.importing import import_list
from tests.entities.screening.samples import FILES, written


def import_text(tmp_path, now, name, text):
    """A file of a list, imported."""
    looking._remembered.clear()
    looking._indexes.clear()
    path = written(tmp_path, text, f"{name}.csv" if name == "uk" else f"{name}.xml")
    return import_list(path, list_name=name, now=now)


def import_all(tmp_path, now):
    """Each of the six lists."""
    return [import_text(tmp_path, now, name, text()) for name, text in FILES.items()]
