"""Everything the review page shows, gathered in one object for the template."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from dataclasses import fields as fields_of
from datetime import timedelta
from functools import cached_property
from itertools import islice
from secrets import token_hex

from django.contrib.auth.models import AbstractUser
from django.urls import reverse
from django.utils import timezone
from django.utils.timesince import timesince

from common.text import counted
from entities.models import Entity
from research.admin.gate.changes import Change, Shown, changes, field_id, place_label
from research.admin.gate.displayed import Looked
from research.admin.gate.evidence import (
    Badges,
    SourceNote,
    Total,
    badges,
    source_notes,
    totals,
)
from research.admin.gate.fields import ALL, FILTERS, FieldSection, field_sections
from research.admin.gate.history import Entry, admin_url, history
from research.admin.gate.looks import Looks, looks
from research.admin.gate.parts import Form, Part
from research.admin.gate.queue import Queue
from research.admin.gate.quotes import Backing, backing
from research.admin.gate.since import Since
from research.admin.gate.submission import RAW, Submission, pretty_json, read_submission
from research.admin.gate.taken import Told, told_of
from research.admin.gate.verbs import Line, listing
from research.admin.memos import MemoForm
from research.checks.quotes import coverage
from research.checks.verdict import CheckLike, Verdict, count_distinct, needs_reason
from research.errors import DraftNotKept
from research.jsontext import JsonObject, digest
from research.models import Decision, Document, Draft, ResearchResult, Rollback, VerbCall, VerbEffect
from research.models.states import CheckKind, ResultState, Trigger, VerbState
from research.review.displayed import MAX_PLACES as MAX_SHOWN
from research.review.displayed import WHOLE, Unseen, as_displayed, read_places
from research.review.numbering import renumbered, shown_numbers
from research.review.pointer import resolve
from research.services.access import DECIDE, EXECUTE, START, four_eyes_blocks
from research.services.memos import usual_style
from research.services.reviews import Preview, unseen_of
from research.services.rollback import may_be_rolled_back
from research.services.spending import spend_of
from research.services.watches import baseline_of
from research.waits import in_a_sentence, spent

TRIGGERS = {
    Trigger.ADMIN: "in the admin",
    Trigger.API: "over the API",
    Trigger.MCP: "through an agent",
    Trigger.CLI: "on the command line",
    Trigger.SCHEDULE: "on schedule",
}
MAX_PLACES = 6
MAX_FAILED = 50  # places that are listed before a signature; the others are marked in the form
MAX_RECORD = 500_000  # bytes; in larger ones no LEIs are looked for
OPEN_VERBS = (VerbState.PENDING, VerbState.FAILED, VerbState.RUNNING)


@dataclass(frozen=True)
class Problem:
    """One line of the error summary; ``target`` is the id of the field at fault."""

    message: str
    target: str = ""
    place: str = ""


@dataclass
class Page:
    """One state of the page. ``preview`` is what the checks and verbs say of the edited data, if they were asked."""

    result: ResearchResult
    person: AbstractUser
    submission: Submission
    preview: Preview | None = None
    confirming: bool = False
    open_panel: str = ""
    alerts: list[str] = field(default_factory=list)
    draft: Draft | None = None
    not_kept: DraftNotKept | None = None

    @property
    def kept(self) -> Draft | None:
        """What is kept of the edits on this page."""
        made_for_this = self.draft and self.draft.digest == self.result.digest and self.editable
        return self.draft if made_for_this and not self.not_kept else None

    @property
    def revision(self) -> int:
        """The draft that the form goes on from; in conflict with another window that of the form stays."""
        if self.not_kept:
            seen = self.submission.post.get("draft", "")
            return int(seen) if seen.isascii() and seen.isdigit() else 0
        return self.kept.revision if self.kept else 0

    @cached_property
    def window(self) -> str:
        """Tells this page from another window with the same result."""
        return self.submission.post.get("window") or token_hex(8)

    @cached_property
    def leftover(self) -> list[Change]:
        """Edits that the person kept and that can be signed no more: decided meanwhile, or made for other data."""
        if self.draft is None or self.kept or self.not_kept:
            return []
        submission = read_submission(self.result, self.submission.schema, self.draft.typed)
        return changes(self.result.data, submission.edits, submission.rows)

    @property
    def unchecked(self) -> bool:
        """Whether there are edits of which the checks on the page say nothing yet."""
        return self.preview is None and bool(self.submission.edits) and self.pending

    @cached_property
    def decision(self) -> Decision | None:
        return Decision.objects.filter(result=self.result).select_related("reviewer").first()

    @property
    def pending(self) -> bool:
        return self.result.state == ResultState.PENDING_REVIEW

    @property
    def expired(self) -> bool:
        """Whether it waited too long to be approved."""
        return self.result.expired(timezone.now())

    @property
    def why_not(self) -> str:
        """Why this person cannot decide, in a sentence; nothing when they can."""
        if not self.person.has_perm(DECIDE):
            return f"You can read this result but not decide about it: you lack the permission {DECIDE}."
        if four_eyes_blocks(self.person, self.result):
            return "Four-eyes rule: you asked for this research, so another person has to decide about it."
        return ""

    @property
    def editable(self) -> bool:
        return self.pending and not self.why_not

    @property
    def may_rerun(self) -> bool:
        return self.person.has_perm(START)

    @property
    def raw_tab(self) -> bool:
        return self.submission.tab == RAW

    @cached_property
    def checks(self) -> Sequence[CheckLike]:
        """What stands beside the rows: of the edited data if it was checked, else as stored."""
        found = self._found_checks()
        if not self._numbers:
            return found
        return [Verdict(**renumbered(asdict(check), self._numbers)) for check in found]

    def _found_checks(self) -> Sequence[Verdict]:
        if self.preview:
            return self.preview.checks
        if self.decision and self.decision.checks:
            return [Verdict(**check) for check in self.decision.checks]
        names = [each.name for each in fields_of(Verdict)]
        return [Verdict(**check) for check in self.result.checks.values(*names)]

    @cached_property
    def _numbers(self) -> dict[int, int]:
        """How the document numbers the sources of the run."""
        return shown_numbers(self.result.data, self.result.run.sources.values_list("number", "url"))

    @property
    def totals(self) -> list[Total]:
        return totals(self.checks)

    @property
    def failed(self) -> list[CheckLike]:
        return [check for check in self.checks if check.verdict == "fail"]

    @property
    def to_explain(self) -> list[CheckLike]:
        """In spite of which it can be approved only with a reason."""
        return list(filter(needs_reason, self.checks))

    @property
    def to_explain_count(self) -> int:
        return count_distinct(self.to_explain)

    @property
    def vouched(self) -> bool:
        """Whether any check passed besides that of the form: else there is nothing to be pleased about."""
        return any(check.verdict == "pass" and check.kind != CheckKind.SCHEMA for check in self.checks)

    @property
    def failed_count(self) -> int:
        """How many different things failed, however often each of them stands in the document."""
        return count_distinct(self.failed)

    @property
    def failed_by_place(self) -> list[tuple[str, list[CheckLike]]]:
        """The checks to be explained under the words for their places; places of which the same is said go together."""
        at: dict[str, list[CheckLike]] = {}
        for check in self.to_explain:
            at.setdefault(check.pointer, []).append(check)
        alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
        for place, found in at.items():
            alike.setdefault(tuple((check.subject, check.message) for check in found), []).append(place)
        return [(self._places(places), at[places[0]]) for places in islice(alike.values(), MAX_FAILED)]

    def _places(self, pointers: Sequence[str]) -> str:
        """``A, B, C and 12 more``, in words."""
        labels = list(
            dict.fromkeys(place_label(self.submission.data, p, self.submission.labels) for p in pointers)
        )
        more = len(labels) - MAX_PLACES
        return ", ".join(labels[:MAX_PLACES]) + f" and {more} more" * (more > 0)

    @cached_property
    def badges(self) -> dict[str, Badges]:
        return badges(self.checks, self.submission.rows, self.submission.places)

    @property
    def document_badges(self) -> Badges:
        """Checks of the document as a whole."""
        return self.badges.get("", Badges())

    @cached_property
    def failures(self) -> Looks:
        """What failed in a long form, before the form."""
        return looks(self.submission, self.badges, "fail")

    @cached_property
    def doubts(self) -> list[Looks]:
        """What else needs a look in a long form."""
        found = (looks(self.submission, self.badges, verdict) for verdict in ("warn", "unknown"))
        return [one for one in found if one.count]

    @cached_property
    def sources(self) -> list[SourceNote]:
        found = list(self.result.run.sources.order_by("number"))
        for source in found:
            source.number = self._numbers.get(source.number, source.number)  # for this page only
        found.sort(key=lambda source: source.number)
        records = Document.objects.filter(uses__in=found, mime="application/json", size__lte=MAX_RECORD)
        texts = dict(records.values_list("pk", "text"))
        return source_notes(found, self.submission.rows, self.badges, texts)

    @property
    def warned(self) -> list[SourceNote]:
        """The sources about which something is suspicious, such as orders to a machine that reads them."""
        return [note for note in self.sources if note.source.warnings]

    @cached_property
    def backing(self) -> Backing:
        """How much of the document as it is shown is backed by quotes."""
        shown = coverage(self.submission.data, self.submission.schema, self.checks)
        return backing(shown, self.checks, [note.source for note in self.sources])

    @cached_property
    def sections(self) -> list[FieldSection]:
        stale = self.preview is None and bool(self.submission.edits)
        since = self.since.before if self.since else {}
        return field_sections(
            self.submission, self.badges, self.sources, stale=stale, before=self._before(), since=since
        )

    @cached_property
    def form(self) -> Form:
        """The sections in parts, of which the first are on the page."""
        return Form(self.sections, Looked(self.submission.post, self.filter))

    @property
    def filter(self) -> str:
        """The filter that was posted; else of an answer that is refreshed what changed, of any other all."""
        asked = self.submission.post.get("filter")
        offered = [name for name in FILTERS if name != "changed" or self.since]
        usual = "changed" if self.since and self.since.before else ALL
        return RAW if self.raw_tab else asked if asked in offered else usual

    @property
    def saw(self) -> str:
        """The filters under which the page has stood, this one with them."""
        return " ".join(sorted(self.form.looked.page))

    @property
    def divided(self) -> list[tuple[FieldSection, list[Part]]]:
        return [(section, self.form.parts[section.id]) for section in self.sections]

    @cached_property
    def unopened(self) -> list[tuple[FieldSection, Part]]:
        """What of the form has not been opened."""
        return [] if self.raw_tab else list(self.form.unopened())

    @cached_property
    def shown(self) -> list[str]:
        """What of the data with the edits the person could see, as JSON Pointers."""
        rows, data, places = self.submission.rows, self.submission.data, self.submission.places
        cut_at = rows[-2].pointer if len(rows) > 1 and rows[-1].kind == "more" else ""
        found, everything = self.form.places(cut_at)
        if everything or self.form.looked.whole:
            return [*WHOLE]
        moved = (places[place] for place in found if place in places)
        return list(islice((place for place in moved if resolve(data, place)[0]), MAX_SHOWN))

    @cached_property
    def displayed(self) -> JsonObject:
        """How many values those are, of how many; of a decision, what it keeps."""
        if self.decision:
            return dict(self.decision.displayed)
        data = self.submission.data
        return as_displayed(read_places(self.shown, data)[0], data)

    @cached_property
    def unseen(self) -> list[Unseen]:
        """What is not sound in what was not opened: it has to be opened or named."""
        if self.preview is None:
            return []
        return unseen_of(self.result, self.preview, self.shown)

    @cached_property
    def since(self) -> Since | None:
        """What is different from what was approved before, where the same question was answered before."""
        baseline = baseline_of(self.result)
        return Since(self.result, baseline, self.submission.rows) if baseline else None

    def _before(self) -> dict[str, Shown]:
        """What approved values were before, as long as the edits moved no item of a list."""
        if self.decision is None or any(change.word in ("moved", "copied") for change in self.changes):
            return {}
        moved = any(
            edit["path"].rpartition("/")[2].isdigit() or edit["op"] == "remove" for edit in self.edits
        )
        pairs = zip(self.edits, self.changes, strict=False)
        return {} if moved else {edit["path"]: change.old for edit, change in pairs}

    @property
    def edits(self) -> list[JsonObject]:
        return list(self.decision.edits) if self.decision else self.submission.edits

    @cached_property
    def changes(self) -> list[Change]:
        return changes(self.result.data, self.edits, self.submission.rows)

    @property
    def confirmed(self) -> str:
        """The digest of the data that the confirmation speaks of."""
        return digest(self.submission.data)

    @property
    def base_text(self) -> str:
        return pretty_json(self.submission.base) if self.submission.base else ""

    @property
    def verbs_text(self) -> str:
        if self.preview:
            return self.preview.verbs
        return self.decision.verbs if self.decision else self.result.suggested_verbs

    @property
    def verb_lines(self) -> list[Line]:
        text = self.verbs_text.strip("\n")
        compared = self.result.suggested_verbs.strip("\n") if self.preview or self.decision else None
        return listing(text, compared) if text else []

    @property
    def verb_faults(self) -> list[JsonObject]:
        return self.preview.verb_faults if self.preview else list(self.result.verb_faults)

    @cached_property
    def calls(self) -> list[VerbCall]:
        if self.decision is None:
            return []
        return list(self.decision.verb_calls.select_related("executed_by").order_by("ordinal"))

    @property
    def may_execute(self) -> bool:
        return self.person.has_perm(EXECUTE)

    @property
    def take_back_url(self) -> str:
        """Where what was written can be taken back, for a person who may."""
        if not self.may_execute or not may_be_rolled_back(self.result):
            return ""
        return reverse("admin:research_researchresult_take_back", args=[self.result.pk])

    @cached_property
    def rollback(self) -> Rollback | None:
        return Rollback.objects.filter(decision=self.decision).select_related("actor").first()

    @property
    def taken_back(self) -> Told | None:
        """What was taken back, and what was kept and why."""
        return told_of(self.rollback) if self.rollback else None

    @cached_property
    def written(self) -> list[Entity]:
        """The entities that its verbs wrote to or rest on, in the order of the verbs; none that was taken back."""
        if self.decision is None or not self.person.has_perm("entities.view_entity"):
            return []
        effects = VerbEffect.objects.filter(call__decision=self.decision, call__state=VerbState.SUCCEEDED)
        slugs = dict.fromkeys(effects.order_by("call__ordinal", "pk").values_list("entity", flat=True))
        known = Entity.objects.only("slug", "name").in_bulk(slugs, field_name="slug")
        return [known[slug] for slug in slugs if slug in known]

    @property
    def open_calls(self) -> int:
        return sum(call.state in OPEN_VERBS for call in self.calls)

    @property
    def any_failed_call(self) -> bool:
        return any(call.state == VerbState.FAILED for call in self.calls)

    @cached_property
    def problems(self) -> list[Problem]:
        """What has to be put right before approval, with links to the fields."""
        labels = {row.pointer: row.label for row in self.submission.rows}
        found = [
            Problem(message, field_id(pointer) if pointer in labels else "", labels.get(pointer, pointer))
            for pointer, message in self.submission.errors.items()
        ]
        rows = {place: pointer for pointer, place in self.submission.places.items()}
        for check in self.failed if self.pending else ():
            if check.kind == CheckKind.SCHEMA:
                row = rows.get(check.pointer, check.pointer)
                target = field_id(row) if row in labels else ""
                found.append(Problem(check.message, target, labels.get(row, check.pointer)))
        if self.expired:
            found.append(Problem("It is out of date: send it back and run it again.", place="This result"))
        if self.verb_faults and self.pending:
            found.append(Problem(counted(len(self.verb_faults), "fault"), "verbs", "Verbs"))
        return found

    @cached_property
    def history(self) -> list[Entry]:
        return history(self.result)

    @cached_property
    def queue(self) -> Queue:
        return Queue(self.result)

    @property
    def as_of(self) -> str:
        """The register's own date, as the first source states it."""
        dates = (note.source.as_of for note in self.sources)
        return next((text[:10] for text in dates if text), "")

    @property
    def age(self) -> str:
        since = timezone.now() - self.result.created_at
        return f"{timesince(self.result.created_at)} ago" if since >= timedelta(minutes=1) else "just now"

    @property
    def duration(self) -> str:
        """``4 min, and 2 h waiting for a person``."""
        return in_a_sentence(spent(self.result.run))

    @cached_property
    def cost(self) -> str:
        """What the research cost; what nobody knows is not zero."""
        return spend_of(self.result.run).words

    @property
    def trigger(self) -> str:
        """Through which face of the house the research was asked for."""
        return TRIGGERS[Trigger(self.result.run.trigger)]

    @property
    def run_url(self) -> str:
        return admin_url("research_run", self.result.run_id)

    @property
    def macro_url(self) -> str:
        return admin_url("research_macro", self.result.run.macro_id)

    @cached_property
    def memo_form(self) -> MemoForm:
        """Which memos can be had of this result."""
        return MemoForm(auto_id="memo-%s", initial={"style": usual_style(self.result)})
