"""What is typed into a page whose log-in has expired is kept for whoever opened the page, and for nobody else.

A form of the admin carries a seal: who opened its page, and which page that is. It is worth as much as the session was:
it ends with its time, and with the password. Nothing but a draft comes of a post without a log-in, and of one by
somebody else than who opened the page. When they open the page again, what they typed stands in the form.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from typing import Any, cast
from urllib.parse import urljoin, urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.views import redirect_to_login
from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from research.admin.gate.submission import read_submission, typed
from research.admin.refill import refill
from research.errors import DraftNotKept, NotPermitted
from research.models import ResearchResult
from research.services.access import Person
from research.services.drafts import discard_drafts, drafts_of, keep_draft
from research.services.macros import definition_of

View = Callable[..., HttpResponseBase]
SALT = "research.admin.kept"
NO_DECISION = ("execute", "show", "forget")
OF_THE_PAGE = ("csrfmiddlewaretoken", "seal")
FORGET = "forget-kept"
RESULT = "result:"


@dataclass(frozen=True)
class Opened:
    """What a seal says: who opened which page."""

    person: Person
    page: str

    @property
    def result(self) -> ResearchResult | None:
        """The result that the page is about, on a review page."""
        if not self.page.startswith(RESULT):
            return None
        key = UUID(self.page.removeprefix(RESULT))
        return ResearchResult.objects.select_related("run__macro").filter(pk=key).first()

    @property
    def address(self) -> str:
        if not self.page.startswith(RESULT):
            return self.page
        return reverse("admin:research_researchresult_review", args=[self.page.removeprefix(RESULT)])


def seal(person: Person, about: ResearchResult | str) -> str:
    """Who opened a page: that of a result, or the one at an address."""
    page = about if isinstance(about, str) else f"{RESULT}{about.pk}"
    return signing.dumps([person.pk, page, person.get_session_auth_hash()], salt=SALT)


def sealed(request: HttpRequest) -> dict[str, Any]:
    """The seal of a page, for its forms."""
    if not request.user.is_authenticated:
        return {}
    return {"seal": SimpleLazyObject(lambda: seal(cast(Person, request.user), request.path))}


def opened_by(text: str) -> Opened | None:
    """Whoever a seal names, if their log-in would still be good."""
    try:
        key, page, mark = signing.loads(text, salt=SALT, max_age=settings.SESSION_COOKIE_AGE)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    person = get_user_model().objects.filter(pk=key, is_active=True).first()
    if person is None or not constant_time_compare(str(mark), person.get_session_auth_hash()):
        return None
    return Opened(person, str(page))


def keeping(view: View) -> View:
    """The view of a page of the admin; what was typed on a page that was opened before is not lost."""

    @wraps(view)
    def kept(request: HttpRequest, *args: Any, **more: Any) -> HttpResponseBase:
        if request.method != "POST":
            return _with_what_was_typed(request, view(request, *args, **more))
        opened = opened_by(request.POST["seal"]) if "seal" in request.POST else None
        if opened is None:
            return view(request, *args, **more)
        here = _digest(request.path)
        if request.user == opened.person:
            answer = None if FORGET in request.POST else view(request, *args, **more)
            if not opened.page.startswith(RESULT):
                discard_drafts(about=opened.page, person=opened.person, digest=here)
            return answer or HttpResponseRedirect(opened.address)
        if not request.user.is_authenticated:
            if _keep(request, opened, here):
                with translation.override(translation.get_language_from_request(request)):
                    messages.info(
                        request,
                        _(
                            "Your log-in had expired. What you typed is kept and shown again when you have logged in."
                        ),
                    )
            return cast(HttpResponseBase, redirect_to_login(opened.address, reverse("admin:login")))
        if opened.page.startswith(RESULT):
            return view(request, *args, **more)  # its own page says that it is another's
        _keep(request, opened, here)
        told = "Somebody else opened that page; you are {}. Nothing was done, and what was typed is kept for them."
        messages.error(request, told.format(request.user.get_username()))
        return HttpResponseRedirect(reverse("admin:index"))

    return kept


def _keep(request: HttpRequest, opened: Opened, here: str) -> bool:
    post, result = request.POST, opened.result
    if opened.page.startswith(RESULT) and (result is None or request.path != opened.address):
        return False
    if result is not None and (post.get("action") in NO_DECISION or post.get("digest") != result.digest):
        return False
    own: Mapping[str, str | list[str]] = _of_result(result, post.dict()) if result else _of_form(request)
    if not own:
        return False  # an empty form of a stranger to this session throws nothing away
    revision = post.get("draft", "")
    try:
        keep_draft(
            about=result or opened.page,
            person=opened.person,
            digest=result.digest if result else here,
            typed=own,
            revision=int(revision) if revision.isascii() and revision.isdigit() else 0,
            window=post.get("window", "") if result else here,
        )
    except (DraftNotKept, NotPermitted):
        return False
    return True


def _of_result(result: ResearchResult, post: dict[str, str]) -> dict[str, str]:
    return typed(read_submission(result, definition_of(result.run.macro).schema, post))


def _of_form(request: HttpRequest) -> dict[str, list[str]]:
    """Every field with its values; nothing when nothing was typed."""
    fields = {name: values for name, values in request.POST.lists() if name not in OF_THE_PAGE}
    if not any(value.strip() for values in fields.values() for value in values):
        return {}
    return fields


def _with_what_was_typed(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    """A page with a form that was sent when its log-in had expired: with the form as it was."""
    render = getattr(answer, "render", None)
    if not request.user.is_authenticated or not isinstance(answer, HttpResponse) or answer.status_code != 200:
        return answer
    if callable(render):
        render()
    if b'name="seal"' not in answer.content:
        return answer
    kept = {
        draft.digest: draft.typed
        for draft in drafts_of(about=request.path, person=cast(Person, request.user))
    }

    def typed_in(action: str) -> Mapping[str, list[str]] | None:
        return kept.get(_digest(urlsplit(urljoin(request.path, action)).path))

    if kept:
        note = _("What you typed before your log-in expired is in the form again.")
        text = refill(answer.content.decode(), typed_in, note, (FORGET, _("Throw it away")))
        answer.content = text.encode()
    return answer


def _digest(path: str) -> str:
    """Of where a form is sent to: a page may have several."""
    return sha256(path.encode()).hexdigest()
