"""A case to research: a mill, its owner and its people, pages about it, and a model that knows its lines.

``Sage`` answers by what it is asked, not by how often, so a run may be killed and taken up wherever it likes.
"""

import json
import re
import threading
from collections.abc import Callable
from typing import Any

from research.engine.claims import judgement, questions
from research.engine.deep import brief, researcher, supervision, synthesis
from research.llm.interface import Abilities, ModelRequest, ToolCall, Turn, Usage
from research.tools.tool import REGISTRY, Answer, Tool, ToolError, free

PAGES = {
    "https://registry.test/mill": (
        "Commercial register: Mill AG",
        "Mill AG, Bern. Sole shareholder since 2019: Acme SE, Munich. Share capital CHF 1,200,000. Purpose: milling.",
    ),
    "https://paper.test/acme": (
        "Acme buys the mill",
        "In 2019 Acme SE of Munich bought Mill AG in Bern from the founding family. The price was not disclosed.",
    ),
    "https://mill.test/about": (
        "About us",
        "Today 240 people work at Mill AG. The first mill was built in 1902 on the river Aare.",
    ),
    "https://stats.test/employers": (
        "Employers of the canton",
        "Among the large employers are Mill AG with 240 posts in 2025 and the hospital with 11,000 posts.",
    ),
}
TOPICS = {
    "owner": "Who owns Mill AG in Bern, and since when?",
    "staff": "How many people work at Mill AG in Bern?",
}
FOUND = {
    "owner": ["https://registry.test/mill", "https://paper.test/acme"],
    "staff": ["https://mill.test/about", "https://stats.test/employers"],
}
CLEAR = {
    "need_clarification": False,
    "question": "",
    "verification": "You want the owner and the staff of the mill.",
}
UNCLEAR = {"need_clarification": True, "question": "Which mill do you mean?", "verification": ""}
BRIEF = {
    "research_brief": "I want to know who owns Mill AG in Bern, since when, and how many people work there.",
    "scope_boundaries": "Only Mill AG.",
    "source_preferences": "Registers first.",
}
DIRECTIVES = [
    {"research_topic": text, "perspective": "", "evidence_needed": "A register or statistics.", "priority": n}
    for n, text in enumerate(TOPICS.values(), start=1)
]
SOUND = {"sound": True, "faults": []}
COMPLETE = {"research_complete": True, "directives": [], "rationale": "Both parts are answered."}
KEYS = (
    "clarification",
    "brief",
    "draft",
    "critique",
    "supervision",
    "report",
    "claims",
    "verdicts",
    "words",
    "summary",
)
SYSTEMS = {
    brief.CLARIFY: "clarification",
    brief.BRIEF: "brief",
    researcher.COMPRESS: "summary",
    synthesis.SYNTHESISE: "report",
    questions.EXTRACT: "claims",
    questions.VERIFY: "verdicts",
    judgement.RENDER: "words",
}
Line = Callable[[ModelRequest], Any] | dict[str, Any] | str | Exception | Turn


def part_of(request: ModelRequest) -> str:
    """Which phase asks."""
    for system, part in SYSTEMS.items():
        if request.system.startswith(system):
            return part
    if request.system.startswith(supervision.SUPERVISE):
        fields = set((request.schema or {}).get("properties", ()))
        return (
            "critique" if "sound" in fields else "supervision" if "research_complete" in fields else "draft"
        )
    return "research"


class Sage:
    """Gives each phase its line; ``lines`` take the place of the usual ones. Counts what it is asked."""

    name = "sage"
    abilities = Abilities()

    def __init__(self, **lines: Line) -> None:
        self.lines = lines
        self.asked: list[str] = []
        self.requests: list[ModelRequest] = []
        self.lock = threading.Lock()

    def complete(self, request: ModelRequest) -> Turn:
        part = part_of(request)
        with self.lock:
            self.asked.append(part)
            self.requests.append(request)
        line = self.lines.get(part, LINES[part])
        given = line(request) if callable(line) and not isinstance(line, Turn) else line
        if isinstance(given, Exception):
            raise given
        if isinstance(given, Turn):
            return given
        text = given if isinstance(given, str) else json.dumps(given)
        return Turn(text=text, usage=Usage(input_tokens=1000, output_tokens=100))


