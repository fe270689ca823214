"""The page on which a person takes back what an approved result wrote: first what that would do, then the reason."""

from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.http import require_http_methods

from research.admin.gate.history import review_url
from research.admin.gate.taken import Told, told_of
from research.errors import InvalidTransition, NotPermitted, ReasonRequired, StaleDigest
from research.models import ResearchResult
from research.services.access import Person
from research.services.rollback import RollbackPlan, preview_rollback, roll_back_verbs

RESULTS = ResearchResult.objects.select_related("run__macro")


@require_http_methods(["GET", "HEAD", "POST"])
def take_back(request: HttpRequest, pk: UUID, *, site: AdminSite) -> HttpResponse:
    """Show what would be taken back, or take it back for the reason given."""
    if not request.user.has_perm("research.view_researchresult"):
        raise PermissionDenied
    result, person = get_object_or_404(RESULTS, pk=pk), cast(Person, request.user)
    try:
        if request.method != "POST":
            return _render(request, site, preview_rollback(result=result, actor=person))
        return _taken_back(request, site, result, person)
    except NotPermitted as refusal:
        raise PermissionDenied(refusal.message) from None
    except InvalidTransition as refusal:
        messages.error(request, refusal.message)
        return HttpResponseRedirect(review_url(result))


def _taken_back(
    request: HttpRequest, site: AdminSite, result: ResearchResult, person: Person
) -> HttpResponse:
    reason, digest = request.POST.get("reason", ""), request.POST.get("digest", "")
    try:
        done = roll_back_verbs(result=result, actor=person, reason=reason, digest=digest or "none was seen")
    except ReasonRequired as refusal:
        plan = preview_rollback(result=result, actor=person)
        return _render(request, site, plan, 422, error=refusal.message)
    except StaleDigest as refusal:
        plan = preview_rollback(result=result, actor=person)
        return _render(request, site, plan, 409, stale=refusal.message, reason=reason)
    messages.success(request, _sentence(told_of(done)))
    return HttpResponseRedirect(review_url(result))


def _sentence(told: Told) -> str:
    kept = f"; {told.kept_count} {'were' if told.kept_count > 1 else 'was'} kept" * bool(told.kept_count)
    count = told.taken_count
    return f"{count} fact{'s' * (count != 1)} {'were' if count != 1 else 'was'} taken back{kept}."


def _render(
    request: HttpRequest, site: AdminSite, plan: RollbackPlan, status: int = 200, **more: Any
) -> HttpResponse:
    result = plan.decision.result
    context = {
        **site.each_context(request),
        "title": f"Take back: {result.run.title}",
        "opts": ResearchResult._meta,
        "is_nav_sidebar_enabled": False,
        "result": result,
        "run": result.run,
        "plan": plan,
        "told": Told(plan.counts, [step.as_json() for step in plan.steps]),
        "back": review_url(result),
        **more,
    }
    template = "admin/research/researchresult/take_back.html"
    return TemplateResponse(request, template, context, status=status)
