"""The REST paths of entities, below ``/api/v1/``."""

from django.urls import path

from entities.api import anomalies, owners, pairs, registers, screening, statements, views, writes

urlpatterns = [
    path("entities", writes.Entities.as_view(), name="api-entities"),
    path("entities/resolve", views.Resolve.as_view(), name="api-entity-resolve"),
    path("pairs", pairs.PairList.as_view(), name="api-pairs"),
    path("pairs/<uuid:pk>", pairs.PairDetail.as_view(), name="api-pair"),
    path("pairs/<uuid:pk>/judgement", pairs.PairJudgement.as_view(), name="api-pair-judgement"),
    path("entities/<slug:slug>", views.EntityDetail.as_view(), name="api-entity"),
    path("entities/<slug:slug>/timeline", views.Timeline.as_view(), name="api-entity-timeline"),
    path("entities/<slug:slug>/representations", writes.Forms.as_view(), name="api-entity-forms"),
    path("representations/<uuid:pk>/deactivate", writes.FormEnd.as_view(), name="api-form-end"),
    path("entities/<slug:slug>/research", writes.Findings.as_view(), name="api-entity-research"),
    path(
        "entities/<slug:slug>/research/invalidate",
        writes.FindingsEnd.as_view(),
        name="api-entity-research-end",
    ),
    path(
        "entities/<slug:slug>/selections", registers.EntitySelections.as_view(), name="api-entity-selections"
    ),
    path("registers", registers.RegisterList.as_view(), name="api-registers"),
    path(
        "registers/<slug:register>/candidates",
        registers.RegisterCandidates.as_view(),
        name="api-register-candidates",
    ),
    path(
        "registers/<slug:register>/companies/<str:number>",
        registers.RegisterRecord.as_view(),
        name="api-register-record",
    ),
    path("selections", registers.SelectionList.as_view(), name="api-selections"),
    path("selections/<uuid:pk>", registers.SelectionDetail.as_view(), name="api-selection"),
    path(
        "selections/<uuid:pk>/correction",
        registers.SelectionCorrection.as_view(),
        name="api-selection-correction",
    ),
    path("entities/<slug:slug>/related", views.Related.as_view(), name="api-entity-related"),
    path("entities/<slug:slug>/facts", statements.Facts.as_view(), name="api-entity-facts"),
    path("entities/<slug:slug>/statements", statements.Statements.as_view(), name="api-entity-statements"),
    path("statements/<int:pk>/reasons", statements.Reasons.as_view(), name="api-statement-reasons"),
    path("entities/<slug:slug>/owners", owners.Owners.as_view(), name="api-entity-owners"),
    path("entities/<slug:slug>/freshness", views.Freshness.as_view(), name="api-entity-freshness"),
    path(
        "entities/<slug:slug>/screenings", screening.EntityScreenings.as_view(), name="api-entity-screenings"
    ),
    path("screening", screening.ScreenName.as_view(), name="api-screening"),
    path("screening/lists", screening.ListsView.as_view(), name="api-screening-lists"),
    path("screening/hits", screening.HitList.as_view(), name="api-screening-hits"),
    path("screening/hits/<uuid:pk>", screening.HitDetail.as_view(), name="api-screening-hit"),
    path("screening/hits/<uuid:pk>/decision", screening.HitDecision.as_view(), name="api-screening-decision"),
    path("entities/<slug:slug>/export", writes.Export.as_view(), name="api-entity-export"),
    path("anomalies", anomalies.AnomalyList.as_view(), name="api-anomalies"),
    path("anomalies/<uuid:pk>", anomalies.AnomalyDetail.as_view(), name="api-anomaly"),
    path(
        "anomalies/<uuid:pk>/assignment",
        anomalies.AnomalyAssignment.as_view(),
        name="api-anomaly-assignment",
    ),
    path("anomalies/<uuid:pk>/decision", anomalies.AnomalyDecision.as_view(), name="api-anomaly-decision"),
    path("leis", views.LeiSearch.as_view(), name="api-lei-search"),
    path("leis/check", views.LeiCheck.as_view(), name="api-lei-check"),
    path("leis/<str:lei>", views.LeiRecord.as_view(), name="api-lei"),
]
