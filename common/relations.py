"""In which relation a word stands to others: by the preposition before it, or by the case of a German article."""

import re
from collections.abc import Container, Iterator, Sequence

_RELATION_WORDS = """to from by for against with without over under an von gegen fuer durch mit ohne ueber unter
    nach vor contre par pour avec sans chez apres avant da dal dalla dallo dai contro per con senza dopo prima"""
_PLACING_WORDS = """in im on am bei beim en dans nel nella nello ende anfang mitte since until seit bis al alla allo ai
    agli alle au aux"""
RELATIONS = frozenset(_RELATION_WORDS.split())
WEAK = frozenset(("of", "de", "di", "du", "del", "della", "dello", "des"))  # they relate in any way
_PLACING = frozenset(_PLACING_WORDS.split())
_PREPOSITIONS = RELATIONS | _PLACING | WEAK
_BY = frozenset(("by", "von", "durch", "par", "da", "dal", "dallo", "dalla", "dai"))
_TO = frozenset(("to", "al", "alla", "allo", "ai", "agli", "alle", "au", "aux"))
_THE = frozenset(("the", "a", "le", "la", "l", "les", "il", "lo", "i", "gli"))
_PLAIN = frozenset(("the", "-e", "-s", "-er", "-"))  # before a subject, and in most genders before an object
_ARTICLE = re.compile(r"(?:d(?=ie|as|e[rmn])|ein|kein|dies|jed|sein|ihr|unser)(ie|as|e[rmn]?|)")
_CASE = {"ie": "e", "as": "s"}
_OBLIQUE = frozenset(("em", "en"))
_OTHER_CASE = frozenset(
    frozenset(pair) for nominative in ("er", "") for pair in ((nominative, "em"), (nominative, "en"))
) | {frozenset(("e", "er")), frozenset(("s", "em"))}  # masculine, feminine, neuter


def related(words: Sequence[str], articles: frozenset[str]) -> Iterator[tuple[str, str]]:
    """(word, the relation in which it stands), past articles."""
    relation = ""
    for word in words:
        if word in RELATIONS or word in WEAK:
            relation = word
        elif word not in articles and word not in _THE:
            if relation:
                yield word, relation
            relation = ""


def governed(words: Sequence[str]) -> Iterator[tuple[str, str, bool]]:
    """(word, what stands before it and tells its part, whether that opens the text), past adjectives.

    That is a preposition; or of a German article the ending, ``-er`` of der and dieser, ``-em`` of dem and einem; or
    ``the`` for every other article.
    """
    before, first = "", False
    for place, word in enumerate(words):
        article = _ARTICLE.fullmatch(word)
        if word in _PREPOSITIONS:
            before, first = word, place == 0 or (first and bool(before))
        elif article or word in _THE:
            if before not in _PREPOSITIONS:
                before, first = f"-{_CASE.get(article[1], article[1])}" if article else "the", place == 0
        else:
            yield word, before, first
            if not word.endswith(("e", "en")):
                before, first = "", False


def taking_part(words: Sequence[str], *, passive: bool) -> list[str]:
    """The nouns of which the order tells who does it: who does it by the passive first, to whom it is done last."""
    agents, others, receivers = list[str](), list[str](), list[str]()
    for word, before, _ in governed(words):
        if passive and before in _BY:
            agents.append(word)
        elif before in _PLAIN:
            others.append(word)
        elif before in _TO:
            receivers.append(word)
    return list(dict.fromkeys((*agents, *others, *receivers)))


def tells_its_part(before: str, other: str, *, opens: bool) -> bool:
    """Whether a word has the same part in two texts wherever it stands in them."""
    if before[:1] == "-":
        return before == other and before[1:] in _OBLIQUE
    return before == other and opens and before in _PREPOSITIONS - WEAK


def is_another_case(
    words: Sequence[str], others: Sequence[str], nouns: Container[str], *, turned: bool
) -> bool:
    """Whether a German noun is the subject by its article in the one, and never in the other.

    ``turned``: only one of the two is passive, and then the accusative of the one is the subject of the other.
    """
    there: dict[str, set[str]] = {}
    for word, before, _ in governed(others):
        there.setdefault(word, set()).add(before)
    return any(
        word in nouns
        and word in there
        and all(_differ(before, other, turned=turned) for other in there[word])
        for word, before, _ in governed(words)
    )


def _differ(before: str, other: str, *, turned: bool) -> bool:
    endings = frozenset((before[1:], other[1:]))
    return before[:1] == other[:1] == "-" and endings in _OTHER_CASE and not (turned and "en" in endings)
