"""Detect the language of a question, by stop words and by letters unique to one language."""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from research.engine.legal.terms import words_of

_GERMAN = """
der die das und oder ist sind im in von vom zu zur zum bei beim den dem des ein eine einer eines einem einen
wann wie was welche welcher welches welchem welchen nach für gegen mit ohne über unter kann darf muss wird
werden hat haben nicht auf aus wer wen wem wessen wenn gilt gelten ob seit zwischen praxis rechtsprechung
bundesgericht voraussetzungen kanton weshalb warum wieso weswegen wozu woher wohin wodurch womit wofür wovon
worauf woran worin worüber inwiefern inwieweit wieviel wieviele können könnte könnten konnte dürfen dürfte
dürften durfte müssen müsste müssten musste sollen soll sollte sollten wollen möchte würde würden worden wurde
wurden wäre wären seien sein seine seiner seinem seinen ihre ihrer ihrem ihren dessen deren diese dieser
dieses diesem diesen jene jener jenes solche solcher solches jede jeder jedes jedem jeden alle allen aller man
sich dass damit daher deshalb falls sofern soweit sobald solange während trotz wegen durch bis gegenüber
innert innerhalb ausserhalb anstatt statt bereits auch noch nur schon mehr weniger überhaupt jemand niemand
etwas nichts braucht brauchen benötigt benötigen bedarf gibt geben besteht bestehen hätte hätten hatte lässt
lassen macht machen heisst bedeutet denn doch jedoch aber sondern sowie weder entweder stehen steht darauf
daraus davon dazu dabei dagegen hierzu hierfür kommt kommen
"""
_FRENCH = """
le la les des du de et ou est sont dans en un une pour par avec sans sur sous quand comment quel quelle quels
quelles que qui peut doit être au aux selon contre pas ne si depuis entre l d jurisprudence tribunal fédéral
conditions canton pourquoi où combien lequel laquelle lesquels lesquelles duquel auquel auxquels auxquelles
desquels desquelles quoi dont lorsque lorsqu puisque puisqu parce afin peuvent pouvait pourrait pourraient
pouvoir doivent devrait devraient devoir faut faudrait fallait falloir serait seraient était étaient sera
seront ont avait avaient aurait auraient avoir faire fait font cela ceci celui celle ceux celles cette ces son
ses leur leurs notre votre elle ils elles nous vous lui même mêmes aussi encore déjà plus moins très tout
toute tous toutes chaque aucun aucune vers chez dès durant pendant avant après lors hors outre envers parmi
malgré sauf comme ainsi donc mais existe existent suffit suffisent est-ce quelqu personne rien jusqu quant cas
"""
_ITALIAN = """
il lo la i gli le di del dello della dei delle degli e o è sono nel nello nella nei nelle negli in un una uno
per con senza su quando come quale quali che chi può deve secondo contro non se dal dallo dalla dai dalle
dagli tra fra l d giurisprudenza tribunale federale condizioni cantone perché quanto quanta quanti quante dove
donde cosa cui affinché poiché siccome qualora laddove possono potrebbe potrebbero potere devono dovrebbe
dovrebbero dovere occorre occorrono bisogna essere stato stata stati avere hanno avrebbe avrebbero viene
vengono venire fare fanno questo questa questi queste quello quella quelli quelle suo sua suoi loro nostro
vostro anche ancora già più meno molto tutto tutta tutti tutte ogni alcun alcuna nessun nessuna verso presso
durante prima dopo oltre fino sino così dunque quindi però allo alla alle agli sullo sulla sulle sugli succede
accade esiste esistono sarebbe sarebbero fosse fossero qualcuno nessuno nulla
"""
_ENGLISH = """
the of and or is are in on an a for to by with without when how what which who can must may does do under
after against not if from between since be has have case law court federal supreme requirements swiss canton
why where whether whose whom whoever whatever whenever wherever while would could should shall might cannot
did done was were been being had having this that these those there their theirs they them its his her our
your any some each every all both either neither such then than because although though unless until during
before among within upon about above below into onto through happens happen become becomes need needs required
somebody someone anybody anyone nobody something anything nothing
"""
_SMALL: Mapping[str, frozenset[str]] = {
    "de": frozenset(_GERMAN.split()),
    "fr": frozenset(_FRENCH.split()),
    "it": frozenset(_ITALIAN.split()),
    "en": frozenset(_ENGLISH.split()),
}
_LETTERS: Mapping[str, str] = {"de": "äöüß", "fr": "éèêçàùâîôœ", "it": "ìòù"}
DEFAULT = "de"


_SENTENCE = re.compile(r"[.?!;\n]+(?:\s|$)")
Terms: TypeAlias = Callable[[str], Mapping[str, int]]


def language_of(text: str, terms: Terms = lambda part: {}) -> str:
    """``de``, ``fr``, ``it`` or ``en``: the language of the first sentence that shows one.

    Small words decide, so that a German question about a ``condition suspensive`` stays German; ``terms`` says how many
    legal terms of each language a text holds, and decides where small words do not.
    """
    for sentence in (*_SENTENCE.split(text), text):
        scores = _small_words(sentence)
        if any(scores.values()) and (language := _leader(scores, terms(sentence))):
            return language
    counted = terms(text)
    return max(counted, key=lambda language: counted[language]) if counted else DEFAULT


def _small_words(text: str) -> dict[str, int]:
    words = words_of(text)
    scores = {language: sum(word in small for word in words) for language, small in _SMALL.items()}
    for language, letters in _LETTERS.items():
        scores[language] += any(letter in letters for word in words for letter in word)
    return scores


def _leader(scores: Mapping[str, int], terms: Mapping[str, int]) -> str:
    """The language with the most stop words. A tie is decided by terms, else there is none."""
    best = max(scores.values())
    leaders = {language: terms.get(language, 0) for language, score in scores.items() if score == best}
    most = max(leaders.values())
    named = [language for language, count in leaders.items() if count == most]
    return named[0] if len(named) == 1 else ""


SMALL_WORDS = frozenset[str]().union(*_SMALL.values())
"""Of all four languages; none of them says what a question is about."""
