"""Which values of a document name something that must exist: names, identifiers, places, numbers and dates.

Judgements are not among them: what is picked from a list of the schema, true and false, confidence and scores, and
prose as a whole: within it is looked at what it names (``prose``).
What a field is for is told by ``x-trace`` in the schema, else by the last words of its name, else by its value.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from entities import lei as iso17442
from entities.names.keys import search_key, words_of
from entities.names.pieces import without_forms
from research.checks.claims import Schemas, leaves_of
from research.checks.provenance.amounts import is_amount, is_date
from research.checks.provenance.prose import ISIN, mentions
from research.jsontext import Json

Kind: TypeAlias = Literal["name", "identifier", "place", "number", "date"]
KINDS: tuple[Kind, ...] = ("name", "identifier", "place", "number", "date")
MAX_NAME, MAX_NAME_WORDS = 250, 25
_WORD = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|\d+")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NAMES = _set(
    """
    name names nom noms nome nomi firma owner owners parent controller controllers regulator regulators
    supervisor authority court issuer issuers manager managers custodian auditor auditors administrator
    trustee trustees settlor protector beneficiary beneficiaries director directors officer officers
    shareholder shareholders subsidiary subsidiaries entity entities company companies fund funds person
    persons publication publisher headline employer partner partners ubo ubos member members chair chairman
    chairwoman president ceo cfo founder founders representative representatives holder holders bank insurer
    lender borrower seller buyer claimant defendant plaintiff nominee inhaber eigentumer eigentuemer
    geschaftsfuhrer geschaeftsfuehrer verwaltungsrat muttergesellschaft tochtergesellschaft gesellschaft
    gesellschaften unternehmen gesellschafter aktionar aktionaer vorstand aufsichtsrat dirigeant dirigeants
    administrateur administrateurs gerant proprietaire actionnaire actionnaires societe societes filiale
    filiales titolare amministratore amministratori socio soci azionista azionisti societa controllante
    proprietario presidente fondo fondi fonds
    """
)
_IDENTIFIERS = _set(
    """
    lei leis isin isins bic swift cusip sedol figi wkn valor vat uid ein tin cik crd frn docket mint doi ecli
    celex iban id ids number numbers no nr ref reference nummer registernummer handelsregisternummer numero
    siren siret hrb code codes kennung identifier identifiers identifiant identificativo
    """
)
_PLACES = _set(
    """
    jurisdiction country nationality domicile land pays paese staat herkunft nationalitat nationalite
    """
)
_JUDGED = _set(
    """
    confidence score completeness rating probability likelihood relevance weight rank priority level severity
    index position step version fidelity quality
    """
)
_NOTHING = _set(
    """
    unknown none null nil na n a not available not stated not disclosed undisclosed unbekannt keine keiner
    keines inconnu inconnue aucun aucune sconosciuto nessuno zz tbd unnamed anonymous various diverse
    """
)
_ADDRESS = re.compile(r"https?://[^\s<>\"'\])]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Traced:
    """A value to be traced: ``within`` is True where it is a part of a longer text; ``beside`` whose value it is.

    Of a part of a text, ``near`` are the numbers beside it, and a ``loose`` name may be longer than it should be.
    """

    pointer: str
    kind: Kind
    value: str | int | float
    beside: tuple[str, ...] = ()
    within: bool = False
    loose: bool = False
    near: tuple[str, ...] = ()


def traced_values(data: Json, schema: Json) -> Iterator[Traced]:
    """The values to trace, in no particular order."""
    owners = _Owners(data)
    for place, value, schemas in leaves_of(data, schema):
        if any(one.get("readOnly") is True for one in schemas):
            continue  # written by Dossier
        words = key_words(place)
        kind = _kind(words, value, schemas)
        if kind is not None and isinstance(value, str | int | float):
            text = value.strip() if isinstance(value, str) else value
            yield Traced(place, kind, text, owners.of(place, kind, words))
        elif kind is None and isinstance(value, str):
            yield from _mentioned(place, value)


def key_words(place: str) -> tuple[str, ...]:
    """The words of the field name at the end of a pointer. For a list item, those of the list."""
    tokens = [token for token in place.split("/")[1:] if not token.isdecimal()]
    return _words(tokens[-1].replace("~1", "/").replace("~0", "~")) if tokens else ()


@lru_cache(maxsize=2_000)
def _words(key: str) -> tuple[str, ...]:
    return tuple(folded for word in _WORD.findall(key[:200]) for folded in words_of(word))


def _kind(words: Sequence[str], value: Json, schemas: Schemas) -> Kind | None:
    hint = next((one["x-trace"] for one in schemas if isinstance(one.get("x-trace"), str)), "")
    if hint:
        return next((kind for kind in KINDS if kind == hint), None)
    last = words[-1] if words else ""
    if last in _JUDGED:
        return None
    if isinstance(value, int | float):
        return "number"
    return _kind_of_text(last, value.strip(), schemas) if isinstance(value, str) else None


def _kind_of_text(last: str, text: str, schemas: Schemas) -> Kind | None:
    dated = any(str(one.get("format", "")).startswith("date") for one in schemas)
    digits = any(map(str.isdigit, text))
    known = iso17442.is_valid(text) or ISIN.fullmatch(text) is not None
    named = last in _IDENTIFIERS and len(text) <= 100 and (digits or last in ("bic", "lei"))
    rules: tuple[tuple[Kind | None, bool], ...] = (
        (None, _says_nothing(text)),
        (None, _ADDRESS.fullmatch(text) is not None),  # checked separately
        ("date", dated or is_date(text)),
        ("identifier", known or named),
        ("place", last in _PLACES and len(text) <= 60),
        ("name", last in _NAMES and _may_be_name(text)),
        ("number", digits and is_amount(text)),
    )
    return next((kind for kind, holds in rules if holds), None)


def _may_be_name(text: str) -> bool:
    fits = len(text) <= MAX_NAME and len(text.split()) <= MAX_NAME_WORDS and "\n" not in text
    key = search_key(text)
    sentence = text.endswith((".", "!", "?")) and len(text.split()) > 6 and without_forms(key) == key
    return fits and not sentence and any(map(str.isalpha, text))


def _says_nothing(text: str) -> bool:
    return len(text) < 2 or all(word in _NOTHING for word in words_of(text))


def _mentioned(place: str, text: str) -> Iterator[Traced]:
    """Names that occur within a text."""
    for one in mentions(text):
        yield Traced(place, one.kind, one.text, within=True, loose=one.loose, near=one.near)


class _Owners:
    """The owner of a value: the names beside it, or beside its parent."""

    def __init__(self, data: Json) -> None:
        self._data = data

    def of(self, place: str, kind: Kind, words: Sequence[str]) -> tuple[str, ...]:
        if kind == "name":
            return ()
        parent = _object_of(self._data, place)
        if not isinstance(parent, Mapping):
            return ()
        prefix = list(words[:-1])
        named = {tuple(_words(str(key))): value for key, value in parent.items() if isinstance(value, str)}
        own = [named.get((*prefix, "name")), named.get(tuple(prefix))] if prefix else [named.get(("name",))]
        plain = [named.get(("name",))] if prefix else []
        return tuple(dict.fromkeys(value for value in (*own, *plain) if value and _may_be_name(value)))[:1]


def _object_of(data: Json, place: str) -> Json:
    """The object that contains a value, skipping lists."""
    value, found = data, None
    for token in place.split("/")[1:]:
        if isinstance(value, Mapping):
            found, value = value, value.get(token.replace("~1", "/").replace("~0", "~"))
        elif isinstance(value, list) and token.isdecimal() and int(token) < len(value):
            value = value[int(token)]
    return found
