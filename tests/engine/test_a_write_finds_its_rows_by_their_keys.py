"""However many runs are at work, whatever the server knows of the tables: no write looks through the rows of others."""

import re

import pytest
from django.db import connection

from research.models import ResearchResult
from research.store import postgresql

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="the statements are PostgreSQL's"),
]


def lookups_of(sql):
    """The index and the condition by which each table is read, for any values."""
    marked, count = sql, sql.count("%s")
    for number in range(1, count + 1):
        marked = marked.replace("%s", f"${number}", 1)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        cursor.execute(
            "SET LOCAL enable_seqscan = off"
        )  # a table of one page is read as a whole, which tells nothing
        cursor.execute(f"PREPARE looked_at AS {marked}")
        cursor.execute(f"EXPLAIN EXECUTE looked_at({', '.join(['NULL'] * count)})")
        plan = "\n".join(line for (line,) in cursor.fetchall())
        cursor.execute("DEALLOCATE looked_at")
    found = re.findall(r"Index Scan using (\w+) on .*\n +Index Cond: \((.*)\)\n", plan)
    assert len(found) == plan.count(" Scan using ") + plan.count("Seq Scan"), plan
    return [(index, re.sub(r"\$\d+", "$", condition)) for index, condition in found]


def test_a_write_of_the_journal():
    assert lookups_of(postgresql._write(1, 1)) == [
        ("research_run_pkey", "id = $"),
        ("research_run_pkey", "id = asked.id"),
        ("step_seq", "(run_id = $) AND (seq = $)"),
    ]


def test_the_end_of_a_run():
    statement = postgresql._leave(("state", "lease_until"), (ResearchResult,))
    assert lookups_of(statement) == [("research_run_pkey", "id = $")]
