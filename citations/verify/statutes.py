"""Articles of acts: against an article index where one is loaded for the act, else as far as the act is known."""

import bisect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Protocol, TypeAlias

from citations.mention import Mention
from citations.statutes.acts import built_in
from citations.verify.judgement import Finding, Standing

AUTHORITY = "article-index"
FEDLEX = "fedlex"
TABLE = "built-in table"
_ARTICLE = re.compile(r"(\d+)\s?([a-z]*)")
_RANGE = re.compile(r"(\d+\s?[a-z]{0,12})\s?[-–]\s?(\d+\s?[a-z]{0,12})")
_NEAREST = 3


@dataclass(frozen=True)
class ActArticles:
    """The articles of one act: number (``336c``) and whether it was repealed; ``as_of`` is the date of the text."""

    repealed: Mapping[str, bool]
    as_of: str = ""


Articles: TypeAlias = Callable[[str], ActArticles | None]  # by SR number


_UNLISTED = {
    "foreign_law": "{} is law of the European Union, which is not looked up.",
    "former_law": "{} is law that is no longer in force; no list of its articles is kept.",
}


def judge_statute(mention: Mention, articles: Articles) -> Standing:
    """How an article stands; an act that is not known, or has no list of articles here, leaves it unknown."""
    name, number = str(mention.normalized), mention.data.get("sr")
    if mention.reason == "unknown_act":
        act = mention.data.get("act")
        return Standing("unknown", "unknown_act", f"No act with the abbreviation {act} is known here.", TABLE)
    if mention.candidates:
        message = "The abbreviation names several acts, and nothing decides which is meant."
        return Standing("unknown", "ambiguous", message, TABLE, suggestions=mention.candidates)
    if mention.reason in _UNLISTED:
        message = _UNLISTED[mention.reason].format(name)
        return Standing("unknown", mention.reason, message, TABLE, evidence={"sr": number} if number else {})
    if not isinstance(number, str):
        return Standing("unknown", "cantonal_act", "An act whose articles no list here holds.", TABLE)
    listed = articles(number)
    if listed is None:
        message = f"The act is SR {number}; no list of its articles was imported, so the article is open."
        return Standing("unknown", "act_known", message, TABLE, _address(number), evidence={"sr": number})
    return _listed(name, number, str(mention.data.get("article", "")), listed)


def judge_number(name: str) -> Standing:
    """``SR 220``: the act that the built-in table has under it; one that it lacks may be there all the same."""
    number = name.removeprefix("SR ")
    act = built_in().numbers.get(number)
    if act is None:
        message = f"The table here has no act {name}; it holds those that are cited most."
        return Standing("unknown", "act_not_listed", message, TABLE, _address(number))
    return Standing(
        "exists", "act", f"SR {number} is {act.key}.", TABLE, _address(number), evidence={"sr": number}
    )


def _listed(name: str, number: str, article: str, listed: ActArticles) -> Standing:
    evidence = {"sr": number, "articles": len(listed.repealed)}
    missing = [one for one in _ends(article) if one not in listed.repealed]
    if missing:
        message = f"{name} does not exist: SR {number} has no article {missing[0]}."
        near = tuple(f"Art. {one} {name.rpartition(' ')[2]}" for one in _near(missing[0], listed))
        return Standing(
            "nonexistent", "article", message, AUTHORITY, _address(number), listed.as_of, evidence, near
        )
    message = f"SR {number} has this article."
    return Standing("exists", "article", message, AUTHORITY, _address(number), listed.as_of, evidence)


class InForce(Protocol):
    """An article as Fedlex gives it."""

    @property
    def number(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def in_force_since(self) -> date | None: ...


def in_force(article: InForce, *, today: date) -> Standing:
    """What Fedlex says by giving an article."""
    since = article.in_force_since.isoformat() if article.in_force_since else ""
    when = f" since {since}" if since else ""
    message = f"{FEDLEX} has this article in the version in force{when}."
    evidence = {"article": article.number, "in_force_since": since}
    return Standing("exists", "article", message, FEDLEX, article.url, today.isoformat(), evidence)


def law_findings(mention: Mention, articles: Articles) -> tuple[Finding, ...]:
    """What to know of the law that is cited: no longer in force, or repealed."""
    if mention.reason == "former_law":
        message = f"{mention.normalized} is former law: check whether the law in force says the same."
        return (Finding("law", "warn", message),)
    listed = articles(mention.data["sr"]) if isinstance(mention.data.get("sr"), str) else None
    gone = [one for one in _ends(str(mention.data.get("article", ""))) if listed and listed.repealed.get(one)]
    if not gone:
        return ()
    return (Finding("law", "warn", f"Article {gone[0]} of SR {mention.data['sr']} was repealed."),)


def article_key(article: str) -> str:
    """``336 C`` and ``336c`` are one: digits and small letters without blanks."""
    return re.sub(r"\s+", "", article).lower()


def _ends(article: str) -> list[str]:
    """Both ends of a range, or the article."""
    found = _RANGE.fullmatch(article.strip())
    return [article_key(one) for one in (found.groups() if found else (article,))]


def _near(article: str, listed: ActArticles) -> list[str]:
    """The listed articles on both sides."""
    ordered = sorted(listed.repealed, key=_order)
    at = bisect.bisect_left(ordered, _order(article), key=_order)
    return ordered[max(0, at - 2) : at + 1][-_NEAREST:]


def _order(article: str) -> tuple[int, str]:
    found = _ARTICLE.match(article)
    return (int(found[1]), found[2]) if found else (0, article)


def _address(number: str) -> str:
    """Where Fedlex finds an act by its number in the systematic collection."""
    return f"https://www.fedlex.admin.ch/de/search?text={number}"
