"""Write the reference pages from the code. ``docs/conf.py`` calls ``write`` before each build.

Nothing here is text that somebody would have to keep up to date, except ``settings.yaml``: the code gives a
variable's name and default, that file gives its meaning.
"""

import argparse
import ast
import inspect
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import django
import yaml
from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("config", "common", "citations", "entities", "research")
READERS = {"text", "flag", "integer", "one_of", "pairs", "words", "secret", "folder"}


def write(folder: Path) -> None:
    """Every reference page, into ``folder``. Needs no database and no network."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    folder.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        text = "\n".join([*page(), ""])
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:  # Sphinx reads what has changed
            path.write_text(text, encoding="utf-8")


# --- settings


def settings_page() -> Iterator[str]:
    known = variables()
    yield "# Settings"
    yield ""
    yield "Dossier reads its settings from environment variables. A name marked † may also be given as `NAME_FILE`,"
    yield "the path of a file that holds the value. `manage.py doctor` names settings that are missing or wrong."
    for section, meanings in settings_meanings().items():
        yield from ("", f"## {section}", "", "| Variable | Default | Meaning |", "|---|---|---|")
        for name, meaning in meanings.items():
            default, secret = known[name]
            told = meaning if isinstance(meaning, dict) else {"default": default, "text": meaning}
            yield f"| `{name}`{' †' * secret} | {told['default']} | {_cell(told['text'])} |"


@cache
def settings_meanings() -> dict[str, dict[str, Any]]:
    text = (ROOT / "docs" / "settings.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text))


@cache
def variables() -> dict[str, tuple[str, bool]]:
    """Each variable that the code reads: its default as Markdown, and whether it may come from a file."""
    found: dict[str, tuple[str, bool]] = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(call, ast.Call) and (variable := _variable(call)):
                    name, default, secret = variable
                    found[name] = (default or found.get(name, ("",))[0], secret)
    return found


def _variable(call: ast.Call) -> tuple[str, str, bool] | None:
    reader = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    first = call.args[0] if call.args else None
    known = reader in READERS or ast.unparse(call.func).endswith("environ.get")
    if not known or not isinstance(first, ast.Constant):
        return None
    if not re.fullmatch(r"[A-Z][A-Z_]+", str(first.value)):
        return None
    given = [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "default")]
    default = given[0].value if given and isinstance(given[0], ast.Constant) else ""
    if reader == "flag":
        default = "on" if default else "off"
    elif isinstance(default, int):
        default = f"{default:,}" if default >= 10_000 else str(default)
    return str(first.value), f"`{default!s}`" if default else "", reader == "secret"


# --- commands


def commands_page() -> Iterator[str]:
    yield "# Commands"
    yield ""
    yield "Type `manage.py` in a checkout and `dossier` where Dossier is installed. Each command takes `--json`, which"
    yield "prints one JSON document, or one document a line for a list. Exit code 0 is success, 1 is a refusal or a"
    yield "failed check, 2 is a mistake on the command line. `make` turns every code but 0 into 2."
    for name, app in sorted(get_commands().items()):
        if app in ROOMS:
            parser = load_command_class(app, name).create_parser("manage.py", name)
            yield from ("", f"## {name}", "", parser.description or "")
            yield from _actions(parser)


INHERITED = {"help", "version", "verbosity", "settings", "pythonpath", "traceback", "no_color", "force_color"}
COMMON = INHERITED | {"skip_checks", "json"}


def _actions(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            about = {choice.dest: choice.help for choice in action._choices_actions}
            for name, sub in action.choices.items():
                yield from ("", f"### {parser.prog.split()[-1]} {name}", "", str(about.get(name) or ""))
                yield from _actions(sub)
            return
    options = [one for one in parser._actions if one.dest not in COMMON]
    if options:
        yield from ("", "| Argument | Meaning |", "|---|---|")
    for one in options:
        names = ", ".join(f"`{name}`" for name in one.option_strings) or f"`{one.metavar or one.dest}`"
        meaning = (one.help or "").replace("%(default)s", str(one.default)).replace("%%", "%")
        choices = f" One of {', '.join(f'`{each}`' for each in one.choices)}." if one.choices else ""
        yield f"| {names} | {_cell(meaning)}{choices} |"


# --- REST


def rest_page() -> Iterator[str]:
    from drf_spectacular.generators import SchemaGenerator

    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    schema = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    yield "# REST endpoints"
    yield ""
    yield "Made from the OpenAPI document, which a running Dossier serves at `/api/v1/schema`."
    yield "[Use the REST API](../tasks/use-the-rest-api.md) explains tokens, digests, errors and paging."
    group = ""
    for path, methods in sorted(schema["paths"].items()):
        if (here := path.split("/")[3]) != group:
            group = here
            yield from ("", f"## {group}")
        for method, spec in methods.items():
            yield from _operation(f"{method.upper()} {path}", spec, schema)


def _operation(title: str, spec: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    yield from ("", f"### {title}", "", _prose(spec.get("description", "")), "")
    rows = [
        (f"`{one['name']}`", one["in"], _type(one["schema"]), one.get("description", ""))
        for one in spec.get("parameters", [])
        if one["in"] != "path"
    ]
    body = spec.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    fields = _resolve(body, schema)
    for name, field in fields.get("properties", {}).items():
        if not field.get("readOnly"):
            star = "" if name not in fields.get("required", ()) else " *"
            rows.append((f"`{name}`{star}", "body", _type(field), field.get("description", "")))
    if rows:
        yield from _table(("Name", "In", "Type", "Meaning"), rows)
    answers = ", ".join(f"{code}{_answer(answer)}" for code, answer in spec["responses"].items())
    yield from ("", f"Answers: {answers}.")


def _answer(answer: dict[str, Any]) -> str:
    kinds = [_type(content.get("schema", {})) for content in answer.get("content", {}).values()]
    return f" {kinds[0]}" if kinds and kinds[0] else ""


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    for key in ("allOf", "oneOf", "anyOf"):
        if key in schema:
            return " or ".join(filter(None, map(_type, schema[key])))
    if schema.get("enum"):
        return ", ".join(f"`{each}`" for each in schema["enum"] if each is not None)
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {})) or 'any'}"
    kind = schema.get("type", "")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _resolve(schema: dict[str, Any], root: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref", "")
    return root["components"]["schemas"][reference.rpartition("/")[2]] if reference else schema


# --- MCP tools


def mcp_page() -> Iterator[str]:
    from research.mcp.catalogue import offers

    yield "# MCP tools"
    yield ""
    yield "The tools of [an agent](../tasks/connect-an-agent.md) whose person has the permissions."
    for offer in offers().values():
        permissions = ", ".join(f"`{each}`" for each in offer.permissions)
        writes = " This tool writes." if offer.writes else ""
        yield from ("", f"## {offer.name}", "", f"{_prose(offer.description)}{writes}", "")
        yield from (f"Permissions: {permissions}.", "")
        yield from _properties(offer.parameters)


def _properties(schema: Any) -> Iterator[str]:
    rows = [
        (f"`{name}`{' *' * (name in schema.get('required', ()))}", _type(field), field.get("description", ""))
        for name, field in schema.get("properties", {}).items()
    ]
    if rows:
        yield from _table(("Argument", "Type", "Meaning"), rows)


# --- macros and verbs


def macro_format_page() -> Iterator[str]:
    import research.tools  # noqa: F401 - importing it fills the registry
    from research.macros import definition, loader
    from research.tools.tool import REGISTRY

    yield "# Macro format"
    yield ""
    yield "The keys and words that a macro file may use. [Add a macro](../tasks/add-a-macro.md) shows a whole file."
    keys = {
        "macro": loader.MACRO_KEYS,
        "output": loader.OUTPUT_KEYS,
        "parameters": loader.PARAMETER_KEYS,
        "schema of an object parameter": loader.OBJECT_KEYS,
        "field of an object parameter": loader.FIELD_KEYS,
    }
    words = {
        "workflow": definition.WORKFLOWS,
        "reach": definition.REACHES,
        "output.review": definition.REVIEWS,
        "parameter type": definition.PARAMETER_TYPES,
        "parameter format": definition.FORMATS,
    }
    yield from ("", "## Keys", "")
    yield from _table(("Where", "Keys"), ((where, _codes(each)) for where, each in keys.items()))
    yield from ("", "## Words", "", "The first word is the default.", "")
    yield from _table(("Key", "Words"), ((where, _codes(each)) for where, each in words.items()))
    yield from (
        "",
        "## Tools",
        "",
        "What `tools` may list. A tool that writes must stand under `writes` too.",
        "",
    )
    rows = ((f"`{tool.name}`", tool.effect, tool.description) for _, tool in sorted(REGISTRY.items()))
    yield from _table(("Tool", "Effect", "What it does"), rows)
    yield from ("", "## Macros that come with Dossier")
    for path in loader.macro_files([loader.LIBRARY]):
        macro = loader.load_macro(path.read_text(encoding="utf-8"))
        yield from ("", f"### {macro.name}", "", _prose(macro.description), "")
        yield from _table(
            ("Parameter", "Type", "Meaning"),
            ((f"`{one.name}`{' *' * one.required}", one.type, one.description) for one in macro.parameters),
        )


def verbs_page() -> Iterator[str]:
    from research.verbs.catalogue import load_catalogue

    yield "# Verbs"
    yield ""
    yield "Made from `research/verbs/catalogue.yaml`. [Verb](../concepts/verb.md) explains the language. `*` marks what"
    yield "is required."
    for verb in load_catalogue():
        alias = f" Another name of `{verb.alias_of}`." if verb.alias_of else ""
        yield from (
            "",
            f"## {verb.name}",
            "",
            f"{_prose(verb.description)}{alias} Effect: {verb.effect}.",
            "",
        )
        if verb.one_of:
            yield from (f"One of these is required: {'; '.join(_codes(each) for each in verb.one_of)}.", "")
        rows = ((f"`:{arg.name}`{' *' * arg.required}", arg.type, _verb_argument(arg)) for arg in verb.args)
        if verb.args:
            yield from _table(("Argument", "Type", "Meaning"), rows)
        if verb.arg_map:
            others = (f"`:{written}` means `:{meant}`" for written, meant in verb.arg_map.items())
            yield from ("", f"Other keywords: {', '.join(others)}.")
        for name, reason in verb.refused.items():
            yield from ("", f"`:{name}` is refused: {reason}")


def _verb_argument(arg: Any) -> str:
    allowed = f" One of {_codes(arg.allowed)}." if arg.allowed else ""
    default = f" Default: `{json.dumps(arg.default, default=str)}`." if arg.default is not None else ""
    others = (f"`{written}` means `{meant}`" for written, meant in arg.synonyms.items())
    synonyms = f" {', '.join(others)}." if arg.synonyms else ""
    return f"{arg.description}{allowed}{default}{synonyms}"


# --- errors


def errors_page() -> Iterator[str]:
    from entities.registers.errors import RegisterError
    from research import errors
    from research.api.problems import STATUS
    from research.services import trouble

    yield "# Error codes"
    yield ""
    yield "## Refusals"
    yield ""
    yield "REST sends the code as `type: urn:dossier:CODE` (RFC 9457). Commands and MCP tools send it as `error.code`."
    yield ""
    refusals: list[type[Any]] = [*_below(errors.DossierError)]
    registers: list[type[Any]] = [RegisterError, *_below(RegisterError)]
    rows = [
        (f"`{kind.code}`", str(STATUS.get(kind, 400)), _prose(inspect.getdoc(kind) or ""))
        for kind in refusals
    ]
    yield from _table(("Code", "HTTP", "Meaning"), sorted(rows))
    yield from ("", "## Registers", "")
    rows = [(f"`{kind.code}`", kind.__name__, _prose(inspect.getdoc(kind) or "")) for kind in registers]
    yield from _table(("Code", "Class", "Meaning"), rows)
    yield from ("", "## Why a run failed", "", "The codes of `error` of a run that failed.", "")
    rows = [(f"`{code}`", what, todo) for code, (what, todo) in trouble._EXPLAINED.items()]
    yield from _table(("Code", "What happened", "What to do"), rows)
    yield from ("", "## Why a run waits", "", "The `phase` of a run that waits for a person.", "")
    rows = [(f"`{code}`", what, todo) for code, (what, todo) in trouble._WAITS.items()]
    yield from _table(("Phase", "What happened", "What to do"), rows)


def _below(kind: type[Any]) -> Iterator[type[Any]]:
    for child in kind.__subclasses__():
        yield child
        yield from _below(child)


# --- Markdown


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    head = list(head)
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(_cell(each) for each in row)} |"


def _cell(text: str) -> str:
    return _prose(text).replace("|", "\\|")


def _prose(text: str) -> str:
    """One line; ``code`` of docstrings as `code` of Markdown; nothing of it is HTML."""
    return " ".join(text.replace("``", "`").split()).replace("<", "&lt;")


def _codes(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "settings": settings_page,
    "commands": commands_page,
    "rest": rest_page,
    "mcp": mcp_page,
    "macro-format": macro_format_page,
    "verbs": verbs_page,
    "errors": errors_page,
}
