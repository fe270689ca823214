"""What each provider is documented to answer with: a body with two hits, an empty one, and the hits that are read."""

from dataclasses import dataclass

from research.web.search.brave import Brave
from research.web.search.crossref import Crossref
from research.web.search.google import Google
from research.web.search.openalex import OpenAlex
from research.web.search.perplexity import Perplexity
from research.web.search.searxng import Searxng
from research.web.search.semantic_scholar import SemanticScholar
from research.web.search.tavily import Tavily

KEY = "k3y-that-nobody-may-see"


@dataclass(frozen=True)
class Shape:
    """``listed`` is where the list of results lies, to break it."""

    name: str
    make: object
    answer: dict
    empty: dict
    hits: list[dict]
    listed: tuple[str, ...]


TAVILY = Shape(
    "tavily",
    lambda url: Tavily(url, KEY),
    {
        "query": "who owns Allianz",
        "answer": None,
        "images": [],
        "results": [
            {
                "title": "Shareholder structure",
                "url": "https://www.allianz.com/en/investor_relations/share/shareholder-structure.html",
                "content": "Allianz SE shares are\n held by about 550 000 shareholders.",
                "score": 0.91,
                "raw_content": None,
                "favicon": "https://www.allianz.com/favicon.ico",
            },
            {
                "title": "Allianz in the news",
                "url": "https://news.example.com/allianz",
                "content": "A report.",
                "score": 0.4,
                "published_date": "Tue, 17 Nov 2026 09:30:00 GMT",
            },
        ],
        "response_time": 1.1,
        "request_id": "123e4567",
    },
    {"query": "q", "results": [], "response_time": 0.2},
    [
        {
            "url": "https://www.allianz.com/en/investor_relations/share/shareholder-structure.html",
            "title": "Shareholder structure",
            "snippet": "Allianz SE shares are held by about 550 000 shareholders.",
            "score": 0.91,
            "published": "",
        },
        {"url": "https://news.example.com/allianz", "score": 0.4, "published": "2026-11-17"},
    ],
    ("results",),
)

BRAVE = Shape(
    "brave",
    lambda url: Brave(url, KEY),
    {
        "type": "search",
        "query": {"original": "who owns Allianz", "more_results_available": True},
        "web": {
            "type": "search",
            "results": [
                {
                    "title": "Allianz SE &amp; its <strong>owners</strong>",
                    "url": "https://www.allianz.com/owners",
                    "description": "About <strong>550&nbsp;000</strong> shareholders.",
                    "page_age": "2026-10-02T08:00:00",
                    "age": "October 2, 2026",
                    "extra_snippets": ["Free float is 100&nbsp;%.", 7],
                    "profile": {"name": "Allianz", "long_name": "allianz.com"},
                },
                {"title": "Second", "url": "https://example.org/2", "description": "Two."},
            ],
        },
    },
    {"type": "search", "query": {"original": "q"}},
    [
        {
            "url": "https://www.allianz.com/owners",
            "title": "Allianz SE & its owners",
            "snippet": "About 550 000 shareholders.",
            "published": "2026-10-02",
            "extra": {"excerpts": ["Free float is 100 %."]},
        },
        {"url": "https://example.org/2", "snippet": "Two.", "extra": {}},
    ],
    ("web", "results"),
)

GOOGLE = Shape(
    "google",
    lambda url: Google(url, KEY, "engine-id"),
    {
        "kind": "customsearch#search",
        "searchInformation": {"totalResults": "2"},
        "items": [
            {
                "kind": "customsearch#result",
                "title": "Owners of Allianz",
                "htmlTitle": "Owners of <b>Allianz</b>",
                "link": "https://www.allianz.com/owners",
                "displayLink": "www.allianz.com",
                "snippet": "About 550 000 shareholders.",
                "pagemap": {"metatags": [{"article:published_time": "2026-03-04T10:00:00+01:00"}]},
            },
            {"title": "Second", "link": "https://example.org/2", "snippet": "Two."},
        ],
    },
    {"kind": "customsearch#search", "searchInformation": {"totalResults": "0"}},
    [
        {
            "url": "https://www.allianz.com/owners",
            "title": "Owners of Allianz",
            "snippet": "About 550 000 shareholders.",
            "published": "2026-03-04",
        },
        {"url": "https://example.org/2", "published": ""},
    ],
    ("items",),
)

