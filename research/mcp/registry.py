"""The tools that macros have, for agents: registers, markets, entity memory, the archive, citations.

Those of the loop alone are left out, and those that cost money or go out to the web: outside of a run nothing
reserves the money and no journal keeps what was read. ``research_execute`` starts a run that may use them.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial

from django.conf import settings

import research.tools  # noqa: F401 - importing it fills the registry
from entities.gleif.register import open_register
from entities.memory import ADD, ADD_FORM, ADD_RESEARCH
from entities.memory.people import as_seen_by
from entities.models import LookHow
from research.browsing.walks import Owner
from research.jsontext import JsonObject
from research.mcp.offer import Offer
from research.services.access import START, Person
from research.tools.tool import COMPLETE, REGISTRY, THINK, Tool, ToolContext, free, run_tool

OF_THE_LOOP = frozenset((THINK, COMPLETE, "web_search", "extract_content", "extract_pdf"))
VIEW = "entities.view_entity"
PERMISSIONS = {
    "archive_search": "research.view_document",
    "owners_table": "research.view_document",
    "research_open": START,
    "research_menu": START,
    "research_choose": START,
    "research_navigate": START,
    "research_doc_get": "research.view_document",
    "research_search": "research.view_document",
    "research_external_links": START,
    "check_research_freshness": "entities.view_entityresearch",
    "get_cached_research": "entities.view_entityresearch",
    "query_entity_timeline": "entities.view_entityevent",
    "get_entity_representations": "entities.view_representation",
    "get_related_entities": "entities.view_relationship",
    "get_entity_facts": "entities.view_statement",
    "screen_entity": "entities.view_screeninghit",
    "create_entity": ADD,
    "add_representation": ADD_FORM,
    "deactivate_representation": ADD_FORM,
    "store_research_results": ADD_RESEARCH,
    "invalidate_research": ADD_RESEARCH,
}
"""What needs another permission than to see entities; what writes and is not named here is not offered."""


def from_registry() -> Iterator[Offer]:
    """Every tool that can work as this installation is set up."""
    for name, known in REGISTRY.items():
        if name in OF_THE_LOOP or known.cost is not free or not known.available():
            continue
        writes = known.effect == "write"
        if not writes or name in PERMISSIONS:
            run = partial(_run, known)
            yield Offer(
                name, known.description, known.parameters, (PERMISSIONS.get(name, VIEW),), run, writes=writes
            )


def _run(known: Tool, arguments: JsonObject, person: Person) -> JsonObject:
    with nullcontext() if known.effect == "write" else as_seen_by(person, LookHow.AGENT):
        context = ToolContext(open_register(settings.DOSSIER_REGISTER), owner=Owner(person_id=person.pk))
        return run_tool(known, arguments, context)
