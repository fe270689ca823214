"""Statutes whose act stands in front: ``OR 97 I``, ``ZPO 59 II lit. c``, ``HMG Art. 26``, ``CO 336 I``.

Behind ``Art.`` any known act counts. Without it a number may be anything, so a paragraph in Roman figures, a label or
``ff.`` must follow, or the act must be one that is cited like this every day (``ZGB 8``).
"""

import re
from functools import lru_cache

from citations.grammar.scan import Scan
from citations.statutes import words
from citations.statutes.acts import ActTable
from citations.statutes.codes import Code, find_code
from citations.statutes.reader import ROMAN, Ref

ALONE = frozenset(
    "OR ZGB StGB StPO ZPO BV BGG SchKG EMRK IPRG VwVG ATSG SVG CPC CPP LTF LDIP CEDH".split()  # noqa: SIM905 - a table
)
"""Acts whose abbreviation and a number are a citation."""
LAST_ARTICLE = 1200
"""No act has more articles; what is more is a year."""
_WORD = re.compile(r"(?<![\w/.-])[A-ZÄÖÜa][A-Za-zÄÖÜäöüéè]{1,9}\.?(?:[ ]\d)?$")
_PAR = r"(?:VIII|VII|VI|IV|V|III|II|I)"
_FOLLOW = r"(?:(?P<ff>ff\.?|ss\.?|segg\.)|(?P<f>f\.|s\.|seg\.))(?![a-z])"
_REF = re.compile(
    rf"(?P<art>{words.ART}|[Aa]rt\s++(?=\d))?(?:(?P<article>{words.NUMBER}(?:\s?[-–]\s?\d{{1,4}}[a-z]?(?![\w.]))?)(?![\d%'’]|[.,/]\d\d)|(?=[IV]))"
    rf"(?:\s*+(?:(?P<roman>{_PAR}(?:\s?[-–]\s?{_PAR})?(?:bis|ter)?)(?![\w-]|\.\S|\s?[-–]\s?\d)|{words.ABS}\s*+(?P<abs>\d{{1,2}}(?:bis|ter|quater)?(?:\s?[-–]\s?\d{{1,2}})?)(?![\w.]\d)))?"
    rf"(?:\s++{words.LIT}\s*+(?P<lit>[a-z](?:bis|ter)?(?:\s?[-–]\s?[a-z])?)(?![a-zäöü])|\s(?!f\.|s\.)(?P<bare>[a-z])(?=[,;)]|\.(?!\s?\S)|\.\s[A-ZÄÖÜ]|$|\s(?:und|et|ed?|and|ou|oder|or?|sowie)\s))?"
    rf"(?:\s++{words.ZIFF}\s*+(?P<ziff>\d{{1,2}})(?!\d))?(?:\s++(?:{words.SATZ}\s*+(?P<satz>\d)))?(?:\s?{_FOLLOW})?"
)
_JOIN = re.compile(
    rf"\s*+(?:/|,|;|(?:,\s*+)?(?:und|sowie|et|ed?|and|oder|ou|{words.LINK})\s)\s*+(?=\d|[Aa]rt|[IV]+(?!\w))"
)
_STOPS = re.compile(
    r"\s*+(?:$|[.,;:)\]/»”\"–-]|(?:und|et|e|and|sowie)\s|i\.\s?V\.|(?!bis\b|à\b)[a-zäöüéèà]{2,}\b)"
)
"""What may follow a number without a label: no noun that it counts, no other number."""


def read_before_article(scan: Scan, at: int, table: ActTable) -> bool:
    """An act right before the ``Art.`` at ``at``, and no other behind what follows."""
    if not (scan.text[at - 2 : at - 1].isupper() or scan.text[at - 3 : at - 1] in _endings(table)):
        return False
    end = at - 1
    while end > scan.end and scan.text[end - 1] in ", ":
        end -= 1
    return end < at and _read(scan, end, table)


@lru_cache(maxsize=4)
def _endings(table: ActTable) -> frozenset[str]:
    """How acts end whose last letter is a small one, with a dot or a comma: a look at them spares the rest."""
    small = {code[-2:] for code in table.codes() if not code[-1].isupper()}
    return frozenset(small | {code[-1] + "," for code in table.codes()})


