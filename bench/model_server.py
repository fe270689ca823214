"""A scripted language model on loopback: as many tool calls as asked, then a document. It bills every request.

It speaks Chat Completions and Responses, the latter also in the background, and keeps no state of a conversation: how
many tool answers a request holds says where it stands. The latency lies in the path: ``/l500/v1/chat/completions``
takes 500 ms. ``GET /stats`` tells what was served, and what each case, named in its prompt, was billed for.
"""

import argparse
import asyncio
import json
import re
import resource
import socket
import time
from typing import Any

JsonObject = dict[str, Any]
CASE = re.compile(rb"case ([\w-]+)")
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
OUTPUT_TOKENS = 40
FINAL = {"entity": "Example AG", "status": "active"}


class Script:
    """The answers and the bill: for every request of a case, the turn that was asked for and its input tokens."""

    def __init__(self, tool_turns: int) -> None:
        self.tool_turns = tool_turns
        self.bill: dict[str, list[tuple[int, int]]] = {}
        self.connections = self.requests = 0
        self.stored: dict[str, tuple[float, JsonObject]] = {}

    def stats(self) -> JsonObject:
        used = resource.getrusage(resource.RUSAGE_SELF)
        return {
            "requests": self.requests,
            "connections": self.connections,
            "cpu_s": used.ru_utime + used.ru_stime,
            "bill": self.bill,
        }

    def chat(self, body: bytes) -> JsonObject:
        """The answer of ``/chat/completions``."""
        request = json.loads(body)
        turn = sum(message["role"] == "tool" for message in request["messages"])
        tokens = self._charge(body, turn)
        message: JsonObject = {"role": "assistant", "content": None, "refusal": None}
        if self._wants_tool(turn, request):
            name = request["tools"][0]["function"]["name"]
            function = {"name": name, "arguments": arguments_of(turn)}
            message["tool_calls"] = [
                {"id": f"call_{self.requests}", "type": "function", "function": function}
            ]
        else:
            message["content"] = document(turn)
        reason = "tool_calls" if "tool_calls" in message else "stop"
        return {
            "id": f"chatcmpl-{self.requests}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}],
            "usage": {
                "prompt_tokens": tokens,
                "completion_tokens": OUTPUT_TOKENS,
                "total_tokens": tokens + OUTPUT_TOKENS,
                "prompt_tokens_details": {"cached_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": 0},
            },
        }

    def response(self, body: bytes, latency: float) -> JsonObject:
        """The answer of ``/responses``; of a background request the receipt, the rest is kept to be fetched."""
        request = json.loads(body)
        turn = sum(item.get("type") == "function_call_output" for item in request["input"])
        tokens = self._charge(body, turn)
        answer: JsonObject = {
            "id": f"resp_{self.requests}",
            "object": "response",
            "created_at": int(time.time()),
            "model": request["model"],
            "status": "completed",
            "output": [self._item(turn, request)],
            "usage": {
                "input_tokens": tokens,
                "output_tokens": OUTPUT_TOKENS,
                "total_tokens": tokens + OUTPUT_TOKENS,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens_details": {"reasoning_tokens": 0},
            },
        }
        if not request.get("background"):
            return answer
        self.stored[answer["id"]] = (time.monotonic() + latency, answer)
        return self.fetch(answer["id"])

    def fetch(self, ticket: str) -> JsonObject:
        """A background answer, once it is ready."""
        ready, answer = self.stored[ticket]
        if time.monotonic() >= ready:
            return answer
        return {**answer, "status": "in_progress", "output": [], "usage": None}

    def _item(self, turn: int, request: JsonObject) -> JsonObject:
        if self._wants_tool(turn, request):
            call = {"type": "function_call", "id": f"fc_{self.requests}", "call_id": f"call_{self.requests}"}
            name = request["tools"][0]["name"]
            return {**call, "name": name, "arguments": arguments_of(turn), "status": "completed"}
        text = {"type": "output_text", "text": document(turn), "annotations": []}
        head = {"type": "message", "id": f"msg_{self.requests}", "role": "assistant", "status": "completed"}
        return {**head, "content": [text]}

    def _wants_tool(self, turn: int, request: JsonObject) -> bool:
        return turn < self.tool_turns and bool(request.get("tools"))

    def _charge(self, body: bytes, turn: int) -> int:
        case, tokens = CASE.search(body), len(body) // 4
        self.bill.setdefault(case[1].decode() if case else "", []).append((turn, tokens))
        self.requests += 1
        return tokens


def arguments_of(turn: int) -> str:
    return json.dumps({"query": f"query {turn + 1}"})


def document(turn: int) -> str:
    return json.dumps({**FINAL, "sources": turn})


class Connection(asyncio.Protocol):
    """HTTP/1.1 with keep-alive, as little of it as clients need."""

    def __init__(self, script: Script) -> None:
        self.script, self.buffer = script, bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - a TCP server gives nothing else
        self.transport = transport
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.script.connections += 1

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = bytes(self.buffer[:end])
            found = LENGTH.search(head)
            size = end + 4 + (int(found[1]) if found else 0)
            if len(self.buffer) < size:
                return
            body = bytes(self.buffer[end + 4 : size])
            del self.buffer[:size]
            method, path, _ = head.decode().split(" ", 2)
            self.route(method, path, body)

    def route(self, method: str, path: str, body: bytes) -> None:
        latency = float(path[2 : path.index("/", 1)]) / 1000 if path.startswith("/l") else 0.0
        if path == "/stats":
            self.send(self.script.stats())
        elif path.endswith("/chat/completions"):
            self.later(latency, self.script.chat(body))
        elif method == "GET":
            self.send(self.script.fetch(path.rpartition("/")[2]))
        else:
            answer = self.script.response(body, latency)
            self.later(latency if answer["status"] == "completed" else 0, answer)

    def later(self, seconds: float, answer: JsonObject) -> None:
        if seconds:
            asyncio.get_running_loop().call_later(seconds, self.send, answer)
        else:
            self.send(answer)

    def send(self, answer: JsonObject) -> None:
        if self.transport.is_closing():
            return
        body = json.dumps(answer).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self.transport.write(head.encode() + body)


async def serve(tool_turns: int, port: int = 0) -> None:
    """Serve on a port, of the system's choice if 0, printed as the first line, until the process is ended."""
    script = Script(tool_turns)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(script), "127.0.0.1", port, backlog=2048)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool-turns", type=int, default=6)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    asyncio.run(serve(options.tool_turns, options.port))