def research(request: ModelRequest) -> Turn:
    """search → think → read → report."""
    topic = topic_of(request)
    turn = sum(message.role == "assistant" for message in request.messages)
    calls = [
        ToolCall("c1", "web_search", {"query": topic}),
        ToolCall("c2", "think", {"reasoning": "The first page answers it; read it."}),
        ToolCall("c3", "extract_content", {"urls": [FOUND[topic][0]]}),
    ]
    if turn < len(calls) and request.tools:
        return Turn(tool_calls=(calls[turn],), stop="tools", usage=Usage(1000, output_tokens=50))
    return Turn(text=f"{told(topic, request)}", usage=Usage(1000, output_tokens=80))


def topic_of(request: ModelRequest) -> str:
    prompt = request.messages[0].text.partition("larger brief")[0]
    return next((name for name, text in TOPICS.items() if text in prompt), "staff")


def numbers_of(request: ModelRequest) -> dict[str, int]:
    """The number of each page, as the model was shown it."""
    shown = "\n".join(_texts(request.messages))
    found: dict[str, int] = {}
    for url in PAGES:
        near = re.search(rf"\[(\d+)\][^\[\]]*?{re.escape(url)}", shown) or re.search(
            rf"\[(\d+)\] \[[^\]]*\]\n<<<source[^>]*?{re.escape(url)}", shown
        )
        if near:
            found[url] = int(near[1])
    return found


def told(topic: str, request: ModelRequest) -> str:
    number = numbers_of(request)
    first, second = (number.get(url, 0) for url in FOUND[topic])
    return {
        "owner": f"Mill AG belongs to Acme SE, Munich, since 2019 [{first}][{second}].",
        "staff": f"240 people work at Mill AG [{first}]; 240 posts in 2025 [{second}].",
    }[topic]


def summary(request: ModelRequest) -> str:
    return f"## Findings\n\n{told(topic_of(request), request)} " + "All of it was read. " * 20


def report(request: ModelRequest) -> dict[str, Any]:
    """Cites the ledger, one source that does not exist, and a list of its own."""
    number = numbers_of(request)
    mill, paper, staff, stats = (number.get(url, 0) for url in PAGES)
    text = (
        f"# The mill in Bern\n\nMill AG employs 240 people [{staff}][{stats}].\n\n"
        f"## Owner\n\nThe sole shareholder since 2019 is Acme SE of Munich [{mill}]. It was bought from the founding "
        f"family [{paper}]. It has a roof [99].\n\n## Sources\n\n1. Invented, https://invented.test\n"
    )
    return {
        "report": text,
        "findings": [
            {"claim": "Acme SE owns Mill AG", "sources": [mill, paper], "confidence": "high"},
            {"claim": "240 people work there", "sources": [staff], "confidence": "high"},
        ],
        "evidence": [
            {
                "pointer": "/findings/0/claim",
                "source": mill,
                "quote": "Sole shareholder since 2019: Acme SE, Munich",
            },
            {"pointer": "/findings/1/claim", "source": staff, "quote": "Today 240 people work at Mill AG"},
        ],
        "open_questions": ["What was the price?"],
        "limitations": ["The price was not disclosed."],
        "search_quality": "HIGH",
    }


def claims(request: ModelRequest) -> dict[str, Any]:
    lines = re.findall(r"^(\d+): (.+)$", request.messages[0].text, re.MULTILINE)
    kinds = {"240": "quantitative", "since": "comparative", "oldest": "comparative"}
    return {
        "claims": [
            {"sentence": int(n), "claim": re.sub(r"\s*\[\d+\]", "", text), "type": kind}
            for n, text in lines
            for word, kind in kinds.items()
            if word in text
        ]
    }


