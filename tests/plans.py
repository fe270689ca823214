"""What PostgreSQL looks at to answer a statement."""

import json

from django.db import connection


def rows_read(statement):
    """How many rows the server looks at to answer a statement."""
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + statement.replace("%", "%%"))
        (found,) = cursor.fetchone()
    plan = json.loads(found) if isinstance(found, str) else found
    return _read(plan[0]["Plan"])


def _read(node):
    own = 0
    if "Relation Name" in node or "Index Name" in node:
        filtered = node.get("Rows Removed by Filter", 0)
        own = (node["Actual Rows"] + filtered) * node["Actual Loops"]
    return own + sum(map(_read, node.get("Plans", ())))
