"""The one place where tests make rows."""

import hashlib
import uuid

import factory
from django.contrib.auth.models import Permission, User
from django.utils import timezone
from factory.django import DjangoModelFactory

from citations.models import Citation
from entities.lei import complete
from entities.models import Entity, LeiName, LeiRecord, RegisterName
from entities.names.keys import search_key
from research.engine.results import checks_of
from research.jsontext import digest
from research.models import Check, Document, Macro, ResearchResult, ResearchSession, Run, Source, Step
from research.models.states import MacroStatus, RunState, Trigger

MACRO_TEXT = """\
macro:
  name: {name}
  version: "1.0"
  description: Who is this company?
  parameters:
    - name: client_name
      type: string
      required: true
  tools: [lei_search, lei_record]
  prompt: "Find {{{{client_name}}}} in the LEI register."
  output:
    schema_name: {schema_name}
    schema:
      type: object
      required: [name]
      properties:
        name: {{type: string}}
        lei: {{type: string, maxLength: 20}}
        jurisdiction: {{type: string}}
        confidence: {{type: string, enum: [high, medium, low]}}
  suggested_verbs: |
    ;; {{{{name}}}}
    {{{{#if lei}}}}
    (gleif.enrich :lei "{{{{lei}}}}" :as @subject)
    {{{{else}}}}
    (entity.ensure :entity-type "limited-company" :name "{{{{name}}}}"
      :jurisdiction "{{{{jurisdiction}}}}" :as @subject)
    {{{{/if}}}}
  tags: [test]
"""