PERPLEXITY = Shape(
    "perplexity",
    lambda url: Perplexity(url, KEY),
    {
        "id": "e38104d5",
        "server_time": None,
        "results": [
            {
                "title": "Owners of Allianz",
                "url": "https://www.allianz.com/owners",
                "snippet": "# Owners\n\nAbout 550 000 shareholders.",
                "date": "2025-03-20",
                "last_updated": "2026-09-19",
            },
            {
                "title": "Second",
                "url": "https://example.org/2",
                "snippet": "Two.",
                "date": None,
                "last_updated": "2026-01-05",
            },
        ],
    },
    {"id": "e38104d5", "results": []},
    [
        {
            "url": "https://www.allianz.com/owners",
            "snippet": "# Owners About 550 000 shareholders.",
            "text": "# Owners\n\nAbout 550 000 shareholders.",
            "published": "2025-03-20",
        },
        {"url": "https://example.org/2", "published": "2026-01-05"},
    ],
    ("results",),
)

SEARXNG = Shape(
    "searxng",
    Searxng,
    {
        "query": "who owns Allianz",
        "number_of_results": 0,
        "results": [
            {
                "url": "https://www.allianz.com/owners",
                "title": "Owners of Allianz",
                "content": "About 550 000 shareholders.",
                "engine": "duckduckgo",
                "engines": ["duckduckgo", "brave"],
                "score": 2.0,
                "category": "general",
                "publishedDate": "2026-02-01T00:00:00",
            },
            {
                "url": "https://example.org/2",
                "title": "Second",
                "content": "Two.",
                "score": 0.5,
                "publishedDate": None,
            },
        ],
        "answers": [],
        "suggestions": [],
        "unresponsive_engines": [["google", "CAPTCHA"]],
    },
    {"query": "q", "results": [], "unresponsive_engines": []},
    [
        {
            "url": "https://www.allianz.com/owners",
            "title": "Owners of Allianz",
            "snippet": "About 550 000 shareholders.",
            "score": 2.0,
            "published": "2026-02-01",
        },
        {"url": "https://example.org/2", "published": ""},
    ],
    ("results",),
)

SEMANTIC_SCHOLAR = Shape(
    "semantic_scholar",
    lambda url: SemanticScholar(url, KEY),
    {
        "total": 2,
        "offset": 0,
        "data": [
            {
                "paperId": "649def34f8be52c8b66281af98ae884c09aef38b",
                "externalIds": {"DOI": "10.1000/182", "ArXiv": "1805.02262"},
                "url": "https://www.semanticscholar.org/paper/649def34",
                "title": "Legal Entity Identifiers",
                "abstract": "We study <i>identifiers</i> of entities.",
                "venue": "Journal of Registers",
                "year": 2018,
                "publicationDate": "2018-05-06",
                "openAccessPdf": {"url": "https://example.org/182.pdf", "status": "GREEN"},
                "authors": [{"authorId": "1", "name": "A. Author"}, {"authorId": None, "name": None}],
                "citationCount": 4,
            },
            {
                "paperId": "f00",
                "externalIds": None,
                "url": "https://www.semanticscholar.org/paper/f00",
                "title": "No abstract",
                "abstract": None,
                "venue": "",
                "year": 1999,
                "publicationDate": None,
                "openAccessPdf": None,
                "authors": None,
            },
        ],
    },
    {"total": 0, "offset": 0, "data": []},
    [
        {
            "url": "https://doi.org/10.1000/182",
            "title": "Legal Entity Identifiers",
            "snippet": "We study identifiers of entities.",
            "published": "2018-05-06",
            "extra": {
                "doi": "10.1000/182",
                "authors": ["A. Author"],
                "venue": "Journal of Registers",
                "pdf": "https://example.org/182.pdf",
            },
        },
        {"url": "https://www.semanticscholar.org/paper/f00", "published": "1999", "snippet": ""},
    ],
    ("data",),
)

