"""One pass over a text: cheap anchors say where a citation may be, and only there a grammar looks.

Most anchors are literals that C finds at memory speed (``Art``, ``_`` before a digit, ``/`` before a year);
one pattern meets the abbreviations that begin with a capital. Grammars read a bounded stretch forward and
never behind the last mention, so the time is linear in the length of the text.
"""

import re
import string
from collections.abc import Callable, Iterable
from typing import TypeAlias

from citations.grammar import (
    act_first,
    backward,
    bge,
    cantonal,
    doctrine,
    federal,
    gazettes,
    journals,
    registries,
)
from citations.grammar.joined import joined
from citations.grammar.scan import Scan
from citations.grammar.statutes import FORMER_BEFORE, StatuteGrammar, is_foreign
from citations.mention import Mention
from citations.statutes import european
from citations.statutes.acts import ActTable, built_in

Named: TypeAlias = Callable[[Scan, int, int, str], object]


def _read_bge(scan: Scan, start: int, after: int, name: str) -> None:
    bge.read_bge(scan, start, after)


WORDS: dict[str, Named] = {
    **dict.fromkeys((*bge.NAMES, "Bge", "Atf", "Dtf"), _read_bge),
    **dict.fromkeys(federal.ADMINISTRATIVE, federal.read_collection),
    **dict.fromkeys(federal.MILITARY, federal.read_mkge),
    **dict.fromkeys(journals.JOURNALS | journals.GAZETTES, journals.read_journal),
    **dict.fromkeys(doctrine.SERIES, doctrine.read_series),
    "TPF": federal.read_tpf,
    "Jusletter": journals.read_online,
    "Aufl": lambda scan, start, after, name: doctrine.read_edition(scan, start),
    "Rz": lambda scan, start, after, name: doctrine.read_margin(scan, start),
    "BRGE": cantonal.read_brge,
    **dict.fromkeys(
        ("Nidwalden", "Nidwaldens", "NW"),
        lambda scan, start, after, name: cantonal.read_nidwalden(scan, start),
    ),
    "Bull": lambda scan, start, after, name: gazettes.read_named_bulletin(scan, start),
    "ECLI": registries.read_ecli,
    **dict.fromkeys(("EU", "CE"), registries.read_european),
    **dict.fromkeys(gazettes.BULLETINS, gazettes.read_bulletin),
    **dict.fromkeys(gazettes.COLLECTIONS, gazettes.read_number),
}
_ART = re.compile(r"[Aa](?:rt|RT)(?:[ts]?\.|ikeln?s?|icles?|icol[oi]|IKEL|ICLE)?\s*(?=\d)")
_FORMER = re.compile(r"(?<!\w)(?:alt|anc\.|ancien|vecchio)\s?$")
_SIGNS = (
    ("§", "section", re.compile(r"§§?\s*(?=\d)")),
    ("_", "underscore", re.compile(r"_\s?(?=\d)")),
    ("/", "slash", re.compile(r"/(?=/?\s?\d\d)")),
    ("/", "union", re.compile(rf"/(?={european.UNION}(?!\w))")),
    ("/", "doi", re.compile(r"/(?<=\d{4}/)(?=\S)")),
    ("/", "arxiv", re.compile(r"/(?<=rg/)(?=abs/|pdf/)")),
    ("X", "arxiv", re.compile(r"X(?<=rX)(?=iv)")),
)
"""Rare signs, which C finds faster than any pattern, and what must stand around them."""
_HEADS = (
    ("article", re.compile(r"Art(?:[ts]?\.|ikeln?s?|icles?|icol[oi])?\s*(?=\d)")),
    ("article", re.compile(r"art(?:[ts]?\.|ikeln?s?|icles?|icol[oi])?\s*(?=\d)")),
    ("backward", re.compile(r"O(?:(?<=a\.O)|(?<=a\. O))")),
    ("ecli", re.compile(r":(?<=ecli:)")),
    ("dot", re.compile(r"\.(?=(?:19|20)\d\d\.\d|\d{6}(?!\d))")),
    ("year", re.compile(r"20(?=\d\d(?: \d|(?:/\d\d?)?,? (?:S|p|Nr|\d)))")),
    ("small", re.compile(r"19(?=\d\d(?:/\d\d?)?,? (?:S\.|pp?\.|pag|Nr|\d))")),
    ("basel", re.compile(r"0 (?=[012]\d \d)")),
    ("basel", re.compile(r"5 (?=[012]\d \d)")),
    ("union", re.compile(rf"\((?={european.UNION}[,)])")),
    ("backward", re.compile(r"b(?=id\b|idem|d\.|enda)")),
    ("small_bge", re.compile(r"tf (?<=[ad]tf )")),
    ("edition", re.compile(r"d\.(?<=[ée]d\.)(?=,? [A-Z12])")),
)
_IN_CAPITALS = ("ART", "ARTIKEL", "ARTICLE")
_SMALL_ACTS = frozenset(("Cst", "Cost", "LAMal", "OAMal"))
"""Acts that end with a small letter and stand in front of their article: ``Cst. 29 II``."""
_BLANKS = ("\u00a0", "\u202f", "\u2009", "\u2007", "\u2002", "\u2003")
_CHAMBER = re.compile(r"(?<= )[ZVS] ")
_ACT = r" (?=\d{1,4}(?!\d))"
"""The last letter of an act in front of its article: ``OR 97 I``."""
_NUMBERED = r"[A-Z]\d{6}(?!\d)|[A-Z0-9]{0,5} ?(?:[ZVS] |BI )?(?:(?:20)?\d\d[ /]\d|\d{1,3}-20\d\d)"