class UserFactory(DjangoModelFactory):
    """A person without rights; ``rights=["start_run"]`` grants some by codename, ``staff`` opens the admin."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    username = factory.Sequence(lambda n: f"person{n}")
    is_staff = True

    @factory.post_generation
    def rights(self, create, extracted, **kwargs):
        if wanted := sorted(set(extracted or ())):
            # at once: each grant by itself is a locked row of the audit trail, and most tests have such a person
            found = list(Permission.objects.filter(codename__in=wanted))
            assert sorted(right.codename for right in found) == wanted
            self.user_permissions.add(*found)


ALL_RIGHTS = (
    "start_run",
    "decide_researchresult",
    "execute_verbs",
    *(
        f"view_{model}"
        for model in ("run", "step", "researchresult", "check", "decision", "verbcall", "macro", "memo")
    ),
    *(f"view_{model}" for model in ("researchsession", "source", "document", "entity", "auditevent")),
)


class MacroFactory(DjangoModelFactory):
    """A small active macro."""

    class Meta:
        model = Macro

    name = factory.Sequence(lambda n: f"company-look-up-{n}")
    version = "1.0"
    status = MacroStatus.ACTIVE
    description = "Who is this company?"
    schema_name = "company-look-up-result"
    text = factory.LazyAttribute(lambda o: MACRO_TEXT.format(name=o.name, schema_name=o.schema_name))
    digest = factory.LazyAttribute(lambda o: digest(o.text))


class SessionFactory(DjangoModelFactory):
    class Meta:
        model = ResearchSession

    title = "A case"


class RunFactory(DjangoModelFactory):
    """A queued run on the demo register."""

    class Meta:
        model = Run

    macro = factory.SubFactory(MacroFactory)
    params = factory.LazyFunction(lambda: {"client_name": "Allianz SE"})
    trigger = Trigger.CLI
    model = "register"
    register = "demo"
    max_turns = 20
    max_tool_calls = 50


class StepFactory(DjangoModelFactory):
    """An entry of the journal that has its answer; a note unless it is told otherwise."""

    class Meta:
        model = Step

    run = factory.SubFactory(RunFactory)
    seq = 1
    kind = "note"
    name = "note"
    answer = factory.LazyFunction(dict)
    fence = 1
    answered_at = factory.LazyFunction(timezone.now)


class ResultFactory(DjangoModelFactory):
    """A pending result without checks."""

    class Meta:
        model = ResearchResult

    run = factory.SubFactory(
        RunFactory, state=RunState.SUCCEEDED, finished_at=factory.LazyFunction(timezone.now)
    )
    data = factory.LazyFunction(
        lambda: {
            "name": "Allianz SE",
            "lei": "529900K9B0N5BT694847",
            "jurisdiction": "DE",
            "confidence": "high",
        }
    )
    digest = factory.LazyAttribute(lambda o: digest(o.data))
    schema_valid = True


class CheckFactory(DjangoModelFactory):
    """One verdict beside a result."""

    class Meta:
        model = Check

    result = factory.SubFactory(ResultFactory)
    ordinal = factory.Sequence(lambda n: n + 1)
    kind = "lei"
    code = "registration-status"
    verdict = "pass"
    message = "As the register says."
    checked_at = factory.LazyFunction(timezone.now)


class DocumentFactory(DjangoModelFactory):
    """An archived text."""

    class Meta:
        model = Document

    text = factory.Sequence(lambda n: f"The text of document {n}.")
    digest = factory.LazyAttribute(lambda o: hashlib.sha256(o.text.encode()).hexdigest())
    title = ""
    url = "https://www.example.org/page"
    host = "www.example.org"
    mime = "text/html"
    size = factory.LazyAttribute(lambda o: len(o.text.encode()))
    fetched_at = factory.LazyFunction(timezone.now)


class SourceFactory(DjangoModelFactory):
    """A document as a run used it."""

    class Meta:
        model = Source

    run = factory.SubFactory(RunFactory)
    number = factory.Sequence(lambda n: n + 1)
    document = factory.SubFactory(DocumentFactory)
    kind = "web"
    url = factory.LazyAttribute(lambda o: o.document.url if o.document else "")
    title = factory.LazyAttribute(lambda o: (o.document and o.document.title) or "A page")
    key = factory.LazyAttribute(lambda o: f"{o.url}#{o.number}")


class EntityFactory(DjangoModelFactory):
    class Meta:
        model = Entity

    name = factory.Sequence(lambda n: f"Company {n}")
    slug = factory.LazyFunction(lambda: f"company-{uuid.uuid4().hex[:8]}")
    type = Entity.Type.LEGAL_ENTITY


class LeiRecordFactory(DjangoModelFactory):
    """A record of the imported register; ``named`` adds (name, type) pairs to its legal name."""

    class Meta:
        model = LeiRecord
        skip_postgeneration_save = True

    lei = factory.Sequence(lambda n: complete(f"SYNTHETIC{n:09d}"))
    legal_name = "Muster SE"
    jurisdiction = "DE"
    entity_status = "ACTIVE"
    registration_status = "ISSUED"
    register = RegisterName.LOCAL
    as_of = "2026-11-20T00:00:00Z"

    @factory.lazy_attribute
    def attributes(self):
        return {
            "lei": self.lei,
            "entity": {
                "legalName": {"name": self.legal_name},
                "jurisdiction": self.jurisdiction,
                "status": self.entity_status,
                "legalAddress": {"country": self.jurisdiction[:2]},
            },
            "registration": {"status": self.registration_status},
        }

    @factory.post_generation
    def named(self, create, extracted, **kwargs):
        names = [(self.legal_name, "LEGAL_NAME"), *(extracted or ())]
        for name, kind in names:
            LeiName.objects.create(lei=self.lei, name=name, type=kind, key=search_key(name))
        self.attributes["entity"]["otherNames"] = [{"name": name, "type": kind} for name, kind in names[1:]]
        self.save()


class CitationFactory(DjangoModelFactory):
    """A work that is cited; nobody was asked about it."""

    class Meta:
        model = Citation

    kind = "bge"
    key = "BGE 147 VII 1"
    verdict = "unknown"


def store_checks(result, verdicts):
    """Keep verdicts with a result, as the end of its run does."""
    Check.objects.bulk_create(checks_of(result, verdicts))
