"""The review page: reads the form, calls a service, shows the page again. Nothing is decided by GET."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from research.admin.gate.changes import changes
from research.admin.gate.displayed import PART
from research.admin.gate.history import review_url
from research.admin.gate.page import Page
from research.admin.gate.submission import (
    RAW,
    Submission,
    pretty_json,
    read_submission,
    typed,
    untouched,
)
from research.admin.kept import seal
from research.errors import (
    DossierError,
    DraftNotKept,
    InvalidEdit,
    InvalidTransition,
    NotPermitted,
    ReasonRequired,
    StaleDigest,
)
from research.jsontext import JsonObject, digest
from research.models import Decision, ResearchResult
from research.models.states import ResultState
from research.review.forms import SHOWN
from research.services.access import EXECUTE, require_decider
from research.services.drafts import discard_drafts, drafts_of, keep_draft
from research.services.execution import enqueue_execution, execute_verbs
from research.services.macros import definition_of
from research.services.reviews import (
    Preview,
    approve_result,
    preview_edits,
    reject_result,
    request_changes,
)
from research.sign_in.second_step import ask_again, step_up_is_due

RESULTS = ResearchResult.objects.select_related("run__macro", "run__requested_by", "run__rerun_of", "session")
MAX_INLINE_VERBS = 25  # more than that against the live register takes longer than a web request may
STATUS = {NotPermitted: 403, StaleDigest: 409, InvalidTransition: 409}


@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, pk: UUID, *, site: AdminSite) -> HttpResponse:
    """Show a result, or do what one of the page's buttons says."""
    result = get_object_or_404(RESULTS, pk=pk)
    if not request.user.has_perm("research.view_researchresult"):
        raise PermissionDenied
    gate = _Gate(request, result, site)
    return gate.post() if request.method == "POST" else gate.get()


@never_cache
@require_safe
def standing(request: HttpRequest, pk: UUID) -> HttpResponse:
    """How things stand with a result, for a page that was opened a while ago and is about to post.

    The token is that of the log-in of now: logging in has made the page's own token void.
    """
    result = get_object_or_404(RESULTS, pk=pk)
    if not request.user.has_perm("research.view_researchresult"):
        raise PermissionDenied
    return JsonResponse(
        {
            "about": str(result.pk),
            "digest": result.digest,
            "state": result.state,
            "person": request.user.pk,
            "name": request.user.get_username(),
            "token": get_token(request),
        }
    )


