"""The REST paths of research, below ``/api/v1/``."""

from django.urls import path

from research.api import (
    documents,
    enriching,
    events,
    macros,
    memos,
    results,
    runs,
    sessions,
    spending,
    tokens,
    watches,
)

urlpatterns = [
    path("macros", macros.MacroList.as_view(), name="api-macros"),
    path("macros/<str:name>", macros.MacroDetail.as_view(), name="api-macro"),
    path("runs", runs.RunList.as_view(), name="api-runs"),
    path("runs/<uuid:pk>", runs.RunDetail.as_view(), name="api-run"),
    path("runs/<uuid:pk>/steps", runs.RunSteps.as_view(), name="api-run-steps"),
    path("runs/<uuid:pk>/events", events.RunEvents.as_view(), name="api-run-events"),
    path("runs/<uuid:pk>/confirm", runs.ConfirmRun.as_view(), name="api-run-confirm"),
    path("runs/<uuid:pk>/cancel", runs.CancelRun.as_view(), name="api-run-cancel"),
    path("runs/<uuid:pk>/resume", runs.ResumeRun.as_view(), name="api-run-resume"),
    path("results", results.ResultList.as_view(), name="api-results"),
    path("results/<uuid:pk>", results.ResultDetail.as_view(), name="api-result"),
    path("results/<uuid:pk>/approve", results.ApproveResult.as_view(), name="api-result-approve"),
    path("results/<uuid:pk>/reject", results.RejectResult.as_view(), name="api-result-reject"),
    path("results/<uuid:pk>/rerun", results.RerunResult.as_view(), name="api-result-rerun"),
    path("results/<uuid:pk>/verbs", results.ResultVerbs.as_view(), name="api-result-verbs"),
    path("results/<uuid:pk>/execute", results.ExecuteResult.as_view(), name="api-result-execute"),
    path("results/<uuid:pk>/memo", memos.ResultMemo.as_view(), name="api-result-memo"),
    path("entities/enrich", enriching.Enrich.as_view(), name="api-entities-enrich"),
    path("documents", documents.DocumentList.as_view(), name="api-documents"),
    path("documents/<int:pk>", documents.DocumentDetail.as_view(), name="api-document"),
    path("sessions", sessions.SessionList.as_view(), name="api-sessions"),
    path("sessions/<uuid:pk>", sessions.SessionDetail.as_view(), name="api-session"),
    path("watches", watches.WatchList.as_view(), name="api-watches"),
    path("watches/<int:pk>", watches.WatchDetail.as_view(), name="api-watch"),
    path("watches/<int:pk>/refresh", watches.RefreshWatch.as_view(), name="api-watch-refresh"),
    path("spending", spending.Spending.as_view(), name="api-spending"),
    path("tokens", tokens.TokenList.as_view(), name="api-tokens"),
    path("tokens/current", tokens.CurrentToken.as_view(), name="api-token-current"),
]
