"""How well and how fast the archive answers questions: on both databases and beside rank_bm25, in one run.

``python -m bench archive --data DIR`` takes a set of questions: ``corpus.jsonl`` with ``{id, title, text}`` and
``queries.jsonl`` with ``{query, relevant: [id]}``. Without it the measurement makes a small set of its own. The
PostgreSQL is one of our own on a spare port. Each contender is a process of its own.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

from bench.servers import postgres
from bench.whole_path import empty_database

CONTENDERS = ("sqlite", "postgresql", "rank_bm25")
ROUNDS = 3
Answer: TypeAlias = Callable[[str], Sequence[str]]  # a question in, ids of documents out, the best first


@dataclass(frozen=True)
class Questions:
    """Documents as (id, title, text), and questions with the ids that answer them."""

    documents: list[tuple[str, str, str]]
    questions: list[tuple[str, list[str]]]


@dataclass(frozen=True)
class Figures:
    """What one contender reached; ``per_second`` is its best round over all questions."""

    name: str
    recall_5: float
    recall_10: float
    per_second: float
    with_snippets: float
    index_seconds: float
    index_bytes: int

    def __str__(self) -> str:
        snippets = f"{self.with_snippets:>9,.0f}" if self.with_snippets else f"{'-':>9}"
        size = f"{self.index_bytes / 1e6:>9.1f}" if self.index_bytes else f"{'-':>9}"
        return (
            f"  {self.name:<22}{self.recall_5:>9.3f}{self.recall_10:>10.3f}{self.per_second:>9,.0f}"
            f"{snippets}{self.index_seconds:>9.1f}{size}"
        )


def read(folder: Path) -> Questions:
    """A set of questions as it lies on disk."""

    def lines(name: str) -> list[dict[str, object]]:
        return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]

    documents = [(str(d["id"]), str(d["title"]), str(d["text"])) for d in lines("corpus.jsonl")]
    asked = [(str(q["query"]), list(map(str, q["relevant"]))) for q in lines("queries.jsonl")]  # type: ignore[call-overload]
    return Questions(documents, asked)


def made_up(companies: int = 1_500, seed: int = 1) -> Questions:
    """Invented companies, each told of in a paragraph, and a question about each tenth in other words."""
    choice = random.Random(seed)  # noqa: S311 - a fixed seed, so that every run measures the same
    syllables = [
        "al",
        "ber",
        "cor",
        "dan",
        "el",
        "far",
        "gro",
        "hel",
        "in",
        "jor",
        "kel",
        "lan",
        "mon",
        "nor",
        "ost",
    ]
    trades = {
        "insures": "insurer",
        "builds": "builder",
        "brews": "brewery",
        "publishes": "publisher",
        "mines": "mine",
    }
    towns = ["Basel", "Bergen", "Ghent", "Graz", "Lyon", "Porto", "Turin", "York", "Zurich", "Aarhus"]
    documents, asked = [], []
    for number in range(companies):
        name = "".join(choice.choices(syllables, k=3)).title()
        verb, town, other = choice.choice(list(trades)), choice.choice(towns), choice.choice(towns)
        year, founder = choice.randint(1850, 2020), "".join(choice.choices(syllables, k=2)).title()
        text = (
            f"{name} {verb} in {town}. It was founded in {year} by {founder} and has since been listed on the "
            f"exchange of {other}. Its shareholders approved the merging of two subsidiaries."
        )
        documents.append((str(number), f"{name} Holding", text))
        if number % 10 == 0:
            asked.append(
                (f"Which {trades[verb]} of {town} did {founder} found, back in {year}?", [str(number)])
            )
    return Questions(documents, asked)


def measure(contender: str, questions: Questions) -> Figures:
    """Index everything, then ask everything, several times."""
    if contender == "rank_bm25":
        return _peer(questions)
    with empty_database() as vendor:
        return _archive(vendor, questions)


def _archive(vendor: str, questions: Questions) -> Figures:
    from django.utils import timezone

    from research.models import Document
    from research.web.archive.analysis import question_terms
    from research.web.archive.index import index_everything
    from research.web.archive.search import ranked_ids, search_documents
    from research.web.archive.store import keep

    for key, title, text in questions.documents:
        keep(text=f"{text}\n{key}", url=f"https://example.org/{key}", title=title, fetched_at=timezone.now())
    begin = time.perf_counter()
    index_everything()
    took = time.perf_counter() - begin
    keys = {pk: url.rpartition("/")[2] for pk, url in Document.objects.values_list("pk", "url")}
    answer: Answer = lambda question: [keys[pk] for pk, _ in ranked_ids(question_terms(question))]  # noqa: E731
    few = Questions(questions.documents, questions.questions[:200])
    snippets = _per_second(lambda question: [str(each.score) for each in search_documents(question)], few)
    per_second = max(_per_second(answer, questions) for _ in range(ROUNDS))
    five, ten = (_recall(answer, questions, depth) for depth in (5, 10))
    return Figures(f"Dossier, {vendor}", five, ten, per_second, snippets, took, _index_size(vendor))


def _peer(questions: Questions) -> Figures:
    """rank_bm25 as its own page shows it, over words in small letters without stop words, which is its best."""
    from rank_bm25 import BM25Okapi

    begin = time.perf_counter()
    peer = BM25Okapi([_words(f"{title} {text}") for _, title, text in questions.documents])
    took = time.perf_counter() - begin
    keys = [key for key, _, _ in questions.documents]
    answer: Answer = lambda question: peer.get_top_n(_words(question), keys, n=10)  # noqa: E731
    per_second = max(_per_second(answer, questions) for _ in range(ROUNDS))
    five, ten = (_recall(answer, questions, depth) for depth in (5, 10))
    return Figures("rank_bm25", five, ten, per_second, 0, took, 0)


def _words(text: str) -> list[str]:
    from research.web.archive.stopwords import STOP_WORDS

    return [word for word in re.findall(r"\w+", text.lower()) if word not in STOP_WORDS["en"]]


def _per_second(answer: Answer, questions: Questions) -> float:
    begin = time.perf_counter()
    for question, _ in questions.questions:
        answer(question)
    return len(questions.questions) / (time.perf_counter() - begin)


def _recall(answer: Answer, questions: Questions, depth: int) -> float:
    """The share of the documents that answer which are among the first; the mean over all questions."""
    shares = [
        len(set(answer(question)[:depth]) & set(relevant)) / len(relevant)
        for question, relevant in questions.questions
    ]
    return sum(shares) / len(shares)


def _index_size(vendor: str) -> int:
    from django.db import connection

    if vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "VACUUM FULL research_archive_posting"
            )  # what merging has left goes away by and by
    sql = (
        "SELECT pg_total_relation_size('research_archive_posting')"
        if vendor == "postgresql"
        else "SELECT sum(length(block)) + (SELECT sum(length(c0) + length(c1)) FROM research_archive_content) "
        "FROM research_archive_data"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return int(cursor.fetchone()[0])


def _in_a_process(contender: str, data: str) -> Figures:
    command = [sys.executable, "-m", "bench.archive", "--contender", contender, "--data", data]
    env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    if contender != "postgresql":
        return Figures(**json.loads(subprocess.run(command, env=env, check=True, capture_output=True).stdout))
    with postgres() as server:
        env["DATABASE_URL"] = server.url
        return Figures(**json.loads(subprocess.run(command, env=env, check=True, capture_output=True).stdout))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench archive", description=__doc__)
    parser.add_argument("--data", default="", metavar="DIR", help="corpus.jsonl and queries.jsonl")
    parser.add_argument("--contender", choices=CONTENDERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    questions = read(Path(options.data)) if options.data else made_up()
    if options.contender:
        print(json.dumps(asdict(measure(options.contender, questions))))
        return
    print(f"Archive search: {len(questions.documents):,} documents, {len(questions.questions):,} questions")
    print(
        f"  {'':<22}{'recall@5':>9}{'recall@10':>10}{'a second':>9}{'+snippet':>9}{'index s':>9}{'index MB':>9}"
    )
    for contender in CONTENDERS:
        print(_in_a_process(contender, options.data), flush=True)


if __name__ == "__main__":
    main()