class _Gate:
    """One request to the page of one result."""

    def __init__(self, request: HttpRequest, result: ResearchResult, site: AdminSite) -> None:
        self.request, self.result, self.site = request, result, site
        self.person = cast("AbstractUser", request.user)
        self.schema = definition_of(result.run.macro).schema
        self.draft = drafts_of(about=result, person=self.person).first()
        self.not_kept: DraftNotKept | None = None

    def get(self) -> HttpResponse:
        submission = self._stored()
        if self.draft and self.draft.digest == self.result.digest and self._page(submission).editable:
            submission = read_submission(self.result, self.schema, self.draft.typed)
        if parts := self.request.GET.getlist("part"):
            submission.post = {**submission.post, **{PART + key: "1" for key in parts}}
        if self.request.GET.get("tab") == RAW:
            whole = submission.data if submission.edits else submission.document
            submission.tab, submission.raw = RAW, pretty_json(whole)
        return self._render(self._page(submission))

    def post(self) -> HttpResponse:
        action = self.request.POST.get("action", "preview")
        handlers: dict[str, Callable[[], HttpResponse]] = {
            "confirm": self._confirm,
            "approve": self._approve,
            "reject": self._reject,
            "rerun": self._rerun,
            "execute": self._execute,
            "show": self._show,
        }
        if action == "forget":
            discard_drafts(about=self.result, person=self.person)
            return self._back()
        if action not in ("execute", "show"):
            self._keep()
        if action != "execute" and self._is_stale():
            return self._out_of_date()
        try:
            if action != "execute":
                require_decider(self.person, self.result)
                self._refuse_stranger()
            return handlers.get(action, self._preview)()
        except (StaleDigest, InvalidTransition) as refusal:
            self.result.refresh_from_db()
            return self._out_of_date(refusal.message)
        except DossierError as refusal:
            return self._refused(refusal, action)

    def _keep(self) -> None:
        """Keep what was typed, whatever becomes of the request; who may not decide has nothing to keep."""
        revision, seen = self.request.POST.get("draft", ""), self._digest()
        if self._stranger or len(seen) != len(self.result.digest):
            return
        try:
            keep_draft(
                about=self.result,
                person=self.person,
                digest=seen,
                typed=typed(self.submitted),
                revision=int(revision) if revision.isascii() and revision.isdigit() else 0,
                window=self.request.POST.get("window", ""),
            )
        except DraftNotKept as refusal:
            self.not_kept = refusal
        except NotPermitted:
            return
        self.draft = drafts_of(about=self.result, person=self.person).first()

    @property
    def _stranger(self) -> bool:
        """Whether the page was shown to somebody else, who has logged out since."""
        return self.request.POST.get("person", str(self.person.pk)) != str(self.person.pk)

    def _refuse_stranger(self) -> None:
        if self._stranger:
            raise StaleDigest(f"Somebody else opened this page; you are {self.person.get_username()}.")

    def _preview(self) -> HttpResponse:
        page = self._previewed(self.submitted)
        return self._render(page)

    def _show(self) -> HttpResponse:
        """One part of a long form, for the page that asks for it in the background."""
        page = self._page(self.submitted)
        asked = page.form.asked_for()
        if asked is None:
            return self._render(page, 404, "admin/research/researchresult/gate/fragment.html")
        _, piece = asked
        piece.fresh = True
        fragment = "admin/research/researchresult/gate/fragment.html"
        return self._render(page, 200, fragment, piece=piece)

    def _confirm(self) -> HttpResponse:
        """The last look before signing: every edit, every failed check of the edited data, the verbs."""
        page = self._previewed(self.submitted, always=True)
        page.confirming = not page.problems
        if not page.confirming:
            page.alerts.append("This cannot be approved yet; see what is marked below.")
        return self._render(page, 200 if page.confirming else 422)

    def _approve(self) -> HttpResponse:
        submission = self.submitted
        if submission.errors:
            raise InvalidEdit(submission.errors)
        if step_up_is_due(self.request):  # what was typed is kept as a draft
            return ask_again(self.request, review_url(self.result))
        if self.request.POST.get("confirmed") != digest(submission.data):
            return self._confirm()
        decision = approve_result(
            result=self.result,
            reviewer=self.person,
            digest=self._digest(),
            edits=submission.edits,
            reason=self.request.POST.get("reason", ""),
            shown=self._page(submission).shown,
        )
        count = len(decision.edits)
        self._say(
            f"Approved with {count} edit{'s' * (count != 1)}." if count else "Approved as it was found."
        )
        if self.request.POST.get("execute") and self.person.has_perm(EXECUTE):
            return self._execute()
        return self._back()

    def _reject(self) -> HttpResponse:
        reason = self.request.POST.get("reject_reason", "")
        reject_result(result=self.result, reviewer=self.person, digest=self._digest(), reason=reason)
        self._say("Rejected. The reason is kept with the decision.")
        return self._back()

    def _rerun(self) -> HttpResponse:
        feedback = self.request.POST.get("feedback", "")
        request_changes(result=self.result, reviewer=self.person, digest=self._digest(), feedback=feedback)
        self._say("Sent back. A new run has started; its result will wait here for review.")
        return self._back()

    def _execute(self) -> HttpResponse:
        decision = (
            Decision.objects.select_related("result__run", "reviewer").filter(result=self.result).first()
        )
        if decision is None:
            raise InvalidTransition("Nobody has approved this result yet.")
        if self.result.run.register in ("live", "gleif") and decision.verb_calls.count() > MAX_INLINE_VERBS:
            enqueue_execution(decision=decision, actor=self.person)
            self._say("A worker is executing the verbs; reload to see how far it is.")
            return self._back()
        calls = execute_verbs(decision=decision, actor=self.person)
        done = sum(call.state == "succeeded" for call in calls)
        say = messages.success if done == len(calls) else messages.warning
        say(self.request, f"{done} of {len(calls)} verbs have been executed.")
        return self._back()

    def _refused(self, refusal: DossierError, action: str) -> HttpResponse:
        """The page once more, with the edits in it and the reason at the top."""
        if isinstance(refusal, NotPermitted):
            page = self._page(self._stored())
            page.alerts.append(refusal.message)
            return self._render(page, 403)
        page = self._previewed(self.submitted, always=action == "approve")
        if isinstance(refusal, ReasonRequired) and action == "approve":
            page.confirming = True
        elif isinstance(refusal, ReasonRequired):
            page.open_panel = action
        page.alerts.append(refusal.message)
        return self._render(page, 422)

    def _is_stale(self) -> bool:
        return self._digest() != self.result.digest or self.result.state != ResultState.PENDING_REVIEW

    def _out_of_date(self, message: str = "") -> HttpResponse:
        """409: what changed meanwhile, and the person's own edits so that they are not lost."""
        submission = self.submitted
        rows = [
            row for row in submission.rows if row.kind == "leaf" and SHOWN + row.pointer in self.request.POST
        ]
        texts = [(row, self.request.POST[SHOWN + row.pointer].replace("\r\n", "\n")) for row in rows]
        page = self._page(submission)
        context = {
            "message": message,
            "seen": self._digest(),
            "moved": [(row, text) for row, text in texts if text != row.shown.replace("\r\n", "\n")],
            "own": changes(self.result.data, submission.edits, submission.rows),
            "own_text": pretty_json(submission.edits),
            "title": "This page is out of date",
        }
        return self._render(page, 409, "admin/research/researchresult/stale.html", **context)

    def _digest(self) -> str:
        return self.request.POST.get("digest", "")

    @cached_property
    def submitted(self) -> Submission:
        """What was posted; a note for which the page has no field open is that of the draft."""
        draft = self.draft.typed if self.draft and self.draft.digest == self._digest() else {}
        kept = {name: draft[name] for name in ("reason",) if name in draft}
        return read_submission(self.result, self.schema, {**kept, **self.request.POST.dict()})

    def _stored(self) -> Submission:
        """The document as it stands: approved data once there are some."""
        decision = Decision.objects.filter(result=self.result).first()
        approved = decision.data if decision else None
        return untouched(self.result, self.schema, approved)

    def _previewed(self, submission: Submission, *, always: bool = False) -> Page:
        preview: Preview | None = None
        if submission.edits or always:
            try:
                preview = preview_edits(result=self.result, edits=submission.edits)
            except InvalidEdit as refusal:
                submission.errors = {**refusal.errors, **submission.errors}
        return self._page(submission, preview)

    def _page(self, submission: Submission, preview: Preview | None = None) -> Page:
        return Page(self.result, self.person, submission, preview, draft=self.draft, not_kept=self.not_kept)

    def _say(self, sentence: str) -> None:
        messages.success(self.request, sentence)

    def _back(self) -> HttpResponse:
        return HttpResponseRedirect(review_url(self.result))

    def _render(
        self,
        page: Page,
        status: int = 200,
        template: str = "admin/research/researchresult/review.html",
        **more: Any,
    ) -> HttpResponse:
        context: JsonObject = {
            **self.site.each_context(self.request),
            "title": self.result.run.title,
            "seal": seal(self.person, self.result),
            "opts": ResearchResult._meta,
            "is_nav_sidebar_enabled": False,
            "page": page,
            "answers": self.request.POST.get("asked", "")[:20],
            "result": self.result,
            "run": self.result.run,
            **more,
        }
        return TemplateResponse(self.request, template, context, status=status)
