"""The parameters of a legal question: domain, terms, courts, period and languages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from citations.mention import LANGUAGES
from research.engine.legal.places import CANTONS
from research.engine.legal.terms import concepts
from research.engine.questions.question import BadAnswer
from research.jsontext import Json, JsonObject

DOMAINS = tuple(dict.fromkeys(concept.domain for concept in concepts()))
MAX_TERMS, MAX_TERM, MAX_QUESTION = 12, 100, 5_000


@dataclass(frozen=True)
class ResearchParameters:
    """``terms`` are words of the question, ``concepts`` names of the table; the first of ``languages`` is the memo's.

    ``since`` and ``until`` bound the decisions.
    """

    question: str
    domains: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    statutes: tuple[str, ...] = ()
    federal: bool = True
    cantons: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    languages: tuple[str, ...] = ("de",)

    @property
    def language(self) -> str:
        """The language of the memo."""
        return self.languages[0]

    @property
    def is_searchable(self) -> bool:
        """Whether there is anything to search for."""
        return bool(self.terms or self.concepts or self.statutes)

    def as_json(self) -> JsonObject:
        """In the terms of the specification. Articles are key terms too."""
        return {
            "legalDomain": list(self.domains),
            "keyTerms": [*self.terms, *self.statutes],
            "concepts": list(self.concepts),
            "jurisdictions": {"federal": self.federal, "cantons": list(self.cantons)},
            "timeRange": {"from": _day(self.since), "to": _day(self.until)}
            if self.since or self.until
            else None,
            "languages": list(self.languages),
            "originalQuestion": self.question,
        }

    def edit(self) -> JsonObject:
        """What a person may change."""
        return {
            "legalDomain": list(self.domains),
            "keyTerms": [*self.terms, *self.statutes],
            "concepts": list(self.concepts),
            "federal": self.federal,
            "cantons": list(self.cantons),
            "from": _day(self.since) or "",
            "to": _day(self.until) or "",
            "languages": list(self.languages),
        }


def edited(shown: ResearchParameters, said: JsonObject | None) -> ResearchParameters:
    """The parameters with changes by a person or a model. Raises BadAnswer."""
    data = {**shown.edit(), **(said or {})}
    terms = texts(data, "keyTerms", MAX_TERMS, MAX_TERM)
    statutes = tuple(term for term in terms if term.startswith(("Art. ", "§ ")))
    since, until = day_of(data.get("from"), "from"), day_of(data.get("to"), "to")
    if since and until and since > until:
        raise BadAnswer("from must not be later than to")
    if not isinstance(data["federal"], bool):
        raise BadAnswer("federal must be true or false")
    changed = replace(
        shown,
        domains=_among(data, "legalDomain", DOMAINS),
        terms=tuple(term for term in terms if term not in statutes),
        statutes=statutes,
        concepts=texts(data, "concepts", MAX_TERMS, MAX_TERM),
        federal=data["federal"],
        cantons=_among(data, "cantons", tuple(CANTONS)),
        since=since,
        until=until,
        languages=_among(data, "languages", LANGUAGES) or shown.languages,
    )
    if not changed.is_searchable:
        raise BadAnswer("keyTerms is empty: there is nothing to search for")
    if not changed.federal and not changed.cantons:
        raise BadAnswer("no court is left: set federal or name a canton")
    return changed


def given(found: ResearchParameters, params: JsonObject) -> ResearchParameters:
    """The parameters with values given beside the question. Raises BadAnswer."""
    jurisdiction, period = _object(params, "jurisdiction"), _object(params, "timeRange")
    said: JsonObject = {}
    if "federal" in jurisdiction:
        said["federal"] = jurisdiction["federal"]
    if jurisdiction.get("cantons"):
        said["cantons"] = jurisdiction["cantons"]
    said |= {name: period[name] for name in ("from", "to") if period.get(name)}
    if params.get("languages"):
        said["languages"] = params["languages"]
    return edited(found, said) if said else found


def texts(data: JsonObject, name: str, most: int, length: int) -> tuple[str, ...]:
    """A list of texts, stripped and without duplicates. Raises BadAnswer."""
    values = data.get(name)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise BadAnswer(f"{name} must be a list of texts")
    found = tuple(dict.fromkeys(filter(None, (" ".join(value.split()) for value in values))))
    if len(found) > most:
        raise BadAnswer(f"{name} must have at most {most} entries")
    if any(len(value) > length for value in found):
        raise BadAnswer(f"an entry of {name} is longer than {length} characters")
    return found


def day_of(value: Json, name: str) -> date | None:
    """A day or a year. Raises BadAnswer."""
    if value in (None, ""):
        return None
    text = str(value).strip()
    try:
        if len(text) == 4:
            return date(int(text), 12, 31) if name == "to" else date(int(text), 1, 1)
        return date.fromisoformat(text)
    except ValueError:
        raise BadAnswer(f"{name} must be a day such as 2015-01-31, or a year") from None


def _among(data: JsonObject, name: str, known: Sequence[str]) -> tuple[str, ...]:
    found = texts(data, name, 30, MAX_TERM)
    strange = [value for value in found if value not in known]
    if strange:
        raise BadAnswer(f"{name}: {strange[0]!r} is not one of {', '.join(known)}")
    return found


def _object(params: JsonObject, name: str) -> JsonObject:
    value = params.get(name)
    return value if isinstance(value, dict) else {}


def _day(value: date | None) -> str | None:
    return value.isoformat() if value else None
