"""Imports of the authorities' indexes, and the tables that are made of them."""

import csv
import json
from collections.abc import Iterable
from pathlib import Path

from django.db import transaction

from citations.authority.bge import BgeIndex, Series, read_index
from citations.models import BgeSeries, LawCode
from citations.statutes.acts import Act, ActTable, built_in, full_names

_COLUMNS = ("level", "canton", "number", "abbr_de", "abbr_fr", "abbr_it", "title_de")


def import_bge(path: Path) -> int:
    """Replace the index of BGE series by that of a JSON file; how many series. Raises ValueError, OSError."""
    index = read_index(json.loads(path.read_text(encoding="utf-8")))
    rows = [
        BgeSeries(volume=volume, division=division, starts=list(series.starts), window=series.window)
        for (volume, division), series in index.series.items()
    ]
    with transaction.atomic():
        BgeSeries.objects.all().delete()
        BgeSeries.objects.bulk_create(rows, batch_size=500)
    return len(rows)


def bge_index() -> BgeIndex:
    """The imported index; without an import only what is impossible by volume and division is decided."""
    rows = BgeSeries.objects.all()
    series = {(row.volume, row.division): Series(tuple(row.starts), row.window) for row in rows}
    return BgeIndex(max((volume for volume, _ in series), default=0), series)


def import_codes(path: Path) -> int:
    """Replace the acts by those of a CSV file; how many. Raises ValueError when columns are missing, OSError."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        missing = set(_COLUMNS) - set(reader.fieldnames or ())
        if missing:
            raise ValueError(f"columns are missing: {', '.join(sorted(missing))}")
        rows = [_code(row) for row in reader]
    with transaction.atomic():
        LawCode.objects.all().delete()
        LawCode.objects.bulk_create(rows, batch_size=1000)
    return len(rows)


def _code(row: dict[str, str]) -> LawCode:
    return LawCode(
        canton=row["canton"][:2],
        number=row["number"][:60],
        abbr_de=row["abbr_de"][:80],
        abbr_fr=row["abbr_fr"][:80],
        abbr_it=row["abbr_it"][:80],
        title=row["title_de"],
    )


def act_table() -> ActTable:
    """The acts that come with Dossier, and all federal acts that were imported."""
    known = {act.key for act in built_in().acts}
    imported: Iterable[LawCode] = LawCode.objects.filter(canton="")
    more = [Act(row.number, row.abbr_de, row.abbr_fr, row.abbr_it) for row in imported]
    return ActTable(
        [*built_in().acts, *(act for act in more if act.key and act.key not in known)], full_names()
    )
