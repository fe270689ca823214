"""In which language a question is put: by its small words, and by the letters that only one language has."""

from collections.abc import Mapping

from research.engine.legal.terms import words_of

_GERMAN = """
der die das und oder ist sind im in von vom zu zur zum bei den dem des ein eine einer eines wann wie was welche welcher
welches nach für gegen mit ohne über unter kann darf muss wird werden hat haben nicht auf aus wer wenn gilt gelten ob
seit zwischen praxis rechtsprechung bundesgericht voraussetzungen kanton
"""
_FRENCH = """
le la les des du de et ou est sont dans en un une pour par avec sans sur sous quand comment quel quelle quels quelles
que qui peut doit être au aux selon contre pas ne si depuis entre l d jurisprudence tribunal fédéral conditions canton
"""
_ITALIAN = """
il lo la i gli le di del della dei delle degli e o è sono nel nella in un una uno per con senza su quando come quale
quali che chi può deve secondo contro non se dal dalla tra fra l d giurisprudenza tribunale federale condizioni cantone
"""
_ENGLISH = """
the of and or is are in on an a for to by with without when how what which who can must may does do under after against
not if from between since be has have case law court federal supreme requirements swiss canton
"""
_SMALL: Mapping[str, frozenset[str]] = {
    "de": frozenset(_GERMAN.split()),
    "fr": frozenset(_FRENCH.split()),
    "it": frozenset(_ITALIAN.split()),
    "en": frozenset(_ENGLISH.split()),
}
_LETTERS: Mapping[str, str] = {"de": "äöüß", "fr": "éèêçàùâîôœ", "it": "ìòù"}
DEFAULT = "de"


def language_of(text: str, terms: Mapping[str, int] | None = None) -> str:
    """``de``, ``fr``, ``it`` or ``en``; ``terms`` says how many legal terms of each language the text holds."""
    words = words_of(text)
    scores = {language: sum(word in small for word in words) for language, small in _SMALL.items()}
    for language, letters in _LETTERS.items():
        scores[language] += any(letter in letters for word in words for letter in word)
    for language, count in (terms or {}).items():
        scores[language] = scores.get(language, 0) + 2 * count
    best = max(scores.values(), default=0)
    return next((language for language, score in scores.items() if score == best > 0), DEFAULT)


SMALL_WORDS = frozenset[str]().union(*_SMALL.values())
"""Of all four languages; none of them says what a question is about."""
