"""Dossier itself: a run is started, performed and its result read, with nothing left out but the queue."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from bench.work import FOUND, MACRO, MODEL, PARAMETERS, TOOL_NAME, TOOL_TEXT
from config.worker import settle


def environment(url: str) -> dict[str, str]:
    """Variables of a Dossier that asks the scripted model at ``url``, one plain answer at a time."""
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DOSSIER_REGISTER": "demo",
        "DOSSIER_MODEL": f"openai-chat:{MODEL}",
        "DOSSIER_MODEL_STREAM": "off",
        "OPENAI_BASE_URL": url,
        "OPENAI_API_KEY": "x",
    }


def prepare(on_tool: Callable[[], None] = lambda: None) -> None:
    """Django with the tool of this measurement; the environment is set already."""
    import django

    django.setup()
    from research.jsontext import JsonObject
    from research.tools.tool import Answer, ToolContext, tool

    @tool(TOOL_NAME, TOOL_TEXT, PARAMETERS)
    def search(arguments: JsonObject, context: ToolContext) -> Answer:
        on_tool()
        return Answer({"found": FOUND})


def migrate() -> None:
    """An empty database becomes one that can be measured."""
    from django.core.management import call_command

    from research.services.macros import publish_macro

    call_command("migrate", verbosity=0)
    publish_macro(text=MACRO)


class Dossier:
    """``run(case)`` through the services and the engine."""

    def __init__(self, url: str) -> None:
        os.environ |= environment(url)
        # no worker makes tables: what that leaves in memory is not its own
        subprocess.run([sys.executable, "-m", "bench.dossier"], check=True)
        prepare()
        settle()

    def __call__(self, case: int) -> dict[str, Any]:
        from django.db import connection

        from research.engine.runner import perform_run
        from research.services.runs import start_run

        run = start_run(macro="bench", params={"case": str(case)}, trigger="cli", enqueue=False)
        connection.close()
        perform_run(run.pk)
        with connection.cursor() as cursor:
            cursor.execute("SELECT data FROM research_researchresult WHERE run_id = %s", [run.pk])
            document: dict[str, Any] = json.loads(cursor.fetchone()[0])
        connection.close()
        return document


if __name__ == "__main__":
    prepare()
    migrate()
