"""One citation at a time: what the lists at hand say of it, and what its text says that does not agree."""

from dataclasses import dataclass
from datetime import date

from citations.authority.bge import BgeIndex
from citations.mention import Mention
from citations.verify import collection, courts, identifiers, statutes
from citations.verify.judgement import Finding, Judgement, Standing
from citations.verify.stated import stated_date
from citations.verify.statutes import Articles


def _no_articles(number: str) -> None:
    return None


@dataclass(frozen=True)
class Lists:
    """What is at hand without asking anybody; nothing of it need be imported."""

    today: date
    index: BgeIndex = BgeIndex(0)  # noqa: RUF009 - frozen
    index_as_of: str = ""
    articles: Articles = _no_articles


def local_standing(mention: Mention, lists: Lists) -> Standing:
    """How a citation stands by the lists alone."""
    name = mention.normalized
    if name is None:
        return identifiers.nobody("back_reference")
    if mention.kind == "statute":
        return statutes.judge_statute(mention, lists.articles)
    if mention.kind == "sr":
        return statutes.judge_number(name)
    if mention.candidates:
        message = "The number fits several courts, and nothing says which is meant."
        return Standing("unknown", "ambiguous", message, suggestions=mention.candidates)
    return _by_kind(mention.kind, name, lists)


def _by_kind(kind: str, name: str, lists: Lists) -> Standing:
    today = lists.today
    if kind == "bge":
        return collection.judge_bge(name, lists.index, today=today, as_of=lists.index_as_of)
    if name.startswith(("BVGE ", "TPF ")):
        return collection.judge_yearly(name, today=today)
    if kind in courts.KINDS:
        return courts.impossible(name, today=today) or courts.not_asked(name)
    if kind == "arxiv" and (impossible := identifiers.impossible_arxiv(name, today=today)):
        return impossible
    if kind in ("doi", "arxiv"):
        return Standing("unknown", "not_asked", "Its registry was not asked yet.")
    return identifiers.nobody(kind)


def judge(
    mention: Mention, standing: Standing, lists: Lists, *, text: str = "", following: Mention | None = None
) -> Judgement:
    """The standing of a citation with everything that its text says against it."""
    found: list[Finding | None] = [*courts.agreement(mention, standing)]
    if mention.kind == "bge" and mention.normalized and standing.verdict != "nonexistent":
        stated = mention.date or stated_date(text, mention, following)
        found.append(collection.date_of_volume(mention.normalized, stated))
        found.append(collection.pages_of(mention.normalized, mention.pinpoints, lists.index))
    if mention.kind == "statute":
        found += statutes.law_findings(mention, lists.articles)
    return Judgement(mention, standing, tuple(one for one in found if one))