def _branches(words: Iterable[str]) -> str:
    """An alternation that branches on its first letter, so that C leaves it at the first letter that is none."""
    heads: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        heads.setdefault(word[:1], []).append(word[1:])
    return "|".join(
        re.escape(head) + "(?:" + "|".join(map(re.escape, tails)) + ")"
        for head, tails in sorted(heads.items())
    )


def _capital(letter: str) -> str:
    tails = [word[1:] for word in (*WORDS, *_SMALL_ACTS, *_IN_CAPITALS) if word.startswith(letter)]
    named = f"(?:{_branches(tails)})(?![A-Za-zäöüé])|" if tails else ""
    second = "".join(sorted({tail[0] for tail in tails if tail[0].islower()}))
    return f"{letter}(?=[A-Z0-9 {second}])(?:{named}{_NUMBERED}|{_ACT})"


_CAPITAL = re.compile("|".join(map(_capital, string.ascii_uppercase)))
_LITERALS = {"cit.": "backward", "ommenta": "long", "bge ": "small_bge"}


def extract(text: str, *, acts: ActTable | None = None) -> list[Mention]:
    """All citations of ``text`` in order, without overlap; an empty text has none."""
    broken = joined(text)
    whole = broken.joined if broken else text
    plain = _with_plain_blanks(whole)
    mentions = _read(plain, acts or built_in())
    if plain is not whole:
        for mention in mentions:
            mention.raw = whole[mention.start : mention.end]
    if broken and broken.gaps:
        for mention in mentions:
            broken.place(mention)
    return mentions


def _with_plain_blanks(text: str) -> str:
    """Blanks that do not break, and thin ones, are blanks; each takes one place, so that offsets stay."""
    for blank in _BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    return text


def _read(text: str, acts: ActTable) -> list[Mention]:
    scan = Scan(text)
    readers = _readers(scan, StatuteGrammar(acts))
    for at, name in _anchors(text):
        if at >= scan.end:
            readers[name](at)
    return scan.mentions


def _anchors(text: str) -> list[tuple[int, str]]:
    found = [(hit.start(), "capital") for hit in _CAPITAL.finditer(text)]
    for sign, name, pattern in _SIGNS:
        at = text.find(sign)
        while at >= 0:
            if pattern.match(text, at):
                found.append((at, name))
            at = text.find(sign, at + 1)
    for name, pattern in _HEADS:
        found += [(hit.start(), name) for hit in pattern.finditer(text)]
    for literal, name in _LITERALS.items():
        at = text.find(literal)
        while at >= 0:
            found.append((at, name))
            at = text.find(literal, at + 1)
    found.sort()
    return found


