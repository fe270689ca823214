"""Screening against lists: what is found, what is found wrongly, how fast, and how much memory it takes.

``python -m bench screening`` prints

* recall and false positives on the pairs of ``screening_pairs.tsv``, and on those of ``screening_pairs_kept.tsv``,
  which nothing was tuned by; each pair through the index as in daily work, among the entries of a made-up list;
* the share of made-up honest names that are a hit;
* names a second of processor time over ``--names`` names and ``--entries`` entries, beside rapidfuzz's
  ``process.cdist`` over the first of them in the same run, and the memory after each quarter.
"""

import argparse
import csv
import random
import resource
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.company_names import generate
from entities.screening.index import ListIndex
from entities.screening.records import Entry, ListedName, make_entry, make_name
from entities.screening.scoring import compare
from entities.screening.subject import Subject

THRESHOLD = 80.0  # as the policy has it before people change it
PAIRS, KEPT = (Path(__file__).with_name(f"screening_pairs{name}.tsv") for name in ("", "_kept"))
_GIVEN = """
Adam Ahmed Aleksandr Ali Ana Andrei Anna Antonio Aung Beatriz Boris Carlos Chen Chidi Daniel David Dmitri Elena Emma
Farid Fatima Felix Fernando Gabriel Georg Giulia Grace Hassan Hannah Hiroshi Hussein Ibrahim Igor Isabel Ivan Jan
Jean Jing Joao John Jose Julia Karim Katarzyna Kenji Khalid Kofi Lars Laura Lei Leila Li Lucas Luis Maria Mariam
Marek Mehmet Mei Michael Min Mohammed Nadia Natalia Nikolai Noor Oksana Olga Omar Oscar Paolo Park Pavel Peter
Pierre Rafael Rania Reza Robert Sara Sergei Sofia Stefan Svetlana Tariq Thanh Thomas Tomasz Umar Viktor Vladimir Wei
William Xiao Yasmin Yuki Yusuf Zainab Zoran
"""
_FAMILY = """
Abbasi Abdi Adeyemi Ahmadi Almeida Andersen Baker Becker Bianchi Brown Castillo Chaudhry Chen Cohen Costa Dang Diaz
Dubois Duarte Egorov Eriksson Farouk Fernandez Fischer Ferrari Garcia Ghanem Gonzalez Haddad Hansen Hashimi
Hernandez Hoang Horvat Huang Ibrahimov Ivanov Jafari Jansen Johnson Jovanovic Kaya Keller Khan Kim Kovac Kowalski
Kuznetsov Larsen Lee Lim Lopez Ma Mahmoud Martin Mazur Mbeki Mendoza Meyer Mirza Moreau Morozov Mueller Nakamura
Nasser Nguyen Nikolaev Novak Nowak Ochieng Okafor Oliveira Orlov Osman Park Pavlenko Pereira Petrov Popescu Qureshi
Rahman Ramirez Rossi Saleh Santos Sato Schmidt Shah Sharma Silva Singh Smirnov Smith Sokolov Suzuki Tanaka Taylor
Tran Vasquez Volkov Wagner Wang Weber Williams Wu Yamamoto Yilmaz Zhang Zhou Zielinski
"""
_SYLLABLES = "ba bo cha da de do fa ga gri ha ji ka ke kho la le lo ma mi na ne no pa ra ri ro sa shi ta te to va ve vi"
GIVEN, FAMILY = _GIVEN.split(), _FAMILY.split()
SYLLABLES = [*_SYLLABLES.split(), "wa", "ya", "za", "ze", "zhu"]


class Pair(NamedTuple):
    """A listed name and one of ours; ``same`` when a person would take them for one."""

    kind: str
    category: str
    listed: str
    ours: str
    same: bool


def pairs(path: Path) -> list[Pair]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader((line for line in file if not line.startswith("#")), delimiter="\t")
        return [
            Pair(kind, category, listed, ours, same == "1") for kind, category, listed, ours, same in rows
        ]


