"""Imports of the authorities' lists, and the tables that are made of them.

A table is kept in memory as long as the list in the database has the digest that it was made of.
"""

import csv
import hashlib
from collections.abc import Iterable
from datetime import date
from functools import cache, lru_cache
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from citations.authority.bge import BgeIndex, Series, read_index
from citations.models import AuthorityList, BgeSeries, LawArticle, LawCode, ListName
from citations.statutes.acts import Act, ActTable, built_in, full_names
from citations.verify.judge import Lists
from citations.verify.statutes import ActArticles, Articles, article_key
from common.bounded_json import load_json
from common.transactions import retried

_COLUMNS = ("level", "canton", "number", "abbr_de", "abbr_fr", "abbr_it", "title_de")


_ARTICLE_COLUMNS = ("number", "article")
_GONE = frozenset(("1", "yes", "true", "repealed"))


@retried
def import_bge(path: Path, *, as_of: date | None = None) -> int:
    """Replace the index of BGE series by that of a JSON file; how many series. Raises ValueError, OSError."""
    raw = path.read_bytes()
    index = read_index(load_json(raw))
    rows = [
        BgeSeries(volume=volume, division=division, starts=list(series.starts), window=series.window)
        for (volume, division), series in index.series.items()
    ]
    if not rows:
        raise ValueError("the index has no series")
    with transaction.atomic():
        BgeSeries.objects.all().delete()
        BgeSeries.objects.bulk_create(rows, batch_size=500)
        _note(ListName.BGE, path, raw, len(rows), as_of)
    return len(rows)


@retried
def import_codes(path: Path, *, as_of: date | None = None) -> int:
    """Replace the acts by those of a CSV file; how many. Raises ValueError when columns are missing, OSError."""
    raw = path.read_bytes()
    rows = [_code(row) for row in _read_csv(raw, _COLUMNS)]
    with transaction.atomic():
        LawCode.objects.all().delete()
        LawCode.objects.bulk_create(rows, batch_size=1000)
        _note(ListName.CODES, path, raw, len(rows), as_of)
    return len(rows)


@retried
def import_articles(path: Path, *, as_of: date | None = None) -> int:
    """Replace the articles of the acts in a CSV file (``number,article`` and perhaps ``repealed``); how many.

    The acts of other files stay. Every act must be whole: an article that is not in its list does not exist.

    Raises:
        ValueError: columns are missing, or a row has no number or no article; OSError.
    """
    raw = path.read_bytes()
    read = [_article(row) for row in _read_csv(raw, _ARTICLE_COLUMNS)]
    rows = list({(row.number, row.article): row for row in read}.values())
    numbers = sorted({row.number for row in rows})
    if not rows:
        raise ValueError("the file has no articles")
    with transaction.atomic():
        for number in numbers:
            LawArticle.objects.filter(number=number).delete()
        LawArticle.objects.bulk_create(rows, batch_size=1000)
        _note(ListName.ARTICLES, path, raw, len(rows), as_of)
    return len(rows)


def _read_csv(raw: bytes, columns: Iterable[str]) -> list[dict[str, str]]:
    reader = csv.DictReader(raw.decode("utf-8-sig").splitlines(keepends=True))
    missing = set(columns) - set(reader.fieldnames or ())
    if missing:
        raise ValueError(f"columns are missing: {', '.join(sorted(missing))}")
    return [{key: value or "" for key, value in row.items() if isinstance(key, str)} for row in reader]


def _note(name: ListName, path: Path, raw: bytes, rows: int, as_of: date | None) -> None:
    AuthorityList.objects.create(
        name=name,
        file=path.name[:300],
        digest=hashlib.sha256(raw).hexdigest(),
        rows=rows,
        as_of=as_of or timezone.localdate(),
    )


def _article(row: dict[str, str]) -> LawArticle:
    number, article = row["number"].strip()[:60], article_key(row["article"])[:20]
    if not number or not article:
        raise ValueError(f"a row lacks its number or its article: {row!r:.200}")
    return LawArticle(
        number=number, article=article, repealed=row.get("repealed", "").strip().lower() in _GONE
    )


def _code(row: dict[str, str]) -> LawCode:
    return LawCode(
        canton=row["canton"][:2],
        number=row["number"][:60],
        abbr_de=row["abbr_de"][:80],
        abbr_fr=row["abbr_fr"][:80],
        abbr_it=row["abbr_it"][:80],
        title=row["title_de"],
    )


def newest_list(name: ListName) -> AuthorityList | None:
    """The import in force."""
    return AuthorityList.objects.filter(name=name).order_by("-imported_at", "-pk").first()


def lists(*, today: date) -> Lists:
    """Everything at hand to judge citations by, without asking anybody."""
    noted = newest_list(ListName.BGE)
    as_of = noted.as_of.isoformat() if noted else ""
    return Lists(today, bge_index(), as_of, articles_of_acts())


def bge_index() -> BgeIndex:
    """The imported index; without an import only what is impossible by itself is decided."""
    noted = newest_list(ListName.BGE)
    return _bge_index(noted.digest) if noted else _read_bge_index()


@lru_cache(maxsize=2)
def _bge_index(digest: str) -> BgeIndex:
    return _read_bge_index()


def _read_bge_index() -> BgeIndex:
    rows = BgeSeries.objects.all()
    series = {(row.volume, row.division): Series(tuple(row.starts), row.window) for row in rows}
    return BgeIndex(max((volume for volume, _ in series), default=0), series)


def articles_of_acts() -> Articles:
    """The article index; each act is read once."""
    noted = newest_list(ListName.ARTICLES)
    as_of = noted.as_of.isoformat() if noted else ""

    @cache
    def articles(number: str) -> ActArticles | None:
        rows = dict(LawArticle.objects.filter(number=number).values_list("article", "repealed"))
        return ActArticles(rows, as_of) if rows else None

    return articles if noted else lambda number: None


def act_table() -> ActTable:
    """The acts that come with Dossier, and all federal acts that were imported."""
    noted = newest_list(ListName.CODES)
    return _act_table(noted.digest) if noted else built_in()


@lru_cache(maxsize=2)
def _act_table(digest: str) -> ActTable:
    known = {act.key for act in built_in().acts}
    imported: Iterable[LawCode] = LawCode.objects.filter(canton="")
    more = [Act(row.number, row.abbr_de, row.abbr_fr, row.abbr_it) for row in imported]
    return ActTable(
        [*built_in().acts, *(act for act in more if act.key and act.key not in known)], full_names()
    )
