"""Panels that other apps put on the page of an entity.

Entities know nothing of research: whoever has something to show about an entity adds a panel when the program starts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from entities.models import Entity

Context: TypeAlias = Callable[[HttpRequest, Entity], dict[str, Any] | None]


@dataclass(frozen=True)
class Panel:
    """A part of the page: ``context`` fills ``template``, or gives None where there is nothing for this person."""

    name: str
    title: str
    template: str
    context: Context


_PANELS: dict[str, Panel] = {}


def add_panel(panel: Panel) -> None:
    """Show this panel from now on; one of the same name is replaced."""
    _PANELS[panel.name] = panel


def panels_of(request: HttpRequest, entity: Entity) -> list[tuple[Panel, SafeString]]:
    """The panels that have something to show to this person, with their HTML."""
    shown = []
    for panel in _PANELS.values():
        context = panel.context(request, entity)
        if context is not None:
            shown.append((panel, render_to_string(panel.template, context, request)))
    return shown
