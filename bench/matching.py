"""How well names are matched: 300 hard ones against the register and against memory, and as record linkage is measured.

``python -m bench matching`` fills a register and a memory of its own with the companies of ``bench/hard_names`` among
2,000 others that never were, and asks for each of the 300 names. *Right* and *wrong* are answers that name one company;
*first* is undecided with the right one at the head, *ten* undecided with it among the first ten, *missed* anything else
where a company is meant, *quiet* an undecided answer where none is.

As record linkage every name is compared with every company: precision, recall and F1 of the pairs above a threshold.
``--peer PYTHON`` scores the same pairs with nomenklatura's logic-v2 in an environment of yours that has it.
``DOSSIER_SHARED_DATA`` names a folder with ``gleif/lei_records.jsonl``: then real names are asked for as well, with two
slips, and by their transliterations, which are taken away from the records first.
"""

import argparse
import json
import os
import random
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from bench.company_names import generate, misspell
from bench.hard_names import Company, Query, companies, queries
from bench.whole_path import empty_database
from entities.lei import complete

OTHERS, REAL = 2_000, 300
TRANSLITERATED = "TRANSLITERATED"
OUTCOMES = ("right", "wrong", "first", "ten", "missed", "quiet")
THRESHOLDS = (70, 75, 80, 84, 90, 94, 95, 98)
Asked: TypeAlias = Callable[[str], tuple[str, list[str]]]  # the one named, and the candidates in order
PEER = """
import json, sys
from followthemoney import model
from nomenklatura.matching import get_algorithm
algorithm = get_algorithm("logic-v2")
config = algorithm.default_config()
def company(number, names):
    return model.get_proxy({"id": str(number), "schema": "Company", "properties": {"name": names}})
given = json.load(sys.stdin)
known = [company(f"c{number}", names) for number, names in enumerate(given["companies"])]
asked = [company(f"q{number}", [name]) for number, name in enumerate(given["names"])]  # scores are kept by id
print(json.dumps([[algorithm.compare(one, each, config).score for each in known] for one in asked]))
"""


def reach(asked: Asked, questions: Iterable[Query]) -> dict[str, Counter[str]]:
    """Outcomes by kind of question."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for question in questions:
        one, candidates = asked(question.name)
        outcome = _outcome(question.wanted, one, candidates)
        counts[question.kind][outcome] += 1
        if os.environ.get("BENCH_SHOW", "") in (outcome, "all"):
            print(
                f"    {outcome}: {question.kind}: {question.name} → {one} {candidates[:3]}, wanted {question.wanted}"
            )
    return counts


def _outcome(wanted: str, one: str, candidates: list[str]) -> str:
    if one:
        return "right" if one == wanted else "wrong"
    if not wanted:
        return "quiet"
    place = candidates.index(wanted) if wanted in candidates else 10
    return "first" if place == 0 else "ten" if place < 10 else "missed"


def print_reach(name: str, counts: dict[str, Counter[str]], seconds: float) -> None:
    total: Counter[str] = sum(counts.values(), Counter())
    print(f"{name}: {total.total()} names, {1000 * seconds / max(total.total(), 1):.0f} ms each")
    print(f"  {'':<14}" + "".join(f"{outcome:>8}" for outcome in OUTCOMES))
    for kind, found in [*counts.items(), ("all", total)]:
        print(f"  {kind:<14}" + "".join(f"{found[outcome]:>8}" for outcome in OUTCOMES))


def linkage(scores: list[list[float]], questions: list[Query], known: list[Company]) -> None:
    """Precision, recall and F1 of the pairs that score at least so much."""
    meant = {
        (row, col)
        for row, question in enumerate(questions)
        for col, each in enumerate(known)
        if each.id == question.wanted
    }
    for threshold in THRESHOLDS:
        linked = {
            (row, col)
            for row, line in enumerate(scores)
            for col, score in enumerate(line)
            if score >= threshold
        }
        true = len(linked & meant)
        precision, recall = true / max(len(linked), 1), true / len(meant)
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        print(f"  {threshold:>10}{precision:>11.3f}{recall:>9.3f}{f1:>8.3f}{len(linked):>8}")


def _own_scores(questions: list[Query], known: list[Company]) -> list[list[float]]:
    from entities.names.matching import NameVariant, best_name

    names = [[NameVariant(each.name), *(NameVariant(*other) for other in each.others)] for each in known]
    return [[best_name(question.name, variants).score for variants in names] for question in questions]


def _peer_scores(python: str, questions: list[Query], known: list[Company]) -> list[list[float]]:
    given = {
        "names": [question.name for question in questions],
        "companies": [[each.name, *(name for name, _ in each.others)] for each in known],
    }
    done = subprocess.run(
        [python, "-c", PEER], input=json.dumps(given), check=True, stdout=subprocess.PIPE, text=True
    )
    return [[100 * score for score in line] for line in json.loads(done.stdout.splitlines()[-1])]


def fill(known: list[Company]) -> None:
    """The register and memory, from the same companies; an LEI is made of each id's number."""
    from django.utils import timezone

    from entities.gleif.records import parse_record
    from entities.models import Entity, GoldenCopyImport, LeiName, LeiRecord
    from entities.names.index import refresh_name_index
    from entities.names.keys import search_key

    GoldenCopyImport(
        kind="lei2",
        scope="full",
        source="made up",
        publish_date=timezone.now(),
        state="live",
        counts={"held": len(known)},
    ).save()
    for company in known:
        entity = {
            "legalName": {"name": company.name},
            "jurisdiction": company.country,
            "status": "ACTIVE",
            "otherNames": [{"name": name, "type": kind} for name, kind in company.others],
        }
        attributes = {"lei": company.id, "entity": entity, "registration": {"status": "ISSUED"}}
        LeiRecord(
            lei=company.id,
            legal_name=company.name,
            jurisdiction=company.country,
            attributes=attributes,
            entity_status="ACTIVE",
            registration_status="ISSUED",
            register="local",
        ).save()
        for each in parse_record({"attributes": attributes}).names:
            LeiName(lei=company.id, name=each.name, type=each.type, key=search_key(each.name)).save()
        Entity(
            slug=company.id.lower(),
            name=company.name,
            type="legal-entity",
            jurisdiction=company.country,
            aliases=[{"name": name, "type": kind, "language": ""} for name, kind in company.others],
        ).save()
    refresh_name_index()


