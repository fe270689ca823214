"""A whole document in another language's citation style: citations change, everything else stays byte for byte.

Words are changed where they stand, so that enumerations and lists keep their shape: ``Art. 97 Abs. 1 und 2 OR`` becomes
``art. 97 al. 1 et 2 CO``.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from citations.extract import extract
from citations.format import act_name
from citations.grammar.dates import IN_BETWEEN, iso, written
from citations.grammar.joined import whole
from citations.grammar.statutes import TREATIES
from citations.language import LABELS, SERIES, translate_pinpoints, translate_statute
from citations.mention import Language, Mention
from citations.statutes.acts import ActTable, built_in

_DOCKETS = frozenset(("bger", "evg", "bvger", "bstger", "bpatger", "cantonal"))
_SERIES = re.compile(r"(?i:BGE|ATF|DTF|DFT|SFT)(?=[\s\d(])|BVGE|ATAF|DTAF|MKGE|ATMC|STMC")
_ROOT = {word: root for root, by_language in SERIES.items() for word in by_language.values()}
_ROOT |= dict.fromkeys(("DFT", "SFT"), "BGE")  # as English texts call it
_LEAD = re.compile(
    r"\b(?:(?P<one>Urteil|arrêt|sentenza|judgment)|(?P<many>Urteile|arrêts|sentenze|judgments))"
    r"(?P<court>\s+(?:des Bundesgerichts|du Tribunal fédéral|del Tribunale federale|of the Federal Supreme Court))?"
    r"(?P<gap>\s+)$"
)
_BETWEEN = re.compile(r"\s*(?:,|;)?\s*(?:und|et|ed?|and|sowie|ainsi que|nonché|oder|ou|o|or)?\s*")
_LINK = re.compile(r"\s*(?:i\.\s?V\.\s?m\.|en\s+\w+\s+avec|in\s+\w+\s+con|in conjunction with)\s*(?:l['’])?")


_PREPOSITION = re.compile(r"(?:\b(?:vom|v\.|von|du|de|del|dated|of|ergangen am)|\bdell['’])?\s*$")


class Change(NamedTuple):
    """One stretch of the text, what stood there, and what stands there now."""

    start: int
    end: int
    before: str
    after: str


def convert(text: str, language: Language, *, acts: ActTable | None = None) -> str:
    """``text`` with its citations in the style of ``language``."""
    return apply(text, conversions(text, language, acts=acts))


def conversions(text: str, language: Language, *, acts: ActTable | None = None) -> list[Change]:
    """What ``convert`` changes, in order and without overlap."""
    table = acts or built_in()
    changes: list[Change] = []
    previous: Mention | None = None
    for mention in extract(text, acts=table):
        floor = previous.end if previous else 0
        changes += _in_front(text, mention, previous, floor, language)
        changes.append(Change(mention.start, mention.end, mention.raw, rewrite(mention, language, table)))
        previous = mention
    return [change for change in changes if change.before != change.after]


def apply(text: str, changes: list[Change]) -> str:
    """The text after the changes."""
    pieces: list[str] = []
    end = 0
    for change in changes:
        pieces += (text[end : change.start], change.after)
        end = change.end
    return "".join([*pieces, text[end:]])


def rewrite(mention: Mention, language: Language, acts: ActTable) -> str:
    """The words of one mention in another language, where they stand."""
    cut = mention.name_end - mention.start
    name, rest = whole(mention.raw[:cut]), whole(mention.raw[cut:])
    if mention.kind == "statute":
        return _statute(mention, name, rest, language, acts)
    if mention.kind in ("bge", "bvge", "mkge"):
        return _SERIES.sub(lambda found: _series(found[0], language), name, count=1) + _rest(rest, language)
    if mention.kind in _DOCKETS:
        return name + _rest(rest, language)
    return mention.raw


def _series(word: str, language: Language) -> str:
    root = _ROOT.get(word.upper())
    return SERIES[root][language] if root else word


def _rest(rest: str, language: Language) -> str:
    """The date and the pinpoints behind a name."""
    dated = IN_BETWEEN.match(rest)
    date = iso(dated["date"]) if dated else None
    if not dated or not date:
        return translate_pinpoints(rest, language)
    before = re.match(r"\s*,?\s*", rest)
    gap = before[0] if before else " "
    day = written(date, language)
    of = "dell'" if language == "it" and day.startswith(("8 ", "11 ")) else LABELS["vom"][language] + " "
    kept = _PREPOSITION.sub("", rest[len(gap) : dated.start("date")])  # des Bundesgerichts
    return gap + kept + of + day + translate_pinpoints(rest[dated.end() :], language)


def _statute(mention: Mention, name: str, act: str, language: Language, acts: ActTable) -> str:
    if in_front := mention.data.get("in_front"):  # OR 97 I
        behind = translate_statute(name[len(in_front) :], language)
        if behind.strip().isalnum():
            return name + act  # ZGB 8: not every abbreviation and a number is a citation
        return act_name(mention.data["act"], language, acts) + behind + act
    body = translate_statute(name, language)
    labels = [label for label, _ in mention.data["parts"]]
    if mention.data["act"] in TREATIES and "Ziff." in labels and "Abs." not in labels:
        body = body.replace(LABELS["Abs."][language], LABELS["par."][language])
        body = body.replace(LABELS["Ziff."][language], LABELS["par."][language])
    if not act.strip():
        return body + act
    gap = act[: len(act) - len(act.lstrip(" ,\n"))]
    if mention.data.get("sr") is None and mention.reason != "foreign_law":
        return body + act
    key = mention.data["act"]
    if key.startswith("a") and key[1:2].isupper() and not act.lstrip().startswith("a"):
        key = key[1:]  # aArt. 25 IVG: the mark stands at the article
    return body + (gap or " ") + act_name(key, language, acts)


def _in_front(
    text: str, mention: Mention, previous: Mention | None, floor: int, language: Language
) -> Iterator[Change]:
    """``Urteil`` in front of a docket, and the ``und`` that ties an article to the one before."""
    gap = text[max(floor, mention.start - 60) : mention.start]
    if mention.kind == "bger" and (lead := _LEAD.search(gap)):
        start = mention.start - len(gap) + lead.start()
        word = LABELS["Urteil" if lead["one"] else "Urteile"][language]
        court = " " + LABELS["des Bundesgerichts"][language] if lead["court"] else ""
        yield Change(start, mention.start, text[start : mention.start], word + court + lead["gap"])
    elif (
        previous
        and mention.kind == previous.kind == "statute"
        and previous.name_end == previous.end
        and (_BETWEEN.fullmatch(gap) or _LINK.fullmatch(gap))
    ):
        yield Change(floor, mention.start, gap, translate_statute(gap, language))
