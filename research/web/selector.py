"""The CSS selectors that say which part of a page is meant: names, ids, classes, attributes, and what is inside."""

import re

MAX_LENGTH = 200
_PART = re.compile(
    r"\s*(?P<step>>)?\s*(?P<tag>\*|[a-z][\w-]*)?(?P<more>(?:[#.][\w-]+|\[[\w-]+(?:=(?:\"[^\"]*\"|'[^']*'|[\w-]+))?\])*)",
    re.IGNORECASE,
)
_MORE = re.compile(r"([#.])([\w-]+)|\[([\w-]+)(?:=(?:\"([^\"]*)\"|'([^']*)'|([\w-]+)))?\]")


def xpath_of(selector: str) -> str:
    """The XPath of a selector. Raises ValueError when it is none, or one that is not read here."""
    if len(selector) > MAX_LENGTH:
        raise ValueError("the selector is too long")
    return " | ".join(_path(part.strip(), selector) for part in selector.split(","))


def _path(text: str, whole: str) -> str:
    at, steps = 0, []
    while at < len(text):
        match = _PART.match(text, at)
        if match is None or match.end() == at or not (match["tag"] or match["more"]):
            raise ValueError(f"{whole[:80]!r} is not a selector that is read here")
        steps.append(("/" if match["step"] else "//") + (match["tag"] or "*").lower() + _tests(match["more"]))
        at = match.end()
    if not steps:
        raise ValueError(f"{whole[:80]!r} is not a selector")
    return "".join(steps)


def _tests(more: str) -> str:
    tests = []
    for match in _MORE.finditer(more):
        mark, name, attribute = match[1], match[2], match[3]
        value = next((found for found in match.group(4, 5, 6) if found is not None), None)
        if mark == "#":
            tests.append(f"[@id='{name}']")
        elif mark == ".":
            tests.append(f"[contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]")
        elif value is None:
            tests.append(f"[@{attribute}]")
        elif '"' not in value or "'" not in value:
            quote = "'" if "'" not in value else '"'
            tests.append(f"[@{attribute}={quote}{value}{quote}]")
    return "".join(tests)
