from collections.abc import Callable, Iterator

import pytest
from django.db import connection

from common import append_only
from entities import memory
from entities.models import Entity, ScreeningHit
from entities.services.anomalies import Finding, decide_anomaly, report_anomalies
from entities.services.erasure import erase_entity, plan_erasure
from entities.services.screening import decide_hit
from research import audit
from research.append_only import GUARDED
from research.audit.verification import Report, verify_trail
from research.models import Draft, Page, Watch
from research.services.memos import compose_memo
from research.services.reviews import approve_result, reject_result
from tests.factories import (
    DocumentFactory,
    ResultFactory,
    RunFactory,
    SourceFactory,
    StepFactory,
    UserFactory,
)

NAME = "Jane Roe-Müller"
DOB = "1970-03-14"


@pytest.fixture(autouse=True)
def elsewhere(trail_elsewhere):
    """Each test has heads of its own."""


@pytest.fixture
def person(db):
    return UserFactory(is_superuser=True, is_staff=True)


@pytest.fixture
def alpha(db) -> Entity:
    return memory.ensure_entity(name="Alpha Holding AG", jurisdiction="CH")


@pytest.fixture
def jane(alpha, person) -> Entity:
    """A person of whom something stands in as many tables as tests can write without a network."""
    jane = memory.create_entity(
        name=NAME, type="person", metadata={"date-of-birth": DOB, "nationality": "CH"}
    )
    memory.link(subject=alpha, object=jane, type="owned-by", percentage=60, source=f"letter of {NAME}")
    memory.verify_entity(entity=jane, actor=person, reason=f"passport of {NAME} seen")
    memory.add_event(entity=alpha, type="news", summary=f"{NAME.upper()} has bought it.", related=[jane])
    memory.store_research_results(
        entity=jane, findings={"summary": f"{NAME} is wealthy.", "confidence": 50}, sources=[], ttl=600
    )
    finding = Finding(alpha, "one", f"{NAME} holds over 100 %.", {"owner": NAME})
    report_anomalies(kind="shares", findings=[finding], among=Entity.objects.filter(pk=alpha.pk))
    anomaly = alpha.anomalies.get()
    decide_anomaly(anomaly=anomaly, actor=person, reason=f"{NAME} rounded", digest=anomaly.digest)
    hit = ScreeningHit.objects.create(
        entity=jane, source="un", key="1", name=NAME, score=90, fingerprint="f", entry={"name": NAME}
    )
    decide_hit(hit=hit, revision=1, verdict="false-positive", reason=f"not {NAME}", by=person)
    _researched(jane, alpha, person)
    return jane


def _researched(jane, alpha, person):
    """One run is about her, one about the company that she owns."""
    about = ResultFactory(
        run=RunFactory(subject=jane, state="succeeded", params={"client_name": NAME}),
        data={"name": NAME, "born": DOB, "confidence": "high"},
    )
    StepFactory(run=about.run, answer={"text": f"I found {NAME}, born {DOB}."})
    text = f"{NAME} lives at Secret Lane 5."
    page = DocumentFactory(text=text, title=NAME)
    SourceFactory(run=about.run, document=page)
    Page.objects.create(
        url_hash="a" * 64,
        url="https://example.org/jane-roe-mueller",
        document=page,
        fetched_at=page.fetched_at,
        status=200,
    )
    reject_result(result=about, reviewer=person, digest=about.digest, reason=f"too little of {NAME}")
    of_alpha = ResultFactory(
        run=RunFactory(subject=alpha, state="succeeded", params={"client_name": "Alpha Holding AG"}),
        data={"name": "Alpha Holding AG", "owners": [{"name": NAME, "born": DOB}], "note": f"Owner: {NAME}."},
    )
    shared = DocumentFactory(text=f"Alpha Holding AG belongs to {NAME}. It makes bricks.")
    SourceFactory(run=of_alpha.run, document=shared, title=f"About {NAME}", snippet=f"{NAME} owns it")
    StepFactory(run=of_alpha.run, answer={"text": f"{NAME} owns it."})
    for result in (about, of_alpha):
        audit.record("run.succeeded", result.run, None, result, result.run.macro, said=f"found {NAME}")
    decision = approve_result(
        result=of_alpha, reviewer=person, digest=of_alpha.digest, reason=f"{NAME} confirmed it."
    )
    compose_memo(result=of_alpha, actor=person)
    now = shared.fetched_at
    Draft.objects.create(person=person, page="/x", digest="d", typed={"q": NAME}, window="w", saved_at=now)
    times = {"due_at": now, "fresh_until": now, "checked_at": now, "every_days": 30}
    asked = {"macro_name": "who", "params": {"client_name": NAME}, "question": "q" * 64}
    Watch.objects.create(decision=decision, **asked, **times)


@pytest.fixture
def erase(person) -> Callable[..., object]:
    """Erase an entity as a person does who has looked at what goes."""

    def erase(entity: Entity, **how: object) -> object:
        asked = {"confirmed": entity.name, "digest": plan_erasure(entity).digest, "actor": person, **how}
        return erase_entity(entity=entity, **{"reason": "She asked for it.", **asked})

    return erase


@pytest.fixture
def found_in(db) -> Callable[..., list[str]]:
    """Every column of every table of the database in which one of the words stands, read as text."""

    def found_in(*words: str) -> list[str]:
        return [place for place, text in _texts() if any(word.casefold() in text for word in words)]

    return found_in


def _texts() -> Iterator[tuple[str, str]]:
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor, include_views=False):
            cursor.execute(f'SELECT * FROM "{table}"')
            names = [column[0] for column in cursor.description]
            for row in cursor.fetchall():
                for name, value in zip(names, row, strict=True):
                    is_bytes = isinstance(value, memoryview | bytes)
                    text = bytes(value).decode(errors="replace") if is_bytes else str(value)
                    yield f"{table}.{name}", text.casefold()
                    if "\\u" in text:
                        yield f"{table}.{name}", text.encode().decode("unicode_escape").casefold()


@pytest.fixture
def forge() -> Callable[..., Report]:
    """Do something to the database as its owner would, triggers off and on again; what is said of the trail then."""

    def forge(*statements: str) -> Report:
        connection.check_constraints()
        append_only.remove(connection, GUARDED)
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
        connection.check_constraints()
        append_only.install(connection, GUARDED)
        return verify_trail()

    return forge
