"""A folder for files of the golden copy, and the import of records through one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from entities.gleif.golden.importing import Given, import_file
from entities.models import GoldenCopyImport
from tests.register_files import MORNING, Folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "copies").mkdir()
    return Folder(tmp_path / "copies")


@pytest.fixture
def load(folder: Folder) -> Callable[..., GoldenCopyImport]:
    """Import records as a file; ``scope`` and ``date`` as the publisher would say."""

    def load(records: list[dict[str, Any]], **options: Any) -> GoldenCopyImport:
        given = Given(
            scope=options.pop("scope", "full"),
            publish_date=options.pop("date", MORNING),
            expected=options.pop("expected", None),
            shrunk=options.pop("shrunk", False),
        )
        form = options.get("form", "csv")
        name = options.pop("name", f"file.{form}")
        return import_file(folder.file(records, name=name, **options), given=given)

    return load