def boasting(request: ModelRequest) -> dict[str, Any]:
    """The report with two claims that no source bears out."""
    good = report(request)
    return {
        **good,
        "report": good["report"].replace("It has a roof", "It is the oldest in Asia [99]. It is the oldest"),
    }


QUOTES = {"240": "Today 240 people work at Mill AG", "since": "Sole shareholder since 2019: Acme SE, Munich"}


def verdicts(request: ModelRequest) -> dict[str, Any]:
    """Supported where a page says so, word for word; else unsupported."""
    prompt = request.messages[0].text
    given = []
    for part in re.split(r"(?=^Statement \d+: )", prompt, flags=re.MULTILINE)[1:]:
        number, text = re.match(r"Statement (\d+): (.*)", part).groups()
        quote = next((quote for word, quote in QUOTES.items() if word in text and quote in part), "")
        before = part[: part.find(quote)] if quote else ""
        source = int(re.findall(r"Source (\d+) \(", before)[-1]) if quote else 0
        verdict = "SUPPORTED" if quote else "UNSUPPORTED"
        given.append({"claim": int(number), "verdict": verdict, "evidence_quote": quote, "source": source})
    return {"verdicts": given}


LINES: dict[str, Line] = {
    "clarification": CLEAR,
    "brief": BRIEF,
    "draft": {"directives": DIRECTIVES, "rationale": "One for each part."},
    "critique": SOUND,
    "supervision": COMPLETE,
    "research": research,
    "summary": summary,
    "report": report,
    "claims": claims,
    "verdicts": verdicts,
    "words": {"statements": []},
}


def install_web(
    monkeypatch: Any, pages: dict[str, tuple[str, str]] | None = None, fault: str = ""
) -> list[str]:
    """``web_search`` and ``extract_content`` over these pages; returns the list of what was asked of them."""
    pages = PAGES if pages is None else pages
    asked: list[str] = []

    def search(arguments: dict[str, Any], context: Any) -> Answer:
        asked.append(f"search {arguments['query']}")
        if fault:
            raise ToolError("no_provider", fault)
        urls = [url for url in FOUND.get(arguments["query"], list(pages)) if url in pages]
        results = [{"url": url, "title": pages[url][0], "snippet": pages[url][1][:80]} for url in urls]
        return Answer({"results": results}, tuple(_source(url, pages, text="") for url in urls))

    def extract(arguments: dict[str, Any], context: Any) -> Answer:
        asked.append(f"extract {arguments['urls']}")
        if fault:
            raise ToolError("blocked", "No page can be read.")
        urls = [url for url in arguments["urls"] if url in pages]
        read = [{"url": url, "title": pages[url][0], "text": pages[url][1]} for url in urls]
        return Answer({"pages": read}, tuple(_source(url, pages, text=pages[url][1]) for url in urls))

    for name, run, argument in (
        ("web_search", search, {"query": {"type": "string"}}),
        ("extract_content", extract, {"urls": {"type": "array", "items": {"type": "string"}}}),
    ):
        schema = {"type": "object", "properties": argument, "additionalProperties": False}
        tool = Tool(name, name, schema, "read", free, run, web=True)
        monkeypatch.setitem(REGISTRY, name, tool)
    return asked


def _source(url: str, pages: dict[str, tuple[str, str]], text: str) -> dict[str, Any]:
    title, body = pages[url]
    return {"kind": "web", "url": url, "title": title, "snippet": body, "text": text, "found_by": "test"}


def _texts(messages: Any) -> list[str]:
    from research.llm.tool_answers import answer_text

    return [
        *(message.text for message in messages),
        *(answer_text(answer) for message in messages for answer in message.answers),
    ]
