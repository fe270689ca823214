"""The REST paths of entities, below ``/api/v1/``."""

from django.urls import path

from entities.api import views

urlpatterns = [
    path("entities", views.EntityList.as_view(), name="api-entities"),
    path("entities/resolve", views.Resolve.as_view(), name="api-entity-resolve"),
    path("entities/<slug:slug>", views.EntityDetail.as_view(), name="api-entity"),
    path("entities/<slug:slug>/timeline", views.Timeline.as_view(), name="api-entity-timeline"),
    path("entities/<slug:slug>/representations", views.Representations.as_view(), name="api-entity-forms"),
    path("entities/<slug:slug>/research", views.Research.as_view(), name="api-entity-research"),
    path("leis/check", views.LeiCheck.as_view(), name="api-lei-check"),
    path("leis/<str:lei>", views.LeiRecord.as_view(), name="api-lei"),
]
