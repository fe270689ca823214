"""Two processes have one limit: each asks the same database, not its own memory."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.db import connection

from research.models import Lockout

pytestmark = pytest.mark.django_db(transaction=True)

KNOCKING = """
import json, sys, django
django.setup()
from django.db import connection
connection.settings_dict["NAME"] = sys.argv[1]
from research.models import Lockout
from research.services.lockouts import knock_with
input()
print(json.dumps([knock_with(Lockout.Scope.TOKEN, "1.2.3.4") is None for _ in range(20)]))
"""


def test_two_processes_together_let_ten_wrong_tokens_through():
    name = str(connection.settings_dict["NAME"])
    address = (
        {"DATABASE_URL": os.environ.get("DATABASE_URL", "")} if connection.vendor == "postgresql" else {}
    )
    known = {**os.environ, **address, "DJANGO_SETTINGS_MODULE": "config.settings", "DOSSIER_DB_POOL": "2"}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", KNOCKING, name],
            cwd=settings.BASE_DIR,
            env=known,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in both:  # they begin together, when both have been loaded
        process.stdin.write("\n")
        process.stdin.flush()
    through = [json.loads(process.communicate(timeout=60)[0]) for process in both]
    assert sum(map(sum, through)) == settings.LOCKOUT_TOKENS == 10
    assert Lockout.objects.get(scope="token").until
