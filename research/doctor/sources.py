"""One question to each search provider, market source, and place where the law is published.

Each is asked at a pace of its own, so that what was asked before does not count.
"""

from collections.abc import Callable
from functools import partial

from django.conf import settings
from django.utils import timezone

from citations.sources.arxiv import Arxiv
from citations.sources.crossref import Crossref
from citations.sources.entscheidsuche import Entscheidsuche
from citations.sources.fedlex import Fedlex
from citations.sources.onlinekommentar import Onlinekommentar
from common.outside.client import Client, Traffic
from entities.markets.birdeye import Birdeye
from entities.markets.helius import Helius
from entities.markets.jupiter import Jupiter
from entities.markets.rugcheck import Rugcheck
from entities.markets.sources import open_sources
from entities.markets.x import X
from research.doctor.source_questions import ATTEMPT, Question
from research.web.search import setup as search

USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
PAPER, DOI, ACT = "1706.03762", "10.1038/171737a0", "151.1"

_HIT = "{0}[].url: text\n{0}[].title: text\n{0}[].{1}: text"
_WORKS = """
results[].id: text
results[].display_name: text
results[].publication_date: text
results[].authorships: list
"""
SEARCH = {
    "tavily": _HIT.format("results", "content"),
    "brave": _HIT.format("web.results", "description"),
    "google": "items[].link: text\nitems[].title: text\nitems[].snippet: text",
    "perplexity": _HIT.format("results", "snippet"),
    "searxng": _HIT.format("results", "content"),
    "semantic_scholar": "data[].title: text\ndata[].externalIds: object\ndata[].authors[].name: text",
    "openalex": _WORKS,
    "crossref": "message.items[].DOI: text\nmessage.items[].title[]: text\nmessage.items[].issued.date-parts: list",
}
HELIUS = """
result.id: text
result.content.metadata.name: text
result.mutable: flag
result.token_info.symbol: text
result.token_info.supply: number
result.token_info.decimals: number
result.token_info.token_program: text
"""
JUPITER = """
[].id: text
[].name: text
[].symbol: text
[].decimals: number
[].isVerified: flag
[].audit: object
"""
BIRDEYE = """
success: flag
data.value: number
data.updateUnixTime: number
data.liquidity: number
"""
RUGCHECK = """
mint: text
score: number
score_normalised: number
risks: list
token.mintAuthority: text|null
token.freezeAuthority: text|null
topHolders[].owner: text
topHolders[].pct: number
totalHolders: number
totalMarketLiquidity: number
"""
POSTS = "meta.result_count: number"
MARKETS = {"helius": HELIUS, "jupiter": JUPITER, "birdeye": BIRDEYE, "rugcheck": RUGCHECK, "x": POSTS}
DECISIONS = """
_shards: object
hits.total.value: number
hits.hits[]._id: text
hits.hits[]._source.date: text
hits.hits[]._source.hierarchy[]: text
hits.hits[]._source.reference[]: text
hits.hits[]._source.title: object
hits.hits[]._source.attachment.content: text
hits.hits[]._source.attachment.content_url: text
hits.hits[]._source.attachment.language: text
"""
VERSIONS = """
results.bindings[].work.value: text
results.bindings[].date.value: text
results.bindings[].title.value: text
results.bindings[].file.value: text
"""
COMMENTARIES = """
data[].id: text
data[].title: text
data[].date: text
data[].language: text
data[].authors: list
data[].legislative_act.title: text
data[].html_link: text
"""
WORK = """
message.DOI: text
message.title[]: text
message.issued.date-parts: list
"""


def questions() -> list[Question]:
    return [
        *(_provider(name) for name in search.NAMES if name != "archive"),
        *(_market(source) for source in open_sources(Traffic()).values()),
        *_law(),
    ]


