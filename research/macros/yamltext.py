"""YAML as macros use it: plain data with a line number for every node.

Plain scalars follow the YAML 1.2 core schema, as the system that the format comes from reads them: ``NO`` is Norway,
not false, ``010`` is ten and ``2024-01-31`` is text. Anchors work, within a bound; tags and merge keys are refused.
"""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

import yaml
from yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent, Event, NodeEvent
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from research.jsontext import Json, JsonObject, JsonTextError, check_json

Path: TypeAlias = tuple[str | int, ...]

MAX_CHARACTERS = 256_000
MAX_DEPTH = 60
MAX_NODES = 20_000  # counted after aliases are expanded

_NULL = re.compile(r"|~|null|Null|NULL")
_BOOLEAN = re.compile(r"true|True|TRUE|false|False|FALSE")
_INTEGER = re.compile(r"[-+]?[0-9]{1,30}|0x[0-9a-fA-F]{1,30}|0o[0-7]{1,30}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,4})?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


class YamlFault(ValueError):
    """The text cannot be read as YAML. ``line`` is 1-based."""

    def __init__(self, line: int, message: str) -> None:
        self.line, self.message = line, message
        super().__init__(f"line {line}: {message}")


@dataclass
class YamlDocument:
    """The value, the line of every node, and the faults that do not keep the rest from being read.

    ``scalars`` has the nodes of scalars, for what the value no longer tells: ``1.10`` was written, 1.1 was read.
    """

    value: Json = None
    lines: dict[Path, int] = field(default_factory=dict)
    scalars: dict[Path, Node] = field(default_factory=dict)
    faults: list[YamlFault] = field(default_factory=list)

    def line(self, path: Path) -> int:
        """The line of the node at ``path``, or of its nearest ancestor in the text."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def text_line(self, path: Path, offset: int) -> int:
        """The file's line for line ``offset`` (1-based) of a text value."""
        node = self.scalars.get(path)
        if node is None:
            return self.line(path)
        first = node.start_mark.line + 1 + (getattr(node, "style", None) in ("|", ">"))
        return min(first + offset - 1, max(first, node.end_mark.line + 1))


def read_yaml(text: str) -> YamlDocument:
    """Parse one YAML document.

    Raises:
        YamlFault: bad syntax, several documents, or beyond the bounds of size, depth and node count.
    """
    if len(text) > MAX_CHARACTERS:
        raise YamlFault(1, f"the file is larger than {MAX_CHARACTERS:,} characters")
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise YamlFault(_line_of(error, text), f"not YAML: {_problem(error)}") from None
    document = YamlDocument()
    if node is not None:
        document.value = _Builder(document).build(node, (), 0)
    return document


class _Loader(yaml.SafeLoader):
    """The safe loader without type guessing: every plain scalar is text until ``_plain`` reads it.

    Depth is bounded before the composer recurses, and tags, which could name Python objects, are refused.
    """

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    depth = 0

    def get_event(self) -> Event:
        event: Event = super().get_event()  # type: ignore[no-untyped-call]
        line = event.start_mark.line + 1 if event.start_mark else 1
        self.depth += isinstance(event, CollectionStartEvent)
        self.depth -= isinstance(event, CollectionEndEvent)
        if self.depth > MAX_DEPTH:
            raise YamlFault(line, f"nested deeper than {MAX_DEPTH} levels")
        tag = None if isinstance(event, AliasEvent) else getattr(event, "tag", None)
        if isinstance(event, NodeEvent) and tag not in (None, "!"):
            raise YamlFault(line, f"the tag {str(tag)[:80]} is not allowed")
        return event


class _Builder:
    """Turns nodes into plain values with line numbers. Limits stop cycles and alias bombs."""

    def __init__(self, document: YamlDocument) -> None:
        self.document = document
        self.count = 0

    def build(self, node: Node, path: Path, depth: int) -> Json:
        self.count += 1
        line = node.start_mark.line + 1
        if depth > MAX_DEPTH or self.count > MAX_NODES:
            limits = f"{MAX_NODES:,} nodes or {MAX_DEPTH} levels"
            raise YamlFault(line, f"more than {limits} once aliases are expanded")
        self.document.lines.setdefault(path, line)
        if isinstance(node, MappingNode):
            return self._mapping(node, path, depth)
        if isinstance(node, SequenceNode):
            return [self.build(item, (*path, index), depth + 1) for index, item in enumerate(node.value)]
        self.document.scalars[path] = node
        try:
            value = node.value if getattr(node, "style", None) else _plain(node.value)
            check_json(value)
        except JsonTextError as error:
            self._fault(node.start_mark.line + 1, error.message.replace("the document", "the value"))
            return None
        return value

    def _mapping(self, node: MappingNode, path: Path, depth: int) -> JsonObject:
        value: JsonObject = {}
        for key_node, item in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode):
                self._fault(line, "a key must be text")
                continue
            key = key_node.value
            if key in value:
                self._fault(line, f"the key {key[:80]!r} occurs twice")
            elif key == "<<":
                self._fault(line, "merge keys (<<) are not supported")
            self.document.lines[*path, key] = line
            value[key] = self.build(item, (*path, key), depth + 1)
        return value

    def _fault(self, line: int, message: str) -> None:
        self.document.faults.append(YamlFault(line, message))


def _plain(text: str) -> Json:
    if _NULL.fullmatch(text):
        return None
    if _BOOLEAN.fullmatch(text):
        return text.lower() == "true"
    if _INTEGER.fullmatch(text):
        return int(text, 0) if text[:2] in ("0x", "0o") else int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _NOT_FINITE.fullmatch(text):
        raise JsonTextError("infinity and NaN are not JSON")
    return text


def _problem(error: yaml.YAMLError) -> str:
    parts = (str(getattr(error, name, None) or "") for name in ("context", "problem", "reason"))
    return " ".join(" ".join(parts).split())[:200] or "it cannot be read"


def _line_of(error: yaml.YAMLError, text: str) -> int:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        return int(mark.line) + 1
    position = getattr(error, "position", None)
    return text.count("\n", 0, position) + 1 if isinstance(position, int) else 1
