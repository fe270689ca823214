"""Makes ``fields.csv`` from GLEIF's own dictionary of fields (the API's ``/fields``, all pages in one document).

Run ``python -m entities.gleif.golden.dictionary fields.json > entities/gleif/golden/fields.csv``. What the dictionary
maps is taken from it: a JSON path of the API beside an XPath of the Common Data File format. In both a part that may
repeat carries ``[]``; namespaces and the wrapping elements of the XPath are left out.
"""

import csv
import io
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeAlias

from common.bounded_json import load_json

Pair: TypeAlias = tuple[str, list[str], str]  # JSON path, steps of the CDF path, "date" or ""
KINDS = {"LEIREC_": "lei2", "RR_": "rr", "REPEX_": "repex"}
WRAPPING = 3  # elements of an XPath around those of a record
_PREFIX = re.compile(r"\b(?:lei|rr|repex):")


def table(fields: Iterable[dict[str, Any]]) -> dict[str, list[tuple[str, str, str]]]:
    """Per kind of record the rows (JSON path, CDF path, "date" or ""), in the order of the JSON paths."""
    pairs: dict[str, list[Pair]] = defaultdict(list)
    for field in fields:
        for prefix, kind in KINDS.items():
            if field["id"].startswith(prefix):
                pairs[kind] += _pair(field["attributes"])
    return {kind: sorted(_marked(found)) for kind, found in pairs.items()}


def _pair(field: dict[str, Any]) -> Iterator[Pair]:
    path, xpath = field.get("jsonPath") or "", field.get("xpath") or ""
    if path.startswith("$.") and xpath.startswith("/"):
        steps = _PREFIX.sub("", xpath).strip("/").split("/")[WRAPPING:]
        yield path[2:].replace("[*]", "[]"), steps, "date" * (field["data_type"] == "DATE")


def _marked(pairs: list[Pair]) -> Iterator[tuple[str, str, str]]:
    """The element that repeats is the deepest that all fields of one list of the API have in common."""
    lists: dict[str, list[list[str]]] = defaultdict(list)
    for path, steps, _ in pairs:
        if "[]" in path:
            lists[path.partition("[]")[0]].append(steps)
    common = {name: len(_common(found)) for name, found in lists.items()}
    for path, steps, kind in pairs:
        at = common.get(path.partition("[]")[0]) if "[]" in path else None
        marked = [step + "[]" * (number == at) for number, step in enumerate(steps, start=1)]
        yield path, "/".join(marked), kind


def _common(paths: list[list[str]]) -> list[str]:
    return [steps[0] for steps in takewhile(lambda steps: len(set(steps)) == 1, zip(*paths, strict=False))]


def as_csv(fields: Iterable[dict[str, Any]]) -> str:
    """The text of ``fields.csv``."""
    found, text = table(fields), io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("kind", "api", "cdf", "type"))
    writer.writerows((kind, *row) for kind in KINDS.values() for row in found[kind])
    return text.getvalue()


if __name__ == "__main__":
    sys.stdout.write(as_csv(load_json(Path(sys.argv[1]).read_text("utf-8"))["data"]))
