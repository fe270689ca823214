"""Publishing macros: a version never changes, an edit makes the next one."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from django.db import IntegrityError

from common.program import typed
from common.transactions import atomic
from research import audit
from research.errors import Fault, InvalidMacro, NotFound, UnknownMacro
from research.macros.definition import MacroDefinition
from research.macros.lint import default_lint
from research.macros.loader import load_macro
from research.models import Macro
from research.models.states import MacroStatus
from research.services.access import PUBLISH, Person, require
from research.store import rows

LIBRARY = Path(__file__).resolve().parent.parent / "macros" / "library"


@dataclass
class SyncReport:
    """What a sync did, by macro name; ``faults`` are the files that stayed out, each fault with its line."""

    published: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def definition_of(macro: Macro) -> MacroDefinition:
    """The parsed fields of a stored version."""
    return load_macro(macro.text)


def active_macro(name: str) -> Macro:
    """The active version of a name, or UnknownMacro that lists what there is."""
    found = rows.read(Macro, "WHERE name = %s AND status = %s", [name, MacroStatus.ACTIVE])
    if not found:
        names = list(Macro.objects.filter(status=MacroStatus.ACTIVE).values_list("name", flat=True))
        known = ", ".join(names) or f"none; run: {typed('macros sync')}"
        raise UnknownMacro(
            f"macro: there is no active macro {name[:100]!r}; there are: {known}", allowed=names
        )
    return found[0]


def publish_macro(*, text: str, actor: Person | None = None, origin: str = "") -> Macro:
    """Make ``text`` the active version of its name; unchanged text gives the active version back.

    Raises:
        NotPermitted: the actor may not publish; ``actor`` None is the machine itself.
        InvalidMacro: with every fault; nothing is stored and the old version stays active.
    """
    if actor is not None:
        require(actor, PUBLISH)
    definition = _sound(text, origin)
    current = Macro.objects.filter(name=definition.name, status=MacroStatus.ACTIVE).first()
    digest = _digest(text)
    if current and current.digest == digest:
        return current
    try:
        return _store(definition, text, digest, actor, origin)
    except IntegrityError:
        raise InvalidMacro(
            [Fault(origin, 1, "another version was published at the same moment; try again")]
        ) from None


def sync_macros(
    *, directory: Path | None = None, on_file: Callable[[Path], None] | None = None
) -> SyncReport:
    """Publish every file below ``directory`` once; a bad file is reported and the rest goes on.

    A text that was published before is not published again, so an edit made in admin outlives the next sync.
    """
    folder = directory or LIBRARY
    if not folder.is_dir():
        raise NotFound(f"{folder} is not a folder")
    report = SyncReport()
    names: dict[str, Path] = {}
    for path in sorted(p for p in folder.rglob("*") if p.suffix in {".yaml", ".yml"}):
        if on_file:
            on_file(path)
        _sync_file(path, report, names)
    return report


def _sync_file(path: Path, report: SyncReport, names: dict[str, Path]) -> None:
    try:
        text = path.read_text(encoding="utf-8")
        known = Macro.objects.filter(digest=_digest(text)).first()
        name = known.name if known else _sound(text, path.name).name
        if name in names:
            raise InvalidMacro([Fault(path.name, 1, f"{name} is also defined in {names[name]}")])
        names[name] = path
        if known:
            report.unchanged.append(name)
        else:
            report.published.append(str(publish_macro(text=text, origin=path.name)))
    except UnicodeDecodeError:
        report.faults.append(Fault(str(path), 1, "the file is not UTF-8"))
    except OSError as error:
        report.faults.append(Fault(str(path), 1, f"the file cannot be read: {error.strerror}"))
    except InvalidMacro as error:
        report.faults.extend(error.faults)


@lru_cache(maxsize=64)
def _sound(text: str, origin: str) -> MacroDefinition:
    """The definition of a text without errors; linting tries every template on many samples, so it is done once."""
    faults = [fault for fault in default_lint(text, origin) if fault.level == "error"]
    if faults:
        raise InvalidMacro(faults)
    return load_macro(text, file=origin)


@atomic
def _store(definition: MacroDefinition, text: str, digest: str, actor: Person | None, origin: str) -> Macro:
    taken = set(Macro.objects.filter(name=definition.name).values_list("version", flat=True))
    former = list(Macro.objects.filter(name=definition.name, status=MacroStatus.ACTIVE))
    Macro.objects.filter(pk__in=[each.pk for each in former]).update(status=MacroStatus.RETIRED)
    macro = Macro.objects.create(
        name=definition.name,
        version=_free_version(definition.version, taken),
        status=MacroStatus.ACTIVE,
        description=definition.description,
        tags=list(definition.tags),
        schema_name=definition.schema_name,
        text=text,
        digest=digest,
        origin=origin[-200:],
    )
    told = {"name": macro.name, "version": macro.version, "digest": digest}
    audit.record("macro.published", macro, actor, *former, **told)
    return macro


def _free_version(wanted: str, taken: set[str]) -> str:
    """``wanted``, or with its last number counted up until it is free."""
    version = wanted
    while version in taken:
        head, _, last = version.rpartition(".")
        version = f"{head}.{int(last) + 1}" if head and last.isdigit() else f"{version}.1"
    return version


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
