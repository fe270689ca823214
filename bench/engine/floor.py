"""The floor: the least code that makes the same calls."""

import json
import threading
from typing import Any

import requests

from bench.work import FOUND, MODEL, PARAMETERS, PROMPT, SYSTEM, TOOL_NAME, TOOL_TEXT

TOOL = {
    "type": "function",
    "function": {"name": TOOL_NAME, "description": TOOL_TEXT, "parameters": PARAMETERS},
}


class Floor:
    """A loop over ``requests``, with one session per thread. It keeps nothing and survives nothing."""

    def __init__(self, url: str) -> None:
        self.url, self.local = f"{url}/chat/completions", threading.local()

    def __call__(self, case: int) -> dict[str, Any]:
        messages: list[dict[str, Any]] = [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": PROMPT.format(case=case)},
        ]
        self.keep(case, messages)
        while True:
            message = self._ask(messages)
            messages.append(message)
            self.keep(case, messages)
            if not message.get("tool_calls"):
                document: dict[str, Any] = json.loads(message["content"])
                return document
            messages.extend(
                {"role": "tool", "tool_call_id": call["id"], "content": FOUND}
                for call in message["tool_calls"]
            )
            self.keep(case, messages)

    def keep(self, case: int, messages: list[dict[str, Any]]) -> None:
        """What was said last is kept by those that keep."""

    def _ask(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        if not hasattr(self.local, "session"):
            self.local.session = requests.Session()
            self.local.session.trust_env = False
        body = {"model": MODEL, "messages": messages, "tools": [TOOL]}
        answer = self.local.session.post(
            self.url, json=body, headers={"Authorization": "Bearer x"}, timeout=60
        )
        message: dict[str, Any] = answer.json()["choices"][0]["message"]
        return message