def _provider(name: str) -> Question:
    asked = name in search.order()
    off = "" if asked or search.missing(name) else f"Name {name} in DOSSIER_SEARCH."
    needs = search.NEEDS.get(name, ("DOSSIER_SEARCH",))
    return Question("Search", name, partial(_search, name), (SEARCH[name],), needs, search.missing(name), off)


def _search(name: str) -> str:
    words = "Allianz SE" if name in search.WEB else "consolidation of accounts"
    found = search.MAKERS[name]().search(words, 3, seconds=ATTEMPT)
    return "" if any(hit.url and hit.title for hit in found) else "no hit has an address and a title"


def _market(source: Client) -> Question:
    keys = tuple(f"{source.name.upper()}_{end}" for end in ("API_KEY", "BEARER_TOKEN"))
    needs = tuple(key for key in keys if getattr(settings, key, ""))
    ask = partial(_MARKETS[source.name], source)
    return Question("Markets", source.name, ask, (MARKETS[source.name],), needs, source.missing)


def _helius(source: Client) -> str:
    return "" if Helius(source).token(USDC).decimals is not None else "the token has no decimals"


def _jupiter(source: Client) -> str:
    return "" if Jupiter(source).token(USDC).decimals is not None else "the token has no decimals"


def _birdeye(source: Client) -> str:
    Birdeye(source).price(USDC)
    return ""


def _rugcheck(source: Client) -> str:
    Rugcheck(source).report(USDC)
    return ""


def _x(source: Client) -> str:
    """A question that finds next to nothing: every post that comes counts against a quota."""
    X(source).posts("from:XDevelopers -is:reply", timezone.now())
    return ""


_MARKETS = {"helius": _helius, "jupiter": _jupiter, "birdeye": _birdeye, "rugcheck": _rugcheck, "x": _x}


def _law() -> list[Question]:
    asked: list[tuple[str, str, Callable[[], str], tuple[str, ...]]] = [
        ("entscheidsuche", "ENTSCHEIDSUCHE_BASE_URL", _decisions, (DECISIONS,)),
        ("fedlex", "FEDLEX_BASE_URL", _article, (VERSIONS, "")),
        ("onlinekommentar", "ONLINEKOMMENTAR_BASE_URL", _commentaries, (COMMENTARIES,)),
        ("arxiv", "ARXIV_BASE_URL", _paper, ()),
        ("crossref", "CROSSREF_BASE_URL", _doi, (WORK,)),
    ]
    return [
        Question("Law", name, ask, shapes, missing=() if getattr(settings, setting) else (setting,))
        for name, setting, ask, shapes in asked
    ]


def _decisions() -> str:
    found = Entscheidsuche(settings.ENTSCHEIDSUCHE_BASE_URL, traffic=Traffic()).search("Mietzins", limit=3)
    return "" if found.decisions else "no decision about rents was found"


def _article() -> str:
    """The version in force of a short act, and its first article out of the page that it names."""
    found = Fedlex(settings.FEDLEX_BASE_URL, traffic=Traffic()).article(
        ACT, "1", language="de", today=timezone.localdate()
    )
    return "" if found and found.text else f"article 1 of SR {ACT} was not found"


def _commentaries() -> str:
    found = Onlinekommentar(settings.ONLINEKOMMENTAR_BASE_URL, traffic=Traffic()).search(
        "Bundesverfassung", limit=3
    )
    return "" if found else "no commentary on the constitution was found"


def _paper() -> str:
    work = Arxiv(settings.ARXIV_BASE_URL, traffic=Traffic()).work(PAPER)
    if work is None:
        return f"feed.entry.id of {PAPER} is missing"
    lacking = [name for name, value in (("title", work.title), ("published", work.year)) if not value]
    return f"feed.entry.{lacking[0]} is missing" if lacking else ""


def _doi() -> str:
    work = Crossref(settings.CROSSREF_BASE_URL, settings.CROSSREF_MAILTO, traffic=Traffic()).work(DOI)
    return "" if work else f"it does not know the DOI {DOI}"
