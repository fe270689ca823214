"""Which providers there are, which of them this installation has set up, and in which order they are asked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.conf import settings

from research.web.search.archive import Archive, ArchiveSearch
from research.web.search.base import Provider
from research.web.search.brave import Brave
from research.web.search.crossref import Crossref
from research.web.search.google import Google
from research.web.search.openalex import OpenAlex
from research.web.search.perplexity import Perplexity
from research.web.search.searxng import Searxng
from research.web.search.semantic_scholar import SemanticScholar
from research.web.search.tavily import Tavily

WEB = ("tavily", "brave", "google", "perplexity", "searxng")
SCHOLARLY = ("semantic_scholar", "openalex", "crossref")
NAMES = (*WEB, *SCHOLARLY, "archive")

# What must be set before a provider can be asked; the scholarly ones are asked only when DOSSIER_SEARCH names them.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "tavily": ("TAVILY_API_KEY",),
    "brave": ("BRAVE_SEARCH_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GOOGLE_CSE_ID"),
    "perplexity": ("PERPLEXITY_API_KEY",),
    "searxng": ("SEARXNG_BASE_URL",),
    "crossref": ("CROSSREF_MAILTO",),
}
BILLED = ("tavily", "brave", "google", "perplexity")  # by the search: without a price its cost is unknown
HOW_TO = (
    "No search provider is set up, so the web was not searched. Set TAVILY_API_KEY, BRAVE_SEARCH_API_KEY, "
    "GOOGLE_API_KEY with GOOGLE_CSE_ID, PERPLEXITY_API_KEY or SEARXNG_BASE_URL; DOSSIER_SEARCH sets the order and may "
    "add semantic_scholar, openalex, crossref and archive."
)


@dataclass(frozen=True)
class Status:
    """One provider as the operator would want to see it; ``missing`` names settings, never their values. ``place`` is
    its turn, from 1; 0 when it is not asked."""

    name: str
    place: int
    missing: tuple[str, ...]
    known: bool = True


def order() -> tuple[str, ...]:
    """The names to ask in turn: ``DOSSIER_SEARCH``, else the web providers that are set up, then the archive."""
    named = tuple(dict.fromkeys(name.lower() for name in settings.DOSSIER_SEARCH))
    return named or tuple(name for name in (*WEB, "archive") if not missing(name))


def missing(name: str) -> tuple[str, ...]:
    """The settings that ``name`` still needs."""
    return tuple(need for need in NEEDS.get(name, ()) if not getattr(settings, need))


def providers(archive: ArchiveSearch | None = None, names: Sequence[str] | None = None) -> list[Provider]:
    """The providers to ask in turn: those of ``order``, or of ``names`` if a caller chooses.

    What is not set up or not known is left out, and so is the archive when no search of it is given.
    """
    makers = dict(MAKERS)
    if archive:
        makers["archive"] = partial(Archive, archive)
    chosen = dict.fromkeys(order() if names is None else names)
    return [makers[name]() for name in chosen if name in makers and not missing(name)]


def statuses() -> list[Status]:
    """All providers, those that are asked first; then names in ``DOSSIER_SEARCH`` that nothing answers to."""
    turn = [name for name in order() if name in NAMES and not missing(name)]
    known = [
        Status(name, turn.index(name) + 1 if name in turn else 0, missing(name))
        for name in sorted(NAMES, key=lambda name: turn.index(name) if name in turn else len(NAMES))
    ]
    return known + [Status(name, 0, (), known=False) for name in order() if name not in NAMES]


MAKERS: Mapping[str, Callable[[], Provider]] = {
    "tavily": lambda: Tavily(settings.TAVILY_BASE_URL, settings.TAVILY_API_KEY),
    "brave": lambda: Brave(settings.BRAVE_BASE_URL, settings.BRAVE_SEARCH_API_KEY),
    "google": lambda: Google(settings.GOOGLE_BASE_URL, settings.GOOGLE_API_KEY, settings.GOOGLE_CSE_ID),
    "perplexity": lambda: Perplexity(settings.PERPLEXITY_BASE_URL, settings.PERPLEXITY_API_KEY),
    "searxng": lambda: Searxng(settings.SEARXNG_BASE_URL),
    "semantic_scholar": lambda: SemanticScholar(
        settings.SEMANTIC_SCHOLAR_BASE_URL, settings.SEMANTIC_SCHOLAR_API_KEY
    ),
    "openalex": lambda: OpenAlex(settings.OPENALEX_BASE_URL, settings.OPENALEX_API_KEY),
    "crossref": lambda: Crossref(settings.CROSSREF_BASE_URL, settings.CROSSREF_MAILTO),
}