OPENALEX = Shape(
    "openalex",
    lambda url: OpenAlex(url, KEY),
    {
        "meta": {"count": 2, "page": 1, "per_page": 25},
        "results": [
            {
                "id": "https://openalex.org/W2741809807",
                "doi": "https://doi.org/10.7717/peerj.4375",
                "display_name": "The state of <i>OA</i>",
                "publication_date": "2018-02-13",
                "primary_location": {
                    "landing_page_url": "https://peerj.com/articles/4375",
                    "source": {"display_name": "PeerJ"},
                },
                "best_oa_location": {"pdf_url": "https://peerj.com/articles/4375.pdf"},
                "authorships": [{"author": {"display_name": "Heather Piwowar"}}, {"author": None}],
                "abstract_inverted_index": {"Despite": [0], "growing": [1], "interest": [2, 4], "in": [3]},
                "relevance_score": 12.5,
            },
            {
                "id": "https://openalex.org/W2",
                "doi": None,
                "display_name": None,
                "title": "Untitled no more",
                "publication_date": "2020-01-01",
                "primary_location": None,
                "best_oa_location": None,
                "authorships": [],
                "abstract_inverted_index": None,
            },
        ],
    },
    {"meta": {"count": 0}, "results": []},
    [
        {
            "url": "https://doi.org/10.7717/peerj.4375",
            "title": "The state of OA",
            "snippet": "Despite growing interest in interest",
            "text": "Despite growing interest in interest",
            "published": "2018-02-13",
            "score": 12.5,
            "extra": {
                "doi": "10.7717/peerj.4375",
                "authors": ["Heather Piwowar"],
                "venue": "PeerJ",
                "pdf": "https://peerj.com/articles/4375.pdf",
            },
        },
        {"url": "https://openalex.org/W2", "title": "Untitled no more", "text": ""},
    ],
    ("results",),
)

CROSSREF = Shape(
    "crossref",
    lambda url: Crossref(url, "ops@example.org"),
    {
        "status": "ok",
        "message-type": "work-list",
        "message": {
            "total-results": 2,
            "items": [
                {
                    "DOI": "10.1000/xyz<1>123",
                    "URL": "https://doi.org/10.1000/xyz%3C1%3E123",
                    "title": ["Registers &amp; <i>law</i>"],
                    "abstract": "<jats:title>Abstract</jats:title><jats:p>We find that 2 &lt; 3.</jats:p>",
                    "author": [{"given": "Ada", "family": "Muster"}, {"name": "A Consortium"}, {}],
                    "container-title": ["Journal of Registers"],
                    "publisher": "Example Press",
                    "issued": {"date-parts": [[2021, 7]]},
                    "score": 31.2,
                    "type": "journal-article",
                },
                {
                    "DOI": "10.1000/2",
                    "title": [],
                    "issued": {"date-parts": [[None]]},
                },
            ],
        },
    },
    {"status": "ok", "message": {"total-results": 0, "items": []}},
    [
        {
            "url": "https://doi.org/10.1000/xyz%3C1%3E123",
            "title": "Registers & law",
            "snippet": "We find that 2 < 3.",
            "published": "2021-07",
            "score": 31.2,
            "extra": {
                "doi": "10.1000/xyz<1>123",
                "authors": ["Ada Muster", "A Consortium"],
                "venue": "Journal of Registers",
                "publisher": "Example Press",
            },
        },
        {"url": "https://doi.org/10.1000/2", "title": "", "published": ""},
    ],
    ("message", "items"),
)

SHAPES = (TAVILY, BRAVE, GOOGLE, PERPLEXITY, SEARXNG, SEMANTIC_SCHOLAR, OPENALEX, CROSSREF)
