"""Citations for reference managers: BibTeX, RIS and CSL-JSON, one entry for each work however often it is cited."""

import re
from collections.abc import Iterable
from typing import Any

from citations.mention import Mention

COURTS = {
    "bge": "Bundesgericht",
    "bger": "Bundesgericht",
    "evg": "Eidgenössisches Versicherungsgericht",
    "bvger": "Bundesverwaltungsgericht",
    "bvge": "Bundesverwaltungsgericht",
    "bstger": "Bundesstrafgericht",
    "bpatger": "Bundespatentgericht",
    "echr": "Europäischer Gerichtshof für Menschenrechte",
    "cjeu": "Gerichtshof der Europäischen Union",
}
_RIS_TYPES = {"legal_case": "CASE", "legislation": "STAT", "book": "BOOK", "article-journal": "JOUR"}
_CSL_TYPES = {
    "statute": "legislation",
    "doctrine": "book",
    "journal": "article-journal",
    "gazette": "legislation",
    "eu_act": "legislation",
    "sr": "legislation",
}
_CSL_FIELDS = {
    "code": "container-title", "volume": "volume", "number": "issue", "page": "page", "edition": "edition"
}  # fmt: skip
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
}


def csl(mentions: Iterable[Mention]) -> list[dict[str, Any]]:
    """CSL-JSON items in order of first mention; ``note`` lists the pinpoints that were cited."""
    items: dict[str, dict[str, Any]] = {}
    for mention in mentions:
        if mention.normalized is None:
            continue
        item = items.setdefault(mention.normalized, _item(mention))
        for pin in mention.pinpoints:
            if pin not in item["pins"]:
                item["pins"].append(pin)
    _tell_apart(list(items.values()))
    return [_finished(item) for item in items.values()]


def _tell_apart(items: Iterable[dict[str, Any]]) -> None:
    """10.1000/a-b and 10.1000/a_b are two works with one key: the second gets a number that no other key has."""
    taken: dict[str, int] = {}  # each key, and the last number that was given behind it
    for item in items:
        own = item["id"]
        while item["id"] in taken:
            taken[own] += 1
            item["id"] = f"{own}-{taken[own]}"
        taken[item["id"]] = 1


def _item(mention: Mention) -> dict[str, Any]:
    name = str(mention.normalized)
    item: dict[str, Any] = {
        "id": _key(name),
        "type": _CSL_TYPES.get(mention.kind, "legal_case"),
        "title": name,
        "pins": [],
    }
    if court := COURTS.get(mention.kind) or (
        " ".join(name.split(" ")[:2]) if mention.kind == "cantonal" else ""
    ):
        item["authority"] = court
    if mention.kind in ("doi", "arxiv"):
        item |= {"type": "article", "DOI" if mention.kind == "doi" else "number": name.removeprefix("doi:")}
    if mention.date:
        item["issued"] = {"date-parts": [[int(part) for part in mention.date.split("-")]]}
    if mention.kind == "bge" and (found := re.fullmatch(r"BGE (\d+) (\S+) (\d+)", name)):
        item |= {"container-title": "BGE", "volume": f"{found[1]} {found[2]}", "page": found[3]}
    if mention.kind == "statute" and mention.data.get("sr"):
        item |= {"number": f"SR {mention.data['sr']}", "container-title": mention.data["act"]}
    if mention.kind in ("journal", "gazette", "doctrine"):
        item |= {_CSL_FIELDS[name]: str(value) for name, value in mention.data.items() if name in _CSL_FIELDS}
        if mention.kind == "doctrine":
            item.pop("page", None)
    if year := re.fullmatch(r"(?:[\d.]+\.)?(\d{4})", str(mention.data.get("year", ""))):
        item["issued"] = {"date-parts": [[int(year[1])]]}
    if mention.kind == "doctrine" and mention.data.get("authors"):
        item["author"] = [{"literal": author.strip()} for author in mention.data["authors"].split("/")]
    return item


def _finished(item: dict[str, Any]) -> dict[str, Any]:
    pins = item.pop("pins")
    return {**item, "note": "; ".join(pins)} if pins else item


def _key(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")


def bibtex(mentions: Iterable[Mention]) -> str:
    """BibTeX entries; what BibTeX reads as markup is escaped, but for DOIs, which are read word for word."""
    return "\n".join(_bibtex(item) for item in csl(mentions))


def _bibtex(item: dict[str, Any]) -> str:
    fields = {
        "title": item["title"],
        "author": " and ".join(author["literal"] for author in item.get("author", ())),
        "institution": item.get("authority", ""),
        "journal": item.get("container-title", ""),
        "volume": item.get("volume", ""),
        "pages": item.get("page", ""),
        "number": item.get("issue", ""),
        "edition": item.get("edition", ""),
        "year": str(item["issued"]["date-parts"][0][0]) if "issued" in item else "",
        "doi": item.get("DOI", ""),
        "note": item.get("note", ""),
    }
    lines = [
        f"  {name} = {{{value if name == 'doi' else _escaped(value)}}},"
        for name, value in fields.items()
        if value
    ]
    return "\n".join([f"@misc{{{item['id']},", *lines, "}", ""])


def _escaped(value: str) -> str:
    return "".join(_ESCAPES.get(char, char) for char in " ".join(value.split()))


def ris(mentions: Iterable[Mention]) -> str:
    """RIS records."""
    return "".join(_ris(item) for item in csl(mentions))


def _ris(item: dict[str, Any]) -> str:
    date = "/".join(f"{part:02d}" for part in item["issued"]["date-parts"][0]) if "issued" in item else ""
    tags = [
        ("TY", _RIS_TYPES.get(item["type"], "GEN")),
        ("ID", item["id"]),
        ("TI", item["title"]),
        *(("AU", author["literal"]) for author in item.get("author", ())),
        ("PB", item.get("authority", "")),
        ("T2", item.get("container-title", "")),
        ("VL", item.get("volume", "")),
        ("IS", item.get("issue", "")),
        ("SP", item.get("page", "")),
        ("ET", item.get("edition", "")),
        ("PY", date[:4]),
        ("DA", date if "/" in date else ""),
        ("DO", item.get("DOI", "")),
        ("N1", item.get("note", "")),
    ]
    lines = [f"{tag}  - {' '.join(value.split())}" for tag, value in tags if value]
    return "\r\n".join([*lines, "ER  - ", "", ""])