def read_before_number(scan: Scan, at: int, table: ActTable) -> bool:
    """The last letter of an act may stand at ``at`` (or the dot of ``Cst.``), and a blank and a number behind it."""
    return _read(scan, at + 1, table)


def _read(scan: Scan, end: int, table: ActTable) -> bool:
    before = scan.before(end, 14)
    word = _WORD.search(before)
    if not word:
        return False
    start = end - len(before) + word.start()
    code = find_code(scan.text, start, table, set())
    if code is None or code.end != end or not (code.acts or code.foreign):
        return False
    refs = _refs(scan.text, code, table)
    if refs:
        _report(scan, start, code, refs)
    return bool(refs)


def _refs(text: str, code: Code, table: ActTable) -> list[Ref]:
    refs: list[Ref] = []
    pos = _blank(text, code.end)
    while found := _REF.match(text, pos):
        if not _counts(text, found, code, refs):
            break
        refs.append(_ref(found, refs))
        joined = _JOIN.match(text, found.end())
        if not joined:
            break
        pos = joined.end()
    if refs and text[refs[-1].end : refs[-1].end + 1] == " ":
        behind = find_code(text, refs[-1].end + 1, table, set())
        return [] if behind and (behind.acts or behind.foreign) else refs  # im OR Art. 8 ZGB
    return refs


def _blank(text: str, pos: int) -> int:
    while text[pos : pos + 1] in (",", " ", "\n"):
        pos += 1
    return pos


def _counts(text: str, found: re.Match[str], code: Code, refs: list[Ref]) -> bool:
    """Is this a reference to the act, and no other number?"""
    article = found["article"]
    if article is None:
        return bool(found["roman"] and refs)  # OR 18 I und II
    if int(re.match(r"\d+", article)[0]) > LAST_ARTICLE:  # type: ignore[index]
        return False
    if found["roman"] and "V" in found["roman"] and code.key not in ALONE and not found["art"]:
        return False  # volts
    labelled = any(found[name] for name in ("art", "roman", "abs", "lit", "ziff", "ff", "f"))
    if refs:
        return bool(labelled)
    return bool(labelled or (_stands_alone(text, code) and _STOPS.match(text, found.end())))


def _stands_alone(text: str, code: Code) -> bool:
    """``ZGB 8``; behind a noun ``OR 4`` may be the name of a thing."""
    written = next((act for act in ALONE if text.endswith(act, 0, code.end)), "")
    start = code.end - len(written)
    return bool(written) and not (len(written) == 2 and _NOUN.search(text, max(0, start - 25), start))


_NOUN = re.compile(r"[\w,]\s[A-ZÄÖÜ][\wäöü-]+\s$")


def _ref(found: re.Match[str], refs: list[Ref]) -> Ref:
    article = found["article"] or refs[-1].article
    ref = Ref(found.start(), "Art.", re.sub(r"\s", "", article).replace("–", "-"))
    roman = found["roman"] and re.sub(_PAR, lambda one: str(ROMAN.index(one[0])), found["roman"])
    for label, value in (
        ("Abs.", roman or found["abs"]), ("lit.", found["lit"] or found["bare"]), ("Ziff.", found["ziff"]), ("Satz", found["satz"])
    ):  # fmt: skip
        if value:
            ref.parts.append((label, re.sub(r"\s", "", value).replace("–", "-")))
    ref.follow = "ff." if found["ff"] else "f." if found["f"] else ""
    ref.end = found.end()
    return ref


def _report(scan: Scan, start: int, code: Code, refs: list[Ref]) -> None:
    number = code.acts[0].number if len(code.acts) == 1 else None
    candidates = tuple(f"{act.key} (SR {act.number})" for act in code.acts) if len(code.acts) > 1 else ()
    for index, ref in enumerate(refs):
        begin = ref.start if index else start
        mention = scan.add("statute", begin, ref.end, ref.written(code.key))
        mention.reason, mention.candidates = code.reason, candidates
        mention.data = {
            "sign": ref.sign, "article": ref.article, "parts": ref.parts, "follow": ref.follow, "act": code.key, "sr": number,
            "in_front": scan.text[start : code.end] if not index else "",
        }  # fmt: skip
