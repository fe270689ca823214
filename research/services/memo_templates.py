"""Templates of memos: an edit makes the next version, to undo it is to activate an earlier one."""

from django.db import IntegrityError, transaction
from django.db.models import Max

from common.transactions import retried
from research import audit
from research.errors import InvalidParameters, InvalidTransition, ParamError
from research.jsontext import Json
from research.memo.labels import LANGUAGES
from research.memo.template import Template, read_template
from research.models import MemoTemplate
from research.services.access import EDIT_TEMPLATE, Person, require

SHIPPED = "standard"
MAX_NAME, MAX_NOTE = 60, 500


def template_names(language: str = "") -> list[str]:
    """What can be chosen, the one that comes with Dossier first; with a language, only what is written in it."""
    active = MemoTemplate.objects.filter(active=True).order_by("name")
    fitting = [row.name for row in active if not language or row.language in ("", language)]
    return [SHIPPED, *(name for name in fitting if name != SHIPPED)]


def find_template(name: str, language: str) -> tuple[Template, MemoTemplate | None]:
    """The active version of a name; without one of its own ``standard`` is the one that comes with Dossier.

    Raises:
        InvalidParameters: for a name that has none, or one whose words are in another language.
    """
    row = MemoTemplate.objects.filter(name=name, active=True).first()
    if row is None or row.language not in ("", language):
        if name == SHIPPED:
            return Template(), None
        names = template_names(language)
        reason = f"is in {row.language}" if row else "is not known"
        raise InvalidParameters(
            [ParamError("template", f"{name[:60]!r} {reason}; there are: {', '.join(names)}", names)]
        )
    return as_template(row), row


def as_template(row: MemoTemplate) -> Template:
    """A stored version as the composer reads it."""
    return read_template(row.values, name=row.name, version=row.version)


def save_template(*, name: str, values: Json, note: str, language: str = "", actor: Person) -> MemoTemplate:
    """Make the next version of a name, and the active one.

    Raises:
        NotPermitted: without the right to add templates.
        InvalidParameters: with every fault; nothing is stored.
    """
    require(actor, EDIT_TEMPLATE)
    template = _checked(name, values, note, language)
    try:
        with transaction.atomic():
            mine = MemoTemplate.objects.filter(name=name)
            last = mine.aggregate(last=Max("version"))["last"] or 0
            mine.filter(active=True).update(active=False)
            row = MemoTemplate.objects.create(
                name=name,
                version=last + 1,
                language=language,
                values=template.as_values(),
                digest=template.digest,
                note=note.strip(),
                created_by_id=actor.pk,
            )
            audit.record("memo_template.saved", row, actor, name=name, version=row.version, digest=row.digest)
    except IntegrityError:
        raise InvalidParameters(
            [ParamError("name", "another version was saved at the same moment; look at it and try again")]
        ) from None
    return row


@retried
def activate_template(*, template: MemoTemplate, actor: Person) -> MemoTemplate:
    """Make an earlier version the active one again.

    Raises:
        NotPermitted: without the right to add templates.
        InvalidTransition: when it is active already.
    """
    require(actor, EDIT_TEMPLATE)
    with transaction.atomic():
        MemoTemplate.objects.filter(name=template.name, active=True).exclude(pk=template.pk).update(
            active=False
        )
        if not MemoTemplate.objects.filter(pk=template.pk, active=False).update(active=True):
            raise InvalidTransition(f"{template} is active already")
        audit.record("memo_template.activated", template, actor, name=template.name, version=template.version)
    template.refresh_from_db()
    return template


def _checked(name: str, values: Json, note: str, language: str) -> Template:
    faults = []
    if not 0 < len(name) <= MAX_NAME or not name.replace("-", "").isalnum() or not name.isascii():
        faults.append(ParamError("name", f"must be letters, digits and hyphens, at most {MAX_NAME}"))
    if not 0 < len(note.strip()) <= MAX_NOTE:
        faults.append(ParamError("note", f"say why, in at most {MAX_NOTE} characters"))
    if language not in ("", *LANGUAGES):
        faults.append(ParamError("language", "is none that memos are written in", list(LANGUAGES)))
    if faults:
        raise InvalidParameters(faults)
    return read_template(values, name=name)
