"""Sessions: the conversation or case that runs belong to."""

from django.core.exceptions import ValidationError

from research.errors import NotFound
from research.models import ResearchSession
from research.services.access import START, Person, require


def open_session(*, title: str, actor: Person | None) -> ResearchSession:
    """A new, idle session; ``actor`` None is the machine itself."""
    if actor is not None:
        require(actor, START)
    return ResearchSession.objects.create(
        title=title.strip()[:200], created_by_id=actor.pk if actor else None
    )


def find_session(session_id: str) -> ResearchSession:
    """The session with this id. Raises NotFound."""
    try:
        return ResearchSession.objects.get(pk=session_id)
    except (ResearchSession.DoesNotExist, ValidationError):
        raise NotFound(f"session: there is no session {session_id[:60]!r}") from None
