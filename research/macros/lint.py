"""Find faults of a macro before it runs, each with file, line and reason."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Protocol

from research.errors import Fault
from research.jsontext import JsonObject
from research.macros.definition import MacroDefinition
from research.macros.loader import Reading, macro_files, read_macro
from research.macros.samples import samples
from research.macros.schemas import schema_faults
from research.macros.scopes import undefined_names
from research.macros.shapes import Shape, prompt_shape, verbs_shape
from research.macros.tags import BLOCKS, TemplateFault
from research.macros.templates import HELPERS, render_prompt, template_faults
from research.macros.verb_lint import TemplateVerbFault, check_suggested_verbs
from research.macros.yamltext import Path, YamlDocument
from research.review.pointer import PointerError, resolve
from research.tools.tool import REGISTRY

OPTIONAL_TOOLS = frozenset({"web_search"})  # accepted in macros even if they are not configured

_RESERVED = frozenset({"params", "data", "this", "else", *BLOCKS, *HELPERS})
_PROMPT: Path = ("macro", "prompt")
_VERBS: Path = ("macro", "suggested_verbs")
_SCHEMA: Path = ("macro", "output", "schema")
_MAX_VERB_FAULTS = 50


class VerbCheck(Protocol):
    """Renders verbs from a template and sample data, and checks them."""

    def __call__(
        self, template: str, *, params: JsonObject, data: JsonObject
    ) -> Collection[TemplateVerbFault]: ...


def lint_text(
    text: str,
    file: str = "",
    *,
    tools: Collection[str],
    verb_check: VerbCheck | None = None,
) -> list[Fault]:
    """All faults and warnings of one macro text, in the order of lines; empty when it is sound.

    ``tools`` are the names that exist; without ``verb_check`` the suggested verbs are only read as a template.
    """
    return _faults(read_macro(text, file), file, tools, verb_check)


def default_lint(text: str, file: str = "") -> list[Fault]:
    """``lint_text`` against the tools and the verb catalogue of this installation."""
    return lint_text(text, file, tools=REGISTRY, verb_check=check_suggested_verbs)


def lint_paths(paths: Iterable[FilePath]) -> list[Fault]:
    """Lint files and folders. If two files define the same name, the second is faulty."""
    faults: list[Fault] = []
    names: dict[str, FilePath] = {}
    for path in macro_files(paths):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = "the file is not UTF-8" if isinstance(error, ValueError) else "the file cannot be read"
            faults.append(Fault(str(path), 1, reason))
            continue
        reading = read_macro(text, str(path))
        faults += _faults(reading, str(path), REGISTRY, check_suggested_verbs)
        faults += _same_name(reading, path, names)
    return faults


def _faults(reading: Reading, file: str, tools: Collection[str], verb_check: VerbCheck | None) -> list[Fault]:
    if reading.definition is None:
        return reading.faults
    found = _Lint(reading.definition, reading.document, file).faults(tools, verb_check)
    return sorted({*reading.faults, *found}, key=lambda fault: (fault.line, fault.message))


def _same_name(reading: Reading, path: FilePath, names: dict[str, FilePath]) -> Iterator[Fault]:
    if reading.definition is None:
        return
    other = names.setdefault(reading.definition.name, path)
    if other != path:
        line = reading.document.line(("macro", "name"))
        yield Fault(str(path), line, f"the name {reading.definition.name} is also used in {other}")


class _Lint:
    """Checks beyond keys and types."""

    def __init__(self, definition: MacroDefinition, document: YamlDocument, file: str) -> None:
        self.definition, self.document, self.file = definition, document, file

    def faults(self, tools: Collection[str], verb_check: VerbCheck | None) -> Iterator[Fault]:
        definition = self.definition
        for index, name in enumerate(self.definition.tools):
            path: Path = ("macro", "tools", index)
            if name in OPTIONAL_TOOLS and name not in tools:
                yield self._fault(
                    path, f"the tool {name} is not available here: the model works without it", "warning"
                )
            elif name not in tools:
                yield self._fault(path, f"unknown tool {name[:60]!r}; there are {', '.join(sorted(tools))}")
        yield from self._writes()
        yield from self._follow()
        yield from self._names()
        prompt = self._template(_PROMPT, definition.prompt, prompt_shape(definition))
        yield from prompt or self._prompt()
        schema = [
            self._fault((*_SCHEMA, *it.path), it.message, it.level) for it in schema_faults(definition.schema)
        ]
        is_schema = not any(fault.level == "error" for fault in schema)
        shape = verbs_shape(definition) if is_schema else Shape()
        verbs = self._template(_VERBS, definition.suggested_verbs, shape)
        yield from (*schema, *verbs)
        if verb_check and is_schema and not verbs:
            yield from self._verbs(verb_check)

    def _writes(self) -> Iterator[Fault]:
        """A tool that writes is only offered if it is listed under both ``tools`` and ``writes``."""
        tools, writes = self.definition.tools, self.definition.writes
        writing = {name for name in tools if name in REGISTRY and REGISTRY[name].effect == "write"}
        for index, name in enumerate(writes):
            if name not in writing:
                path: Path = ("macro", "writes", index)
                yield self._fault(path, f"{name[:60]!r} is not one of the macro's tools that write")
        for index, name in enumerate(tools):
            if name in writing - set(writes):
                yield self._fault(
                    ("macro", "tools", index),
                    f"{name} writes: it is not offered unless writes names it",
                    "warning",
                )

    def _follow(self) -> Iterator[Fault]:
        """A refresh could follow nothing if the parameter or the field were not there."""
        known = [parameter.name for parameter in self.definition.parameters]
        whole = next((data for _, data in samples(self.definition, "")), {}) if self.definition.follow else {}
        for name, pointers in self.definition.follow.items():
            path: Path = ("macro", "follow", name)
            if name not in known:
                yield self._fault(path, f"{name[:60]!r} is not one of the macro's parameters")
            for pointer in pointers:
                try:
                    there, _ = resolve(whole, pointer)
                except PointerError as error:
                    yield self._fault(path, str(error))
                else:
                    if not there:
                        yield self._fault(path, f"the schema has no field {pointer[:100]!r}")

    def _names(self) -> Iterator[Fault]:
        """Names that a template would read as a helper or a block."""
        for index, parameter in enumerate(self.definition.parameters):
            if parameter.name in _RESERVED:
                path: Path = ("macro", "parameters", index, "name")
                yield self._fault(
                    path, f"the parameter name {parameter.name} means something else in templates"
                )
        fields = self.definition.schema.get("properties")
        for name in fields if isinstance(fields, dict) else ():
            if name in _RESERVED:
                message = f"the field {name} is hidden in templates by a name of theirs; write data.{name}"
                yield self._fault((*_SCHEMA, "properties", name), message, "warning")

    def _template(self, path: Path, template: str, shape: Shape) -> list[Fault]:
        faults = template_faults(template) or undefined_names(template, shape, HELPERS)
        return [self._text_fault(path, fault.line, fault.message) for fault in faults]

    def _prompt(self) -> list[Fault]:
        """Render the prompt with parameters of every kind."""
        try:
            for params, _ in samples(replace(self.definition, schema={}), self.definition.prompt):
                render_prompt(self.definition, params)
        except TemplateFault as fault:
            return [self._text_fault(_PROMPT, fault.line, fault.message)]
        return []

    def _verbs(self, check: VerbCheck) -> Iterator[Fault]:
        template = self.definition.suggested_verbs
        found: set[TemplateVerbFault] = set()
        for params, data in samples(self.definition, template):
            found.update(check(template, params=params, data=data))
        for fault in sorted(found)[:_MAX_VERB_FAULTS]:
            yield self._text_fault(_VERBS, fault.line, fault.message, fault.level)

    def _text_fault(self, path: Path, line: int, message: str, level: str = "error") -> Fault:
        return Fault(self.file, self.document.text_line(path, line), f"{path[-1]}: {message}", level)

    def _fault(self, path: Path, message: str, level: str = "error") -> Fault:
        return Fault(self.file, self.document.line(path), message, level)