def listed_names(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """(kind, name) of a list that was made up: half persons with rare family names, half companies."""
    draw = random.Random(seed)  # noqa: S311 - reproducible, not secret
    companies = generate(count // 2, seed)
    for _ in range(count // 2):
        middle = f" {draw.choice(GIVEN)}" if draw.random() < 0.3 else ""
        yield (
            "person",
            f"{draw.choice(GIVEN)}{middle} {_rare(draw) if draw.random() < 0.9 else draw.choice(FAMILY)}",
        )
        yield "entity", next(companies)[0]


def honest_names(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """The same for people and companies that are on no list."""
    draw = random.Random(seed)  # noqa: S311 - reproducible, not secret
    companies = generate(count // 2, seed)
    for _ in range(count // 2):
        yield "person", f"{draw.choice(GIVEN)} {_rare(draw) if draw.random() < 0.9 else draw.choice(FAMILY)}"
        yield "entity", next(companies)[0]


def quality(entries: int, path: Path) -> None:
    """Recall and false positives by category."""
    labelled = pairs(path)
    listed = list(dict.fromkeys((pair.kind, pair.listed) for pair in labelled))
    rest = list(listed_names(entries, 7))
    index, table = _index([*listed, *rest])
    number = {key: at for at, key in enumerate(listed)}
    found: Counter[tuple[bool, str]] = Counter()
    asked: Counter[tuple[bool, str]] = Counter()
    wrong = []
    for pair in labelled:
        hit = _is_hit(index, table, pair, number[pair.kind, pair.listed])
        group = pair.same, f"{pair.kind} {pair.category}"
        asked[group] += 1
        found[group] += hit
        if hit != pair.same:
            wrong.append(pair)
    print(f"  {path.name}, among {len(table):,} entries")
    for group in sorted(asked, key=lambda one: (not one[0], one[1])):
        word = "found" if group[0] else "taken for listed"
        print(f"    {group[1]:<24}{found[group]:>4} of {asked[group]:<4}{word}")
    positives, negatives = (
        [sum(counts[group] for group in counts if group[0] is same) for counts in (found, asked)]
        for same in (True, False)
    )
    print(f"  recall {positives[0]} of {positives[1]} = {positives[0] / positives[1]:.3f}")
    print(f"  false positives {negatives[0]} of {negatives[1]} = {negatives[0] / negatives[1]:.3f}")
    for pair in wrong:
        print(f"    {'missed' if pair.same else 'wrong '}  {pair.listed}  |  {pair.ours}")


def alerts(entries: int, names: int) -> None:
    """How many honest names are a hit: most of them are namesakes by chance, which a date or a country would tell."""
    index, table = _index(list(listed_names(entries, 7)))
    known = {name.casefold() for _, name in listed_names(entries, 7)}
    hits: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for kind, name in honest_names(names, 11):
        if name.casefold() in known:
            continue
        asked[kind] += 1
        hits[kind] += any(_hits(index, table, Subject(kind, (name,))))
    for kind, count in asked.items():
        print(
            f"  honest names that are a hit, {kind}: {hits[kind]:,} of {count:,} = {hits[kind] / count:.4f}"
        )


def speed(entries: int, names: int, cdist: int) -> None:
    """Names a second, and what cdist does with the first of them."""
    from rapidfuzz import fuzz, process

    listed = list(listed_names(entries, 7))
    begun = time.process_time()
    index, table = _index(listed)
    print(f"  index of {len(table):,} entries made in {time.process_time() - begun:.1f} s, {_memory():,} MB")
    asked = list(honest_names(names, 11))
    hits, begun, marks = 0, time.process_time(), []
    for at, (kind, name) in enumerate(asked, start=1):
        hits += len(list(_hits(index, table, Subject(kind, (name,)))))
        if at % (names // 4) == 0:
            marks.append(f"{_memory():,}")
    took = time.process_time() - begun
    print(
        f"  {names:,} names in {took:.0f} s: {names / took:,.0f} a second, {hits:,} hits; MB {', '.join(marks)}"
    )
    begun = time.process_time()
    choices = [name.casefold() for _, name in listed]
    queries = [name.casefold() for _, name in asked[:cdist]]
    for start in range(0, len(queries), 500):
        process.cdist(
            queries[start : start + 500], choices, scorer=fuzz.token_sort_ratio, score_cutoff=80, workers=1
        )
    took_cdist = time.process_time() - begun
    rate = len(queries) / took_cdist
    print(
        f"  rapidfuzz cdist (token_sort_ratio, one core), {len(queries):,} of the names: {rate:,.0f} a second"
    )
    print(f"  ratio {names / took / rate:.1f}")


def _rare(draw: random.Random) -> str:
    return "".join(draw.choice(SYLLABLES) for _ in range(draw.choice((2, 3, 3, 4)))).capitalize()


def _index(listed: Sequence[tuple[str, str]]) -> tuple[ListIndex, list[Entry]]:
    table = [_entry(at, kind, name) for at, (kind, name) in enumerate(listed)]
    return ListIndex(enumerate(table)), table


def _entry(at: int, kind: str, text: str) -> Entry:
    name: ListedName = make_name(text, type="primary")
    return make_entry(key=str(at), kind=kind, names=[name])


def _is_hit(index: ListIndex, table: list[Entry], pair: Pair, number: int) -> bool:
    subject = Subject(pair.kind, (pair.ours,))
    return any(entry.key == str(number) for entry in _hits(index, table, subject))


def _hits(index: ListIndex, table: list[Entry], subject: Subject) -> Iterator[Entry]:
    for row in index.candidates(subject, THRESHOLD):
        if compare(subject, table[row]).score >= THRESHOLD:
            yield table[row]


def _memory() -> int:
    """The most that this process has taken, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=20_000)
    parser.add_argument("--names", type=int, default=10_000)
    parser.add_argument("--cdist", type=int, default=2_000, help="how many of the names cdist is given")
    parser.add_argument("--quality", action="store_true", help="only what is found")
    told = parser.parse_args()
    print("Screening")
    for path in (PAIRS, KEPT):
        quality(told.entries, path)
    if told.quality:
        return
    alerts(told.entries, 4_000)
    speed(told.entries, told.names, told.cdist)


if __name__ == "__main__":
    main()
