"""What a process has loaded before it does anything: CPU seconds and memory of a web server and of a worker.

Each is a fresh process, the least of several. The floor is Django with its admin and nothing of ours. What only a
worker needs must not be in the web process: it is listed when it is. Run: ``python -m bench.web_process``.
"""

import json
import subprocess
import sys
from collections.abc import Iterator

ROUNDS = 3
HEAVY = (
    "trafilatura",
    "lxml",
    "docx",
    "pypdf",
    "tldextract",
    "json_repair",
    "snowballstemmer",
    "openai",
    "anthropic",
    "httpx",
)
REPORT = """
import json, resource, sys
from pathlib import Path
used = resource.getrusage(resource.RUSAGE_SELF)
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
heavy = [name for name in HEAVY if name in sys.modules]
print(json.dumps({"cpu": used.ru_utime + used.ru_stime, "mb": int(peak.split()[1]) / 1024, "modules": len(sys.modules),
                  "heavy": heavy}))
"""
FLOOR = """
import django
from django.conf import settings
contrib = ["admin", "auth", "contenttypes", "sessions", "messages", "staticfiles"]
settings.configure(INSTALLED_APPS=[f"django.contrib.{name}" for name in contrib], USE_TZ=True)
django.setup()
from django.contrib import admin
admin.site.urls
from django.core.handlers.wsgi import WSGIHandler
"""
WEB = """
import config.wsgi
from django.urls import get_resolver
len(get_resolver().reverse_dict)  # the first request would load all pages
"""
WORKER = """
from config.celery import app
app.loader.import_default_modules()
import django
django.setup()
import research.tasks
from research.llm.models import open_model
for name in ("register", "anthropic:any", "openai:any", "openai-chat:any"):
    open_model(name)
"""
PROCESSES = {"Django and its admin": FLOOR, "web": WEB, "worker": WORKER}


def measured(code: str) -> dict[str, float | list[str]]:
    """The figures of one fresh process that runs ``code``."""
    environment = "import os; os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'config.settings')\n"
    command = [sys.executable, "-c", f"{environment}{code}\nHEAVY = {HEAVY!r}\n{REPORT}"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    figures: dict[str, float | list[str]] = json.loads(answer.stdout)
    return figures


def rows() -> Iterator[str]:
    for name, code in PROCESSES.items():
        rounds = [measured(code) for _ in range(ROUNDS)]
        least = {key: min(float(str(round_[key])) for round_ in rounds) for key in ("cpu", "mb", "modules")}
        loaded = rounds[0]["heavy"]
        note = f"  loads {', '.join(map(str, loaded))}" if isinstance(loaded, list) and loaded else ""
        yield f"  {name:<24}{least['cpu']:>8.2f} s{least['mb']:>9.1f} MB{least['modules']:>8.0f} modules{note}"


if __name__ == "__main__":
    print(f"What a process has loaded at its start, the least of {ROUNDS}")
    for row in rows():
        print(row)