def _register(name: str) -> tuple[str, list[str]]:
    from entities.gleif.finding import find_by_name
    from entities.gleif.register import open_register

    found = find_by_name(name, register=open_register("gleif"))
    one = found.outcome.leis[0] if found.outcome.kind == "one" else ""
    return one, [match.record.lei for match in found.matches]


def _memory(name: str) -> tuple[str, list[str]]:
    from entities.memory import resolve

    found = resolve(name)
    return found.entity.slug.upper() if found.entity else "", [each.slug.upper() for each in found.candidates]


def made_up() -> tuple[list[Company], list[Query]]:
    """The hard companies among others that never were, and what is asked."""
    number = {company.id: complete(f"HARD{place:014d}") for place, company in enumerate(companies())}
    known = [Company(number[each.id], each.country, each.name, each.others) for each in companies()]
    known += [
        Company(complete(f"{place:018d}"), country, name)
        for place, (name, country) in enumerate(generate(OTHERS))
    ]
    return known, [Query(each.kind, each.name, number.get(each.wanted, "")) for each in queries()]


def real(folder: str) -> tuple[list[Company], list[Query]]:
    """Real records with a name; asked for with slips, and by a transliteration that the record has no longer."""
    known, asked = [], []
    draw = random.Random(11)  # noqa: S311 - reproducible, not secret
    seen: Counter[str] = Counter()
    for line in (Path(folder) / "gleif" / "lei_records.jsonl").read_text("utf-8").splitlines():
        attributes = json.loads(line)["attributes"]
        company, taken = _real_company(attributes)
        if not company.name:
            continue
        known.append(company)
        seen[company.name.casefold()] += 1
        asked += [Query("transliterated", name, company.id) for name in taken]
    some = draw.sample(known, min(REAL, len(known)))
    asked += [
        Query("two slips", misspell(each.name, draw), each.id)
        for each in some
        if seen[each.name.casefold()] == 1
    ]
    return known, asked


def _real_company(attributes: dict[str, Any]) -> tuple[Company, list[str]]:
    entity = attributes.get("entity") or {}
    names = [
        (str(name.get("name") or ""), str(name.get("type") or ""))
        for key in ("otherNames", "transliteratedOtherNames")
        for name in entity.get(key) or ()
    ]
    legal = str((entity.get("legalName") or {}).get("name") or "")
    kept = tuple((name, kind) for name, kind in names if name and TRANSLITERATED not in kind)
    taken = [name for name, kind in names if name and TRANSLITERATED in kind and not legal.isascii()]
    return Company(attributes["lei"], str(entity.get("jurisdiction") or "")[:10], legal, kept), taken


def measure(known: list[Company], questions: list[Query], peer: str = "", *, compared: bool = True) -> None:
    """Fill a database of its own and ask."""
    with empty_database() as vendor:
        from django.db import transaction

        with transaction.atomic():
            fill(known)
        for name, asked in (("register", _register), ("memory", _memory)):
            begin = time.perf_counter()
            counts = reach(asked, questions)
            print_reach(f"{name} of {len(known):,} on {vendor}", counts, time.perf_counter() - begin)
        if not compared:
            return
        hard = known[: len(companies())]
        print(f"Pairs of {len(questions)} names and {len(hard)} companies, without blocking")
        ways = {"Dossier": partial(_own_scores, questions, hard)}
        if peer:
            ways["nomenklatura logic-v2"] = partial(_peer_scores, peer, questions, hard)
        for name, scores in ways.items():
            begin = time.perf_counter()
            found = scores()
            print(f"  {name}: {time.perf_counter() - begin:.1f} s")
            print(f"  {'at least':>10}{'precision':>11}{'recall':>9}{'F1':>8}{'pairs':>8}")
            linkage(found, questions, hard)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench matching", description=__doc__)
    parser.add_argument("--peer", default="", metavar="PYTHON", help="an interpreter that has nomenklatura")
    parser.add_argument("--real", action="store_true", help="only real names, from DOSSIER_SHARED_DATA")
    options = parser.parse_args()
    folder = os.environ.get("DOSSIER_SHARED_DATA", "")
    if options.real:
        measure(*real(folder), compared=False)
        return
    measure(*made_up(), peer=options.peer)


if __name__ == "__main__":
    main()
