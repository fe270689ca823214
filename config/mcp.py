"""``uvicorn config.mcp:app``: the server for agents, a process of its own beside the web server."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from research.mcp.server import build_app  # noqa: E402 - models are there only after set-up

app = build_app()
