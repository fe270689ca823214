"""What is typed into a review page whose log-in has expired: a draft of whoever opened the page, and of nobody else.

The page carries a seal that says who opened it and about which result. It is worth as much as the session was: it ends
with its time, and with the password. Nothing but the draft comes of such a request; the log-in page answers it.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from research.admin.gate.submission import read_submission, typed
from research.errors import DraftNotKept, NotPermitted
from research.models import ResearchResult
from research.services.access import Person
from research.services.drafts import keep_draft
from research.services.macros import definition_of

View = Callable[..., HttpResponse]
SALT = "research.admin.kept"
NO_DECISION = ("execute", "show", "forget")


def seal(person: Person, result: ResearchResult) -> str:
    """Who opened the page of a result."""
    return signing.dumps([person.pk, str(result.pk), person.get_session_auth_hash()], salt=SALT)


def opened_by(text: str, result: ResearchResult) -> Person | None:
    """Whoever a seal names, if it is of this result and their log-in would still be good."""
    try:
        key, about, mark = signing.loads(text, salt=SALT, max_age=settings.SESSION_COOKIE_AGE)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    person = get_user_model().objects.filter(pk=key, is_active=True).first()
    if person is None or about != str(result.pk):
        return None
    return person if constant_time_compare(mark, person.get_session_auth_hash()) else None


def keeping(view: View) -> View:
    """The view, and before its log-in page what a person had typed is kept."""

    @wraps(view)
    def kept(request: HttpRequest, pk: UUID, **rest: Any) -> HttpResponse:
        if request.method == "POST" and not request.user.is_authenticated and _keep(request, pk):
            with translation.override(translation.get_language_from_request(request)):
                told = _(
                    "Your log-in had expired. What you typed is kept and shown again when you have logged in."
                )
            messages.info(request, told)
        return view(request, pk=pk, **rest)

    return kept


def _keep(request: HttpRequest, pk: UUID) -> bool:
    result = ResearchResult.objects.select_related("run__macro").filter(pk=pk).first()
    post = request.POST
    person = opened_by(post.get("seal", ""), result) if result else None
    if result is None or person is None or post.get("action") in NO_DECISION:
        return False
    seen, revision = post.get("digest", ""), post.get("draft", "")
    if seen != result.digest:
        return False
    own = typed(read_submission(result, definition_of(result.run.macro).schema, post.dict()))
    if not own:
        return False  # an empty form of a stranger to this session throws nothing away
    try:
        keep_draft(
            result=result,
            person=person,
            digest=seen,
            typed=own,
            revision=int(revision) if revision.isascii() and revision.isdigit() else 0,
            window=post.get("window", ""),
        )
    except (DraftNotKept, NotPermitted):
        return False
    return True
