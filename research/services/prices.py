"""What models cost. Nobody but a person enters a price: a list that came with Dossier would be wrong by next month."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

import yaml
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from common.transactions import retried
from research import audit
from research.errors import InvalidParameters, NotFound, ParamError
from research.llm.models import model_names
from research.models import ModelPrice
from research.services.access import ADD_PRICE, CHANGE_PRICE, REMOVE_PRICE, Person, require

PROTOCOLS = ("anthropic:", "openai:", "openai-chat:")
PLACES, LIMIT = Decimal("0.0001"), Decimal(1_000_000)
MAX_ROWS = 1_000


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens, and per thousand searches on the provider's side."""

    input: Decimal
    output: Decimal
    cached: Decimal
    cache_write: Decimal
    search: Decimal = Decimal(0)


def read_price(amounts: Mapping[str, object]) -> Price:
    """A price from texts or numbers; ``cached`` and ``cache_write`` cost what input costs unless they are given.

    Raises:
        InvalidParameters: names each amount that is missing, unknown or none.
    """
    known = {each.name for each in fields(Price)}
    given = {name: value for name, value in amounts.items() if value is not None}
    errors = [ParamError(name, "unknown", sorted(known)) for name in given if name not in known]
    errors += [ParamError(name, "required") for name in ("input", "output") if name not in given]
    read: dict[str, Decimal] = {}
    for name in known & given.keys():
        try:
            read[name] = _amount(given[name])
        except ValueError as error:
            errors.append(ParamError(name, str(error)))
    if errors:
        raise InvalidParameters(errors)
    return Price(**{"cached": read["input"], "cache_write": read["input"], **read})


@retried
def set_price(*, model: str, price: Price, actor: Person, valid_from: date | None = None) -> ModelPrice:
    """Enter what a model costs from a day on (default: today); a price of the same day is replaced.

    Raises:
        NotPermitted, InvalidParameters: nothing was stored.
    """
    require(actor, ADD_PRICE)
    require(actor, CHANGE_PRICE)
    day = valid_from or timezone.localdate()
    values = {f"{name}_usd": amount for name, amount in asdict(price).items()}
    with transaction.atomic():
        row, _ = ModelPrice.objects.update_or_create(model=model_id(model), valid_from=day, defaults=values)
        said = {name: str(amount) for name, amount in asdict(price).items()}
        audit.record("price.set", row, actor, model=row.model, valid_from=str(day), **said)
    return row


@retried
def remove_price(*, price: ModelPrice, actor: Person) -> None:
    """Take a price back; what was booked by it stays booked."""
    require(actor, REMOVE_PRICE)
    with transaction.atomic():
        audit.record("price.removed", price, actor, model=price.model, valid_from=str(price.valid_from))
        ModelPrice.objects.filter(pk=price.pk).delete()


@retried
def import_prices(*, text: str, actor: Person) -> list[ModelPrice]:
    """Enter all prices of a YAML text, ``prices: [{model, from?, input, output, cached?, cache_write?, search?}]``.

    Raises:
        NotPermitted, InvalidParameters: nothing was stored; each fault names its entry.
    """
    entries = _entries(text)
    rows: list[tuple[str, date | None, Price]] = []
    errors: list[ParamError] = []
    for number, entry in enumerate(entries, start=1):
        try:
            rows.append(_entry(entry))
        except InvalidParameters as error:
            errors += [ParamError(f"prices.{number}.{e.name}", e.message, e.allowed) for e in error.errors]
    if errors:
        raise InvalidParameters(errors)
    with transaction.atomic():
        return [set_price(model=m, price=p, valid_from=day, actor=actor) for m, day, p in rows]


def find_price(*, model: str, valid_from: date) -> ModelPrice:
    """The price that begins on that day. Raises NotFound."""
    row = ModelPrice.objects.filter(model=model_id(model), valid_from=valid_from).first()
    if row is None:
        raise NotFound(f"there is no price of {model_id(model)} from {valid_from}")
    return row


def current_prices(today: date) -> QuerySet[ModelPrice]:
    """The price of each model that counts on a day."""
    return ModelPrice.objects.filter(valid_from__lte=today).order_by("model", "-valid_from")


def models_without_price(today: date | None = None) -> list[str]:
    """The language models of DOSSIER_MODEL that nobody has entered a price for; they cannot work under a budget."""
    asked = [name for name in model_names(settings.DOSSIER_MODEL) if ":" in name]
    priced = set(current_prices(today or timezone.localdate()).values_list("model", flat=True))
    return [name for name in asked if model_id(name) not in priced]


def model_id(name: str) -> str:
    """As the provider writes it: without the protocol that Dossier puts before it. Raises InvalidParameters."""
    text = name.strip()
    text = next((text.removeprefix(protocol) for protocol in PROTOCOLS if text.startswith(protocol)), text)
    if not text or len(text) > 100 or not text.isprintable():
        raise InvalidParameters([ParamError("model", f"{text[:60]!r} is not the name of a model")])
    return text


def _amount(value: object) -> Decimal:
    try:
        amount = Decimal(str(value).strip())
    except InvalidOperation:
        raise ValueError(f"{str(value)[:40]!r} is not an amount") from None
    if isinstance(value, bool) or not amount.is_finite() or not 0 <= amount < LIMIT:
        raise ValueError(f"{str(value)[:40]!r} is not an amount of 0 or more")
    if amount != amount.quantize(PLACES):
        raise ValueError(f"{amount} has more than four places")
    return amount


def _entries(text: str) -> Sequence[Any]:
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InvalidParameters([ParamError("file", f"this is not YAML: {str(error)[:300]}")]) from None
    entries = document.get("prices") if isinstance(document, dict) else None
    if not isinstance(entries, list) or not entries or len(entries) > MAX_ROWS:
        raise InvalidParameters([ParamError("prices", f"must be a list of 1 to {MAX_ROWS} prices")])
    return entries


def _entry(entry: object) -> tuple[str, date | None, Price]:
    if not isinstance(entry, dict):
        raise InvalidParameters([ParamError("entry", "must be an object")])
    rest = {str(key): value for key, value in entry.items()}
    model, day = rest.pop("model", ""), rest.pop("from", None)
    return model_id(str(model)), read_day(day), read_price(rest)


def read_day(value: object) -> date | None:
    """A date as text, or as YAML reads an unquoted one; None for nothing. Raises InvalidParameters."""
    if value is None or type(value) is date:
        return value
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        sentence = f"{str(value)[:40]!r} is not a date such as 2026-11-21"
        raise InvalidParameters([ParamError("from", sentence)]) from None
