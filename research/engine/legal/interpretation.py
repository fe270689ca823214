"""Interpret a legal question by rules over tables, without a model and reproducibly.

Domains come from the concepts that the question names and from the acts that it cites; where it names nothing that the
table knows, its long words are searched for as they stand.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date

from citations.extract import extract
from research.engine.legal.language import SMALL_WORDS, language_of
from research.engine.legal.parameters import MAX_QUESTION, MAX_TERM, MAX_TERMS, ResearchParameters
from research.engine.legal.places import CANTONS, find_cantons
from research.engine.legal.terms import Hit, find_concepts, words_of

ENOUGH = 2  # number of terms or articles that define a question
MAX_LOOSE = 4
LOOSE = 5  # minimum letters of a word that is searched for as it is
_ACTS = {
    "ZGB": ((1, 10, "civil_procedure"), (11, 89, "persons"), (90, 456, "family"), (457, 640, "succession"),
            (641, 977, "property")),
    "OR": ((1, 40, "contract"), (41, 61, "tort"), (62, 252, "contract"), (253, 304, "tenancy"), (305, 318, "contract"),
           (319, 362, "employment"), (363, 529, "contract"), (530, 964, "company")),
}  # fmt: skip
_DOMAIN_OF_ACT = {
    **dict.fromkeys(("BV", "EMRK"), "constitutional"), **dict.fromkeys(("StGB", "JStG"), "criminal"),
    **dict.fromkeys(("StPO", "OHG"), "criminal_procedure"), **dict.fromkeys(("ZPO", "BGG"), "civil_procedure"),
    "SchKG": "debt_enforcement", **dict.fromkeys(("VwVG", "VGG"), "administrative"), "RPG": "planning",
    "USG": "environment", **dict.fromkeys(("DBG", "StHG", "MWSTG"), "tax"),
    **dict.fromkeys(("ATSG", "AHVG", "IVG", "IVV", "BVG", "KVG", "UVG", "AVIG"), "social_insurance"),
    **dict.fromkeys(("AIG", "AsylG", "FZA"), "migration"), "DSG": "data_protection",
    **dict.fromkeys(("MSchG", "URG", "PatG"), "intellectual_property"), **dict.fromkeys(("UWG", "KG"), "competition"),
    "SVG": "road_traffic", **dict.fromkeys(("KAG", "FINIG", "FIDLEG", "BankG", "GwG", "FINMAG"), "finance"),
    "VVG": "insurance", "IPRG": "private_international", "BGFA": "profession", "ArG": "employment", "FusG": "company",
}  # fmt: skip
_CANTONAL = frozenset(
    (
        *("kantonal", "kantonale", "kantonalen", "kantonaler", "kantonales"),
        *("cantonal", "cantonale", "cantonales", "cantonaux", "cantonali"),
    )
)
_FEDERAL = re.compile(
    r"\b(?:BGE|ATF|DTF|BGer|Bundesgericht\w*|Tribunal fédéral|Tribunale federale|Federal (?:Supreme )?Court|federal"
    r"|fédéral\w*|federal[ei])\b"
)
_YEAR = r"((?:18|19|20)\d\d)"
_BETWEEN = re.compile(
    rf"\b(?:zwischen|von|entre|de|tra(?: il)?|dal|between|from)\s+{_YEAR}"
    rf"\s+(?:und|bis|et|à|e(?: il)?|al|and|to|until)\s+{_YEAR}\b"
    rf"|\b{_YEAR}\s?[-–]\s?{_YEAR}\b",
    re.IGNORECASE,
)
_SINCE = re.compile(
    rf"\b(?:seit|ab|nach|depuis|dès|après|a partire dal|dal|dopo il|dopo|since|from|after)\s+(?:dem Jahr\s+)?{_YEAR}\b",
    re.IGNORECASE,
)
_UNTIL = re.compile(
    rf"\b(?:bis|jusqu'en|jusqu’en|fino al|until|up to)\s+{_YEAR}\b|\b(?:vor|avant|prima del|before)\s+{_YEAR}\b",
    re.IGNORECASE,
)
_LAST = re.compile(
    r"\b(?:letzten?|dernières?|derniers|ultimi|last|past)\s+(\d{1,2})\s+(?:Jahre?n?|années|ans|anni|years)\b"
    r"|\b(\d{1,2})\s+(?:dernières années|derniers ans|ultimi anni)\b",
    re.IGNORECASE,
)
_PLACES = tuple(
    {
        word
        for canton in CANTONS.values()
        for name in canton.names
        for word in words_of(name)
        if len(word) >= 4
    }
    - {"rhodes", "stadt", "land", "ville", "kanton", "canton", "cantone"}
)
_OF_ASKING = """
letzten letzte jahren jahre dernières années ultimi anni years kommentar commentaire anspruch before since depuis
welche welcher welches voraussetzungen gelten unter rechtsprechung praxis bundesgericht bundesgerichts entscheide
urteile kanton kantonale frage fragen recht schweizer schweiz gericht gerichte finde suche
quelles quelle quels conditions jurisprudence tribunal fédéral arrêts droit suisse canton question
quali condizioni giurisprudenza tribunale federale sentenze diritto svizzero cantone
which where there conditions requirements decisions precedents court courts federal supreme swiss switzerland find
search about practice cantonal under cases
"""
_EMPTY_WORDS = frozenset(_OF_ASKING.split())


def understand(question: str, context: str, today: date) -> ResearchParameters:
    """The parameters of a question. Terms of ``context`` come after its own."""
    question = question.strip()[:MAX_QUESTION]
    hits = find_concepts(question)
    language = language_of(question, _terms_by_language)
    found = [one for one in extract(question) if one.kind == "statute" and one.normalized and one.data]
    acts = [(str(one.data["act"]), str(one.data["article"])) for one in found]
    statutes = [str(one.normalized) for one in found]
    terms = [hit.term(language) for hit in hits]
    more = [
        hit
        for hit in find_concepts(context[:MAX_QUESTION])
        if hit.concept not in [one.concept for one in hits]
    ]
    if len(terms) + len(statutes) < ENOUGH:
        terms += _loose(question, hits)
    cantons = find_cantons(question)
    since, until = period(question, today)
    spoken = [CANTONS[code].languages[0] for code in cantons]
    return ResearchParameters(
        question=question,
        domains=tuple(_domains([*hits, *more], acts)),
        terms=_bounded([*terms, *(hit.term(language) for hit in more)]),
        concepts=_bounded(hit.concept.name for hit in [*hits, *more]),
        statutes=_bounded(statutes),
        federal=_is_federal(question, cantons),
        cantons=tuple(cantons),
        since=since,
        until=until,
        languages=tuple(dict.fromkeys([language, *spoken])),  # the memo is in the first
    )


def _terms_by_language(text: str) -> Counter[str]:
    return Counter(language for hit in find_concepts(text) for language in hit.written)


def period(text: str, today: date) -> tuple[date | None, date | None]:
    """The period that a text names: ``seit 2015``, ``entre 2010 et 2015``, ``last 5 years``."""
    if found := _BETWEEN.search(text):
        years = sorted(int(year) for year in found.groups() if year)
        return date(years[0], 1, 1), date(years[1], 12, 31)
    if found := _LAST.search(text):
        return date(max(1875, today.year - int(found[1] or found[2])), 1, 1), None
    since, until = _SINCE.search(text), _UNTIL.search(text)
    if since:
        return date(int(since[1]), 1, 1), None
    if until:
        return None, date(int(until[1]) if until[1] else int(until[2]) - 1, 12, 31)
    return None, None


def _domains(hits: Sequence[Hit], acts: Sequence[tuple[str, str]]) -> list[str]:
    """The most frequent domains."""
    counted = Counter(hit.concept.domain for hit in hits)
    counted.update(filter(None, (_domain_of(act, article) for act, article in acts)))
    return [domain for domain, _ in counted.most_common(4)]


def _domain_of(act: str, article: str) -> str:
    number = re.match(r"\d+", article)
    for first, last, domain in _ACTS.get(act, ()):
        if number and first <= int(number[0]) <= last:
            return domain
    return _DOMAIN_OF_ACT.get(act, "")


def _is_federal(question: str, cantons: Sequence[str]) -> bool:
    """Include the Federal Supreme Court, unless only cantonal practice is asked for."""
    only_cantonal = bool(cantons) and bool(_CANTONAL & set(words_of(question)))
    return not only_cantonal or bool(_FEDERAL.search(question))


def _loose(question: str, hits: Sequence[Hit]) -> list[str]:
    """Words outside the table, as written: names remain when the rest of a question is known."""
    known = {at for hit in hits for at in range(hit.start, hit.end)}
    written = re.findall(r"\w+", question)
    return [
        word
        for at, word in enumerate(written)
        if at not in known and len(word) >= LOOSE and not word.isdigit() and not any(map(str.isdigit, word))
        if not _says_nothing(word.casefold())
    ][:MAX_LOOSE]


def _says_nothing(word: str) -> bool:
    """A stop word, a word of asking, or a place."""
    if (
        word in _EMPTY_WORDS
        or word in SMALL_WORDS
        or word.startswith(("obergericht", "kantonsgericht", "interkant"))
    ):
        return True
    return any(word.startswith(place) for place in _PLACES)


def _bounded(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value[:MAX_TERM] for value in values))[:MAX_TERMS]
