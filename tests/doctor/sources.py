"""Every source on one local server, each below a path of its own, answering the question that doctor asks it."""

from collections.abc import Callable
from typing import Any

from django.test import override_settings

from entities.gleif.register import demo_register
from research.doctor import registers, sources
from tests.court_server import _answer, hit
from tests.entities.markets.market import GOOD, KEYS
from tests.entities.registers import doubles
from tests.entities.registers.fake import Fake, Question, Reply
from tests.law_servers import PAGE, _record
from tests.registry_server import ENTRY, FEED
from tests.web.search.shapes import SHAPES

ACT = "https://fedlex.data.admin.ch/eli/cc/1996/1498"
FILE = "https://fedlex.data.admin.ch/filestore/act.html"
SET_UP = {
    **KEYS,
    "GLEIF_BASE_URL": "/gleif",
    "GOLDEN_COPY_BASE_URL": "/golden",
    "COMPANIES_HOUSE_BASE_URL": "/companies_house",
    "SEC_EDGAR_BASE_URL": "/edgar",
    "SEC_EDGAR_FILES_URL": "/edgar",
    "FCA_BASE_URL": "/fca",
    "FINMA_BASE_URL": "/finma",
    "ZEFIX_BASE_URL": "/zefix",
    "LINDAS_BASE_URL": "/lindas",
    **{f"{name.upper()}_BASE_URL": f"/{name}" for name in (*sources.SEARCH, *sources.MARKETS)},
    "ENTSCHEIDSUCHE_BASE_URL": "/entscheidsuche",
    "FEDLEX_BASE_URL": "/fedlex",
    "ONLINEKOMMENTAR_BASE_URL": "/onlinekommentar",
    "ARXIV_BASE_URL": "/arxiv",
    "COMPANIES_HOUSE_API_KEY": "key",
    "SEC_EDGAR_USER_AGENT": "Example Ltd me@example.org",
    "FCA_API_EMAIL": "me@example.org",
    "FCA_API_KEY": "key",
    "ZEFIX_USER": "me",
    "ZEFIX_PASSWORD": "key",
    **dict.fromkeys(("TAVILY_API_KEY", "BRAVE_SEARCH_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CSE_ID"), "key"),
    "PERPLEXITY_API_KEY": "key",
    "CROSSREF_MAILTO": "me@example.org",
    "DOSSIER_SEARCH": list(sources.SEARCH),
    "DOSSIER_REGISTERS": list(registers.setup.KINDS),
    "DOSSIER_REGISTER": "gleif",
}


def set_up(url: str) -> override_settings:
    """Everything that can be asked is set up, at ``url``."""
    at = {name: url + value if str(value).startswith("/") else value for name, value in SET_UP.items()}
    return override_settings(**at)


class Sources(Fake):
    """``bodies`` are the good answers by path; ``change`` may make another of each."""

    def __init__(self) -> None:
        super().__init__()
        self.bodies = {
            path: body for place in (_registers, _search, _markets, _law) for path, body in place().items()
        }
        self.change: Callable[[str, Any], object] = lambda path, body: body

    def answer(self, question: Question) -> Reply:
        self.questions.append(question)
        body = self.bodies.get(question.path)
        if body is None:
            return Reply({"error": f"nobody asks for {question.path}"}, 404)
        given = self.change(question.path, body)
        return given if isinstance(given, Reply) else Reply(given)


def _registers() -> dict[str, Any]:
    demo = demo_register()._client
    parent = f"lei-records/{registers.ITS_FUNDS}/direct-parent-relationship"
    edgar = {
        "cik": "0000320193",
        "name": "Example Inc.",
        "entityType": "operating",
        "stateOfIncorporation": "CA",
        "formerNames": [],
        "filings": {"recent": {"form": ["10-K"], "filingDate": ["2026-02-20"]}},
    }
    file = {
        "publish_date": "2026-11-20 08:00:00",
        "full_file": {"csv": {"url": "https://example.org/file.zip"}},
    }
    row = {**doubles._row("UBS SA"), "uid": {"type": "literal", "value": "CHE101329561"}}
    return {
        "/gleif/lei-records": demo.get("lei-records", {"filter[lei]": registers.ALLIANZ}),
        f"/gleif/{parent}": demo.get(parent),
        "/gleif/fuzzycompletions": demo.get(
            "fuzzycompletions", {"field": "entity.legalName", "q": "Allianz SE"}
        ),
        "/golden/golden-copies/publishes/latest": {"data": dict.fromkeys(("lei2", "rr", "repex"), file)},
        "/companies_house/company/00445790": doubles.company("00445790", "EXAMPLE PLC"),
        "/edgar/submissions/CIK0000320193.json": edgar,
        "/fca/Firm/122702": doubles.envelope(
            "FSR-API-02-01-00", "Ok.", [doubles.firm("122702", "Example Bank Plc")]
        ),
        f"/finma{doubles.FINMA_LIST}": doubles.FINMA_CSV.replace("Laternen Bank AG", "UBS AG").encode(),
        f"/finma{doubles.FINMA_WARNINGS}": {
            "Items": [{"Title": "Dim", "Link": "/en/x", "Date": "17.05.2024"}]
        },
        "/zefix/company/uid/CHE101329561": [doubles.zefix_company("CHE101329561", "UBS AG")],
        "/lindas/query": {"results": {"bindings": [row]}},
    }


def _search() -> dict[str, Any]:
    paths = {
        "tavily": "/search",
        "brave": "/web/search",
        "google": "/customsearch/v1",
        "perplexity": "/search",
        "searxng": "/search",
        "semantic_scholar": "/paper/search",
        "openalex": "/works",
        "crossref": "/works",
    }
    return {f"/{shape.name}{paths[shape.name]}": shape.answer for shape in SHAPES if shape.name in paths}


def _markets() -> dict[str, Any]:
    return {
        "/helius": GOOD["getAsset"],
        "/jupiter/tokens/v2/search": GOOD["jupiter"],
        "/birdeye/defi/price": GOOD["price"],
        f"/rugcheck/tokens/{sources.USDC}/report": GOOD["report"],
        "/x/2/tweets/search/recent": GOOD["posts"],
    }


def _law() -> dict[str, Any]:
    cells = {"work": ACT, "date": "2025-01-01", "title": "Gleichstellungsgesetz", "file": FILE}
    row = {name: {"type": "literal", "value": value} for name, value in cells.items()}
    work = {"DOI": sources.DOI, "title": ["A paper"], "issued": {"date-parts": [[1953, 4]]}}
    return {
        "/entscheidsuche/_searchV2.php": _answer([hit("5A_1/2020", "Der Mietzins ist zu hoch.")], 1),
        "/fedlex/sparqlendpoint": {"results": {"bindings": [row]}},
        "/fedlex/filestore/act.html": PAGE.replace("art_363", "art_1").encode(),
        "/onlinekommentar/commentaries": {"data": [_record("ok-1", "Art. 8 BV", "Text.")], "meta": {}},
        "/arxiv/query": FEED.format(ENTRY.format(sources.PAPER, "A paper")).encode(),
        f"/crossref/works/{sources.DOI}": {"message": work},
    }
