"""What the commands of research share: how refusals become exit codes, and who is deciding."""

import os
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.core.management.base import CommandParser

from common.commands.base import DossierCommand, Mistake, Options, Refusal
from common.program import typed
from entities.gleif.errors import GleifError
from research.errors import (
    DossierError,
    InvalidParameters,
    NotFound,
    ParamError,
    ReasonRequired,
    UnknownMacro,
)
from research.services.access import Person


class ResearchCommand(DossierCommand):
    """Maps the house's errors to exit codes."""

    refusals: tuple[type[Exception], ...] = (DossierError, GleifError)

    def refusal(self, error: Exception) -> Mistake | Refusal:
        if not isinstance(error, DossierError):
            return Refusal(str(error))
        detail = {"code": error.code, **error.detail}
        if isinstance(error, InvalidParameters):
            return Mistake("\n".join(map(_sentence, error.errors)), detail)
        if isinstance(error, ReasonRequired):
            return Refusal(f"{error.message} Give it with --note.", detail)
        kind = Mistake if isinstance(error, UnknownMacro) else Refusal
        return kind(error.message, detail)


def _sentence(error: ParamError) -> str:
    allowed = f" (allowed: {', '.join(error.allowed)})" if error.allowed else ""
    return f"{error.name}: {error.message}{allowed}"


def add_person(parser: CommandParser) -> None:
    """``--as USERNAME``: who is doing this."""
    parser.add_argument(
        "--as",
        dest="username",
        metavar="USERNAME",
        default=os.environ.get("DOSSIER_USER", ""),
        help="who is doing this (default: DOSSIER_USER, else the only superuser)",
    )


def deciding_person(options: Options) -> Person:
    """The person named on the command line or in DOSSIER_USER, else the only active superuser. Raises Mistake."""
    person = requesting_person(options)
    if person is None:
        raise Mistake(f"Say who is deciding: --as USERNAME (or DOSSIER_USER). {_why_nobody()}")
    return person


def _why_nobody() -> str:
    if get_user_model().objects.filter(is_active=True, is_superuser=True).exists():
        return "There is more than one superuser."
    return f"There is no superuser yet: {typed('up')} makes one when it starts, or {typed('createsuperuser')} does."


def requesting_person(options: Options) -> Person | None:
    """The same, but None where nobody is named: the machine itself is asking."""
    people = get_user_model().objects.filter(is_active=True)
    if options["username"]:
        person = people.filter(username=options["username"]).first()
        if person is None:
            raise Mistake(f"--as: there is no active user {options['username']!r}")
        return person
    superusers = list(people.filter(is_superuser=True)[:2])
    return superusers[0] if len(superusers) == 1 else None


def find(model: type[Any], key: str, *related: str) -> Any:
    """The row with this id, or whose id begins like this if only one does. Raises NotFound, Mistake."""
    name, digits = str(model._meta.verbose_name), key.strip().lower().replace("-", "")
    if not (4 <= len(digits) <= 32 and set(digits) <= set("0123456789abcdef")):
        raise Mistake(f"{name}: {key[:60]!r} is not an id")
    ids = (UUID(digits.ljust(32, "0")), UUID(digits.ljust(32, "f")))
    rows = list(model.objects.select_related(*related).filter(pk__range=ids)[:2])
    if len(rows) > 1:
        raise Mistake(f"{name}: more than one id begins with {key}; write more of it")
    if not rows:
        raise NotFound(f"{name}: there is none with the id {key}")
    return rows[0]