def _readers(scan: Scan, grammar: StatuteGrammar) -> dict[str, Callable[[int], object]]:
    return {
        "article": lambda at: _article(scan, grammar, at),
        "section": lambda at: _section(scan, grammar, at),
        "underscore": lambda at: federal.read_underscore(scan, at),
        "slash": lambda at: federal.read_slash(scan, at) or cantonal.read_slashed(scan, at),
        "dot": lambda at: cantonal.read_dotted(scan, at),
        "year": lambda at: cantonal.read_spaced(scan, at - 1) or journals.read_small(scan, at),
        "basel": lambda at: cantonal.read_spaced(scan, at),
        "doi": lambda at: registries.read_doi(scan, scan.text.rfind("10.", max(scan.end, at - 12), at)),
        "capital": lambda at: _read_capital(scan, grammar, at),
        "backward": lambda at: backward.read_backward(scan, at),
        "long": lambda at: doctrine.read_long_name(scan, at),
        "arxiv": lambda at: registries.read_arxiv(scan, at - (9 if scan.text[at] == "/" else 2)),
        "small_bge": lambda at: _small_bge(scan, at - (scan.text[at] == "t")),
        "small": lambda at: journals.read_small(scan, at),
        "union": lambda at: gazettes.read_european(scan, at),
        "edition": lambda at: doctrine.read_edition(scan, at - 1),
        "ecli": lambda at: registries.read_ecli(scan, at - 4),
    }


def _article(scan: Scan, grammar: StatuteGrammar, at: int) -> None:
    text = scan.text
    after = _ART.match(text, at)
    if act_first.read_before_article(scan, at, grammar.table):
        return
    before = text[at - 1 : at]
    if before == "a" and not text[at - 2 : at - 1].isalpha():
        at -= 1
    elif text[at - 3 : at] in FORMER_BEFORE and (former := _FORMER.search(text, max(scan.end, at - 9), at)):
        at = former.start()
    elif before.isalpha():
        return
    if after and not is_foreign(scan, at):
        grammar.read(scan, at, after.end())


def _section(scan: Scan, grammar: StatuteGrammar, at: int) -> None:
    if found := _SIGNS[0][2].match(scan.text, at):
        grammar.read(scan, at, found.end(), "§")


def _read_capital(scan: Scan, grammar: StatuteGrammar, at: int) -> None:
    found = _CAPITAL.match(scan.text, at)
    word = found[0] if found else ""
    if len(word) == 2 and word[1] == " ":
        if not act_first.read_before_number(scan, at, grammar.table) and word == "N ":
            doctrine.read_margin(scan, at)
    elif scan.text[at - 1 : at].isalpha():  # CPC 60 ends like a series of commentaries
        cantonal.read_spaced(scan, at) or act_first.read_before_number(
            scan, at + len(word) - 1, grammar.table
        )
    elif word in _IN_CAPITALS:
        _article(scan, grammar, at)
    elif word in _SMALL_ACTS:
        dot = scan.text[at + len(word) : at + len(word) + 1] == "."
        act_first.read_before_number(scan, at + len(word) - 1 + dot, grammar.table)
    elif reader := WORDS.get(word):
        end = scan.end
        reader(scan, at, at + len(word), word)
        if (
            scan.end == end
        ):  # ZK is a commentary, and a chamber as well; RU is a gazette, and RU200012 a docket
            cantonal.read_zurich(scan, at) or cantonal.read_spaced(scan, at)
    elif word[2:].isdigit():
        cantonal.read_zurich(scan, at)
    elif not cantonal.read_spaced(scan, at) and (inner := _CHAMBER.search(word)):
        cantonal.read_spaced(scan, at + inner.start())  # VGer GR S 20 12, unlike OG S 20 12


def _small_bge(scan: Scan, at: int) -> None:
    if not scan.text[at - 1 : at].isalpha():
        bge.read_bge(scan, at, at + 3)
