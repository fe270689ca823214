"""Two verbs about the same follow one another, because each claims all of it first. A verb that forgets a part of it
comes to wait for another in a circle: the rows that it touches tell on it."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from entities.memory import ChangeLog, keys_of, locks
from entities.models import Entity, LeiRecord, LeiRelationship, ReportingException
from research.verbs.calls import planned_calls
from research.verbs.catalogue import load_catalogue
from research.verbs.handlers import HANDLERS, Context

pytestmark = pytest.mark.django_db

ALLIANZ, AGI = "529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658"
FUND = "5299002YFR7XDEA6EC13"
GROUP = '(entity.ensure :entity-type "client-group" :name "Allianz Group" :as @g)'
TWO = (
    '(entity.ensure :entity-type "company" :name "First AG" :as @a)'
    '(entity.ensure :entity-type "company" :name "Second AG" :as @b)'
)

# The last call of each is looked at. What is there already is changed, what is not is made.
PROGRAMS = {
    "gleif.enrich": [
        f'(gleif.enrich :lei "{AGI}")',
        f'(gleif.enrich :lei "{FUND}")',
        f'(entity.ensure :entity-type "company" :name "Stated" :as @a)(gleif.enrich :entity-id @a :lei "{ALLIANZ}")',
        f'(entity.ensure :entity-type "company" :name "Allianz SE" :as @a)(gleif.enrich :lei "{ALLIANZ}")',
        f'(gleif.enrich :lei "{AGI}")(gleif.enrich :lei "{AGI}")',
    ],
    "gleif.import-tree": [f'(gleif.import-tree :root-lei "{ALLIANZ}" :direction "DOWN" :max-depth 1)'],
    "gleif.import-managed-funds": [
        f'(gleif.import-managed-funds :manager-lei "{AGI}" :limit 5)',
        f'(gleif.import-managed-funds :manager-lei "{AGI}" :ultimate-client-lei "{ALLIANZ}" :limit 5)',
    ],
    "gleif.refresh": [f'(gleif.enrich :lei "{AGI}")(gleif.refresh :stale-days 0)'],
    "gleif.import-to-client-group": [
        f'{GROUP}(gleif.import-to-client-group :group-id @g :root-lei "{AGI}" :max-depth 1)'
    ],
    "entity.ensure": [
        '(entity.ensure :entity-type "company" :name "Third AG" :jurisdiction "CH" :company-number "CHE-1")',
        f'(gleif.enrich :lei "{ALLIANZ}")(entity.ensure :entity-type "company" :name "Allianz SE")',
    ],
    "fund.ensure": [f'{TWO}(fund.ensure :name "A Fund" :manager @a :umbrella @b :isin "LU0323578657")'],
    "entity.link": [f'{TWO}(entity.link :subject @a :type "member-of" :object @b)'],
    "red-flag.raise": [f'{TWO}(red-flag.raise :entity-id @a :flag-type "LITIGATION" :severity "SOFT")'],
    "ownership.record": [
        f"{TWO}(ownership.record :owner @a :owned @b :percentage 30)",
        f'{TWO}(ownership.record :owner @b :owned @a :more-than 25 :interest "shareholding")',
        '(entity.ensure :entity-type "company" :name "Owned AG")(ownership.record :owner-name "Owner AG" '
        ':owner-type "legal-entity" :owned-name "Owned AG" :percentage 30)',
    ],
}


class Locks:
    """The keys that were claimed, each time, in their order."""

    def __init__(self, monkeypatch):
        self.taken, take = [], locks._take
        monkeypatch.setattr(locks, "_take", lambda places: (self.taken.append(places), take(places)))


def places_of(keys):
    return {locks._number(key) % locks.PLACES for key in keys}


def perform(text, register):
    """Everything before the last call; then that one's write, not yet done."""
    symbols, calls = {}, planned_calls(text)
    for call in calls:
        write = HANDLERS[call.verb](call.arguments, Context(register, symbols, "a test"))
        if call is calls[-1]:
            return write
        symbols[call.binding] = write(ChangeLog())
    raise AssertionError("no call")


def register_rows():
    """What stands in the tables of the register: the LEI that each row is about, and when it was read."""
    return {
        *LeiRecord.objects.values_list("lei", "fetched_at"),
        *LeiRelationship.objects.values_list("start", "fetched_at"),
        *ReportingException.objects.values_list("lei", "fetched_at"),
    }


def entities_before_and_after(before):
    """Every entity of which something was written since: it, its relationships, statements, forms or events."""
    return [entity for entity in Entity.objects.all() if before.get(entity.pk) != told(entity)]


def told(entity):
    fields = (
        Entity.objects.filter(pk=entity.pk).values("name", "lei", "metadata", "aliases", "jurisdiction").get()
    )
    rows = (entity.statements, entity.representations, entity.events)
    return [fields, *(sorted(map(str, each.values_list("pk", flat=True))) for each in rows)]


def every_program():
    return [(verb, text) for verb, texts in PROGRAMS.items() for text in texts]


@pytest.mark.parametrize(("verb", "text"), every_program())
def test_a_verb_claims_all_that_it_writes_before_it_writes_the_first_row(verb, text, register, monkeypatch):
    write = perform(text, register)
    rows, before = register_rows(), {entity.pk: told(entity) for entity in Entity.objects.all()}
    claims = Locks(monkeypatch)
    with CaptureQueriesContext(connection) as asked:
        write(ChangeLog())
    first, *later = claims.taken
    assert first == sorted(set(first)), "claims are taken in one order, whoever asks"
    assert {place for places in later for place in places} <= set(first), (
        "what is claimed later waits in a circle"
    )
    touched = entities_before_and_after(before)
    assert touched or register_rows() != rows
    known = [entity for entity in touched if entity.pk in before or entity.lei]
    assert places_of(keys_of(*known)) <= set(first)  # nobody else can know a new one that has no LEI
    assert places_of(f"lei {lei}" for lei, _ in register_rows() - rows) <= set(first)
    assert not _locks_without_claim(asked)


def _locks_without_claim(asked):
    """On PostgreSQL: rows that are locked or written before anything is claimed."""
    if connection.vendor != "postgresql":
        return []
    statements = [query["sql"] for query in asked]
    claimed = next(at for at, sql in enumerate(statements) if "pg_advisory_xact_lock(" in sql)
    return [sql for sql in statements[:claimed] if re.match("INSERT|UPDATE|DELETE", sql) or " FOR " in sql]


def test_every_verb_that_writes_is_looked_at():
    reading = {"gleif.search", "gleif.trace-ownership", "gleif.resolve-successor", "gleif.lookup"}
    assert set(HANDLERS) - reading == set(PROGRAMS)
    assert reading <= set(load_catalogue().verbs)


def test_a_claim_takes_a_bounded_number_of_locks(monkeypatch):
    claims = Locks(monkeypatch)
    locks.claim(f"lei {number}" for number in range(20_000))
    assert len(claims.taken[0]) == locks.PLACES
    assert claims.taken[0] == sorted(claims.taken[0])
