"""Verifying citations: by the lists at hand, then by what was answered lately, then, so far as is allowed, by asking.

Answers are kept: a found work for a day, one that a source does not have for an hour. Trouble is never kept. A work
that was found once goes on existing when its source cannot be asked.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import zip_longest
from operator import itemgetter
from typing import Any, TypeAlias

from django.conf import settings
from django.utils import timezone

from citations.extract import extract
from citations.mention import Mention
from citations.models import Citation
from citations.services.authorities import lists
from citations.services.questions import ask, source_of, text_of
from citations.sources.decisions import CourtDecision
from citations.sources.fedlex import Article
from citations.sources.naming import citation_of
from citations.verify import courts as decided
from citations.verify import support
from citations.verify.judge import Lists, judge, local_standing
from citations.verify.judgement import OPEN, Finding, Judgement, Standing
from citations.verify.quoted import quotes_of
from citations.verify.statutes import in_force
from common.outside.faults import SourceFault
from common.text import storable, storable_text

Key: TypeAlias = tuple[str, str]
ReadText: TypeAlias = Callable[[str], str]  # the text of a work by its name; empty when it is not at hand
SECONDS = 20.0
FOUND = ("exists", "start")
_BATCH = 400
_SKIPPED = "Nobody was asked: as many questions as one request may ask were asked already."


@dataclass
class Budget:
    """How many questions may still be asked, and until when (monotonic seconds) one may begin."""

    lookups: int
    until: float
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self.any = self.lookups > 0

    def take(self) -> bool:
        """Whether one more may be asked; then it is counted."""
        if self.lookups < 1 or self.clock() >= self.until:
            return False
        self.lookups -= 1
        return True


def verify(
    mentions: Sequence[Mention],
    *,
    text: str = "",
    lookups: int = 0,
    seconds: float = SECONDS,
    now: datetime | None = None,
) -> list[Judgement]:
    """What is said of each citation of one text, in its order; see ``verify_texts``."""
    return verify_texts([(text, mentions)], lookups=lookups, seconds=seconds, now=now)[0]


def verify_texts(
    texts: Sequence[tuple[str, Sequence[Mention]]],
    *,
    lookups: int = 0,
    seconds: float = SECONDS,
    now: datetime | None = None,
    at_hand: ReadText = lambda name: "",
) -> list[list[Judgement]]:
    """What is said of the citations of each text; a work that several cite is looked up once.

    At most ``lookups`` questions are asked outside, none begins later than after ``seconds``; ``at_hand`` gives the
    texts of decisions that need not be asked for, by their names. Never raises for a source in trouble: what it would
    have decided is ``unknown``.
    """
    now = now or timezone.now()
    hand = lists(today=timezone.localdate(now))
    budget = Budget(lookups, time.monotonic() + seconds)
    works: dict[Key, Standing] = {}
    everything = [one for _, mentions in texts for one in mentions]
    for mention in everything:
        if (key := _key(mention)) not in works:
            works[key] = local_standing(mention, hand)
    undecided = (one for one in everything if works[_key(one)].reason == "act_known")
    works |= _articles_kept(undecided, now)
    open_works = {key: standing for key, standing in works.items() if _asked(key, standing)}
    works |= _looked_up(open_works, budget, now)
    reader = _Reader(budget, now, at_hand)
    return [_judged(text, mentions, works, hand, reader) for text, mentions in texts]


def _judged(
    text: str, mentions: Sequence[Mention], works: Mapping[Key, Standing], hand: Lists, reader: "_Reader"
) -> list[Judgement]:
    quotes = quotes_of(text, mentions)
    judged = []
    for place, (mention, following) in enumerate(zip_longest(mentions, mentions[1:])):
        one = judge(mention, works[_key(mention)], hand, text=text, following=following)
        said = tuple(reader.look(one, words) for words in quotes.get(place, ()))
        judged.append(replace(one, findings=(*one.findings, *said)))
    return judged


def _key(mention: Mention) -> Key:
    return mention.kind, mention.normalized or ""


def _asked(key: Key, standing: Standing) -> bool:
    """Whether a source could say more than the lists do."""
    open_here = standing.verdict in OPEN and standing.reason not in ("ambiguous", "act_known")
    return open_here and bool(key[1]) and bool(source_of(key[0]))


def _looked_up(works: Mapping[Key, Standing], budget: Budget, now: datetime) -> dict[Key, Standing]:
    kept = kept_answers(works)
    down: dict[str, SourceFault] = {}
    found: dict[Key, Standing] = {}
    for key, local in works.items():
        row, source = kept.get(key), source_of(key[0])
        if row is not None and row.expires_at and row.expires_at > now:
            found[key] = _better(local, standing_of(row))
        elif source in down:
            found[key] = _stale(row) or in_trouble(local, down[source])
        elif not budget.take():
            found[key] = _stale(row) or _not_asked(local, budget)
        else:
            try:
                found[key] = _better(local, look_up(key, now=now))
            except SourceFault as trouble:
                if trouble.code != "refused":  # it did not like this one question
                    down[source] = trouble
                found[key] = _stale(row) or in_trouble(local, trouble)
    return found


def _not_asked(local: Standing, budget: Budget) -> Standing:
    """What the lists say; where nothing, whether somebody was meant to be asked."""
    if local.reason != "not_asked" or not budget.any:
        return local
    return replace(local, message=_SKIPPED)


def _better(local: Standing, answer: Standing) -> Standing:
    """A source that does not have a BGE says less than the list, which says that its volume is open."""
    return local if answer.verdict == "not_found_here" and local.verdict == "undecidable" else answer


def _stale(row: Citation | None) -> Standing | None:
    return standing_of(row) if row is not None and row.verdict in FOUND else None


def in_trouble(local: Standing, trouble: SourceFault) -> Standing:
    """What the list says of a BGE stays, with why nobody could say more; of any other work nothing is known."""
    if local.verdict == "undecidable":
        return replace(local, message=f"{local.message} {trouble.message}")
    message = f"{trouble.message} Nothing is known of this citation because of that."
    return Standing("unknown", trouble.code, message, trouble.source)


def look_up(key: Key, *, now: datetime) -> Standing:
    """Ask the source of a kind and keep the answer. Raises SourceFault, which is not kept."""
    standing = ask(*key, today=timezone.localdate(now))
    hours = settings.CITATION_FOUND_HOURS if standing.verdict in FOUND else settings.CITATION_NOT_FOUND_HOURS
    keep({key: standing}, now=now, expires_at=now + timedelta(hours=hours))
    return standing


def remember(decisions: Iterable[CourtDecision], *, now: datetime | None = None) -> None:
    """Keep that the source gave these decisions: who has just read one need not ask whether there is one."""
    now = now or timezone.now()
    works: dict[Key, Standing] = {}
    for decision in decisions:
        named = [one for one in extract(citation_of(decision)) if one.normalized and not one.candidates]
        if len(named) == 1 and source_of(named[0].kind) == decided.AUTHORITY:
            name = str(named[0].normalized)
            works[named[0].kind, name] = decided.found(name, [decision], today=timezone.localdate(now))
    if works:  # in one order for all, or two searches wait in a circle
        ordered = dict(sorted(works.items(), key=itemgetter(0)))
        keep(ordered, now=now, expires_at=now + timedelta(hours=settings.CITATION_FOUND_HOURS))


def remember_article(article: Article, act: str, *, now: datetime | None = None) -> None:
    """Keep that Fedlex gave this article of an act, named by its canonical abbreviation: it is in force today."""
    now = now or timezone.now()
    standing = in_force(article, today=timezone.localdate(now))
    hours = timedelta(hours=settings.CITATION_FOUND_HOURS)
    keep({("statute", f"Art. {article.number} {act}"): standing}, now=now, expires_at=now + hours)


def _articles_kept(mentions: Iterable[Mention], now: datetime) -> dict[Key, Standing]:
    """Of articles that no list decides, those that Fedlex gave lately, whichever paragraph is cited."""
    wanted = {_key(one): ("statute", f"Art. {one.data['article']} {one.data['act']}") for one in mentions}
    kept = kept_answers(wanted.values())
    return {
        key: standing_of(row)
        for key, article in wanted.items()
        if (row := kept.get(article)) and row.expires_at and row.expires_at > now
    }


def kept_answers(keys: Iterable[Key]) -> dict[Key, Citation]:
    """What sources answered before about these works, however long ago."""
    wanted = set(keys)
    names = sorted({name for _, name in wanted})
    found: dict[Key, Citation] = {}
    for start in range(0, len(names), _BATCH):
        rows = Citation.objects.filter(key__in=names[start : start + _BATCH], expires_at__isnull=False)
        found |= {(row.kind, row.key): row for row in rows if (row.kind, row.key) in wanted}
    return found


def standing_of(row: Citation) -> Standing:
    """What a kept answer says."""
    return Standing(
        verdict=row.verdict,  # type: ignore[arg-type]  # the database knows the words
        reason=row.reason,
        message=row.message,
        authority=row.authority,
        url=row.url,
        as_of=row.as_of,
        evidence=row.evidence,
        suggestions=tuple(row.suggestions),
    )


def keep(works: Mapping[Key, Standing], *, now: datetime, expires_at: datetime | None = None) -> None:
    """Write what is known of works; ``expires_at`` None is for what the lists at hand say.

    Always in the same order: two that write the same works at once would otherwise wait for each other.
    """
    Citation.objects.bulk_create(
        [
            _row(key, standing, now, expires_at)
            for key, standing in sorted(works.items(), key=itemgetter(0))
            if len(key[1]) <= 300
        ],
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=["kind", "key"],
        update_fields=[
            *("verdict", "reason", "message", "authority", "url", "as_of", "evidence", "suggestions"),
            *("checked_at", "expires_at"),
        ],
    )


def _row(key: Key, standing: Standing, now: datetime, expires_at: datetime | None) -> Citation:
    return Citation(
        kind=key[0],
        key=storable_text(key[1]),
        verdict=standing.verdict,
        reason=standing.reason,
        message=storable_text(standing.message),
        authority=standing.authority,
        url=storable_text(standing.url)[:1000],
        as_of=standing.as_of,
        evidence=storable(standing.evidence),
        suggestions=list(standing.suggestions),
        checked_at=now,
        expires_at=expires_at,
    )


@dataclass
class _Reader:
    """Reads decisions for what is quoted from them: those at hand, then, so far as is allowed, by asking."""

    budget: Budget
    now: datetime
    at_hand: ReadText
    read: dict[Key, tuple[str, bool] | str] = field(default_factory=dict)

    def look(self, judged: Judgement, words: str) -> Finding:
        """What a decision says of words quoted from it; ``unknown`` when nobody has read it for them."""
        key = _key(judged.mention)
        if key not in self.read:
            self.read[key] = self._text(key, judged.standing)
        found = self.read[key]
        if isinstance(found, str):
            return support.not_read(words, found)
        return support.quote(words, found[0], cut=found[1], pins=judged.mention.pinpoints)

    def _text(self, key: Key, standing: Standing) -> tuple[str, bool] | str:
        """The text and whether it was cut, or a sentence on why there is none."""
        if text := self.at_hand(key[1]):
            return text, len(text) >= support.CUT_NEAR
        unread = "The text was not read for this quote."
        if source_of(key[0]) != decided.AUTHORITY or standing.verdict in ("nonexistent", "not_found_here"):
            return unread
        try:
            decisions = standing.evidence.get("decisions") or self._asked(key)
            if not decisions or not self.budget.take():
                return unread
            return text_of(decisions[0]["id"])
        except SourceFault as trouble:
            return trouble.message

    def _asked(self, key: Key) -> list[dict[str, Any]]:
        """The decisions under a name that a list has: it says that they exist, and nothing of what they say."""
        row = kept_answers([key]).get(key)
        if row is not None and row.verdict in FOUND:
            return list(row.evidence.get("decisions") or ())
        return look_up(key, now=self.now).evidence.get("decisions") or [] if self.budget.take() else []
