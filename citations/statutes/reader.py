"""Reads a statute citation word by word: articles, paragraphs, letters, ranges, enumerations, and the act
that ends it.

``Art. 41 und 41a Abs. 1 OR`` gives two references: what stands behind a comma or an ``und`` begins another
one at the level of the last label. Nothing counts before an act is found.
"""

import re
from collections.abc import Callable
from typing import ClassVar

from citations.grammar.headers import DASHED
from citations.statutes import words
from citations.statutes.acts import ActTable
from citations.statutes.codes import Code, find_code, find_named

ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII")
MAX_WORDS = 160
MOST_PARAGRAPHS = 4
"""So far apart two paragraphs of one article are hardly named."""
_TOKEN = re.compile(
    rf"""\s*+(?:
    (?P<num>{words.NUMBER})
    |(?P<infine>(?:in\s++fine|i\.f\.|am\s++Ende|[ae]\s++contrario|par\s++analogie|sinngemäss|Ingress|(?:UAbs|Unterabs)\.\s?\d|analog|per\s++analogiam)\b\.?)
    |(?P<abs>{words.ABS}\s*+(?:{DASHED}\s++)?(?=\d|[IVX]))
    |(?P<ziff>{words.ZIFF}\s*+(?=\d|[IVX]+\b))
    |(?P<lit>{words.LIT}\s*+(?=\d\s|[a-z](?![a-z]|[A-Z])|[a-z](?:bis|ter|quater|[a-z])(?![a-z])))
    |(?P<satz>{words.SATZ}\s*+(?=\d))
    |(?:(?:à|de|selon|dans|par|nach|gemäss|von)\s++)?(?:(?:l|all|dell|nell|dall|d)['’]|(?:les|gli|agli|degli|aux|des|den|der)\s++)?(?P<art>{words.ART}(?=\d))
    |(?P<paren>(?:(?:,\s*+)?(?:points?|(?:sub)?paragraphs?|letters?|Nummer|Buchstabe|Unterabsatz)\s++)?\((?:\d{{1,3}}(?:bis|ter)?|[ivx]{{1,5}}|[a-z]{{1,2}})\))
    |(?P<roman>(?:I{{1,3}}|IV|VI{{0,3}})(?=\s(?:lit\.|lett?\.|Ziff\.|ch\.|letter|number|Cst|Cost|[A-Z][A-Za-z]*[A-Z])))
    |(?P<code>(?:(?:a|k|v|alt|anc\.\s|ancien(?:ne)?\s)(?=[A-Z]))?[A-ZÄÖÜÉ(«\[])
    |(?P<link>{words.LINK})
    |(?P<follow>ff\.?|f\.|et\s++seqq?\.|et\s++ss?\.?(?![a-z])|ss\.?(?![a-z])|s\.(?!\s?\d)|(?:e\s++)?segg?\.|et\s++suiv(?:\.|ants))
    |(?P<header>{DASHED}(?=\s++[A-Za-z(]))
    |(?P<range>[-–—]\s*+(?=\d|[a-z](?![A-Za-z]))|(?:bis\s++(?:und\s++mit\s++|zu\s++)?|à\s++|al?\s++|to\s++)(?:[Aa]rt\.\s++)?(?=\d|[a-z](?![A-Za-z])))
    |(?P<of>{words.OF})
    |(?P<join>{words.JOIN})
    |(?P<annex>(?=(?:annexe|allegato|ann\.|all\.|Anh\.|disp\.)\s))
    )""",
    re.VERBOSE,
)
_ORDINAL = re.compile(
    rf"\s*+,?\s*+(?:(?P<ord>{words.ORDINAL})|(?P<last>letzte[rn]?|dernière|ultim[ao]))\s++{words.SATZ}"
)
_LETTER = re.compile(r"\s*+((?:([a-z])\2|[a-z])(?:bis|ter|quater|quinquies)?)(?![A-Za-zäöüéèà])")
_DIGIT_NEXT = re.compile(r"\s*+\d")
_ROMAN = re.compile(r"\s*+([IVX]{1,5})(?![A-Za-z])")
_LABELLED = re.compile(rf"\s*+,?\s*+(?:{words.ABS}\s*+\d|{words.LIT}\s*+[a-z]\b)")
_SUFFIX_SPACE = re.compile(r"\s++")
LEVELS = {"abs": "Abs.", "lit": "lit.", "ziff": "Ziff.", "satz": "Satz"}


class Ref:
    """One reference: where it is written, the article, and (label, value) below it."""

    __slots__ = ("article", "end", "follow", "french_par", "parts", "sign", "start")

    def __init__(self, start: int, sign: str, article: str) -> None:
        self.start, self.end = start, start
        self.sign, self.article, self.follow = sign, article, ""
        self.parts: list[tuple[str, str]] = []
        self.french_par = False

    def written(self, code: str) -> str:
        """The canonical form: ``Art. 363 Abs. 1 lit. a Ziff. 2 OR``."""
        pieces = [self.sign, self.article]
        for part in self.parts:
            pieces += part
        if self.follow:
            pieces.append(self.follow)
        pieces.append(code)
        return " ".join(pieces)

    def count_by_numbers(self) -> None:
        """``par. 1`` of a treaty is ``Ziff. 1`` in German."""
        if self.french_par:
            self.parts = [("Ziff." if label == "Abs." else label, value) for label, value in self.parts]


class Reader:
    """One attempt at a position; ``refs`` and ``code`` are filled when it succeeds, ``pos`` is where it stopped."""

    def __init__(self, text: str, pos: int, table: ActTable) -> None:
        self.text, self.pos, self.table = text, pos, table
        self.refs: list[Ref] = []
        self.code: Code | None = None
        self.level = "art"
        self.want = "art"
        self.linked = False
        self.token = pos
        self.languages: set[str] = set()
        self.first: int | None = pos
        self.sign = "Art."

    def read(self, start: int, sign: str) -> bool:
        """Read from behind the article word that begins at ``start``; True when an act ends the citation."""
        self.first, self.sign = start, sign
        for _ in range(MAX_WORDS):
            if self.want in ("value", "item", "to") and self.level == "lit" and self._letter():
                continue
            found = _TOKEN.match(self.text, self.pos)
            if not found or not found.lastgroup:
                if self._ordinal():
                    continue
                return False
            name = found.lastgroup
            self.token = found.start(name)
            if not self.actions[name](self, found[name], found.end()):
                return self.code is not None
        return False

    # Each action reads one word; False ends the reading.

    def _num(self, written: str, end: int) -> bool:
        if self.want == "":
            return self._ordinal()
        value = _SUFFIX_SPACE.sub("", written)
        if self.want == "art" or (self.want == "item" and self._is_article(value, end)):
            if self.want == "item" and self._ordinal():
                return True
            self._begin(value)
        elif self.want == "to":
            self._extend(value)
        elif self.want == "value":
            self._part(value)
        elif self._ordinal():
            return True
        else:
            self._same_level(value)
        self._took(end)
        return True

    def _is_article(self, value: str, end: int) -> bool:
        """Does a bare number behind a comma begin an article, and not another paragraph of the last one?"""
        if self.level == "art" or self.linked:
            return True
        if self.level == "abs" and _LABELLED.match(self.text, end) and value.isdigit():
            return bool(re.match(rf"\s*+,?\s*+{words.ABS}", self.text[end : end + 8])) or int(value) > 12
        digits = re.match(r"\d+", value)
        above = re.match(r"\d+", self.refs[-1].article)
        number = int(digits[0]) if digits else 0
        if number < (int(above[0]) if above else 0):
            return False
        if 0 < number - self._last_number() <= MOST_PARAGRAPHS:
            return False  # Ziff. 20 und 21
        return number > 10 or (self.level == "abs" and number > MOST_PARAGRAPHS + self._last_number())

    def _last_number(self) -> int:
        """The paragraph that was named last: behind ``al. 3`` comes ``et 4``, and ``et 9`` is an article."""
        digits = re.match(r"\d+", self.refs[-1].parts[-1][1]) if self.refs[-1].parts else None
        return int(digits[0]) if digits else 0

    def _begin(self, article: str) -> None:
        start = self.token if self.first is None else self.first
        self.refs.append(Ref(start, self.sign, article))
        self.first = None
        self.level, self.linked = "art", False

    def _same_level(self, value: str) -> None:
        last, label = self.refs[-1], LEVELS[self.level]
        ref = Ref(self.token, last.sign, last.article)
        ref.french_par = last.french_par
        ref.parts = [part for part in last.parts if part[0] != label]
        if len(ref.parts) < len(last.parts):
            ref.parts = last.parts[: next(i for i, part in enumerate(last.parts) if part[0] == label)]
        ref.parts.append((label, value))
        self.refs.append(ref)

    def _part(self, value: str) -> None:
        self.refs[-1].parts.append((LEVELS[self.level], value))

    def _extend(self, value: str) -> None:
        ref = self.refs[-1]
        if self.level == "art" or not ref.parts:
            ref.article = f"{ref.article}-{value}"
        else:
            label, first = ref.parts[-1]
            ref.parts[-1] = (label, f"{first}-{value}")

    def _took(self, end: int) -> None:
        self.pos = self.refs[-1].end = end
        self.want = ""

    def _letter(self) -> bool:
        """A letter after ``lit.``, or one more of a list of letters."""
        found = _LETTER.match(self.text, self.pos)
        if not found or (self.want == "item" and _DIGIT_NEXT.match(self.text, found.end())):
            return False
        self.token = found.start(1)
        if self.want == "value":
            self._part(found[1])
        elif self.want == "to":
            self._extend(found[1])
        else:
            self._same_level(found[1])
        self._took(found.end())
        return True

    def _label(self, level: str, written: str, end: int) -> bool:
        if not self.refs or self.want not in ("", "item"):
            return False
        label, last = LEVELS[level], self.refs[-1]
        if any(part[0] == label for part in last.parts):
            ref = Ref(self.token, last.sign, last.article)
            ref.parts = last.parts[: next(i for i, part in enumerate(last.parts) if part[0] == label)]
            self.refs.append(ref)
        self._note_language(written)
        self.level, self.want, self.pos = level, "value", end
        return level == "lit" or self._roman_or_number()

    def _roman(self, written: str, end: int) -> bool:
        """``Art. 5 II BV``: a paragraph in Roman figures, as commentaries write it."""
        if not self.refs or self.want or self.level != "art":
            return self._code(written, end)
        self.level = "abs"
        self.refs[-1].french_par = True
        self._part(str(ROMAN.index(written)))
        self._took(end)
        return True

    def _roman_or_number(self) -> bool:
        if found := _ROMAN.match(self.text, self.pos):
            self._part(found[1])
            self._took(found.end())
        return True

    def _note_language(self, written: str) -> None:
        word = written.strip().rstrip(".").lower()
        if word in words.PAR:
            self.refs[-1].french_par = True
        for language, heads in (
            ("de", ("abs", "bst", "buch", "ziff", "satz")),
            ("fr", ("al", "let", "ch", "phr", "par")),
            ("it", ("cpv", "capov", "lett", "cif", "fras")),
        ):
            if word.startswith(heads) and not (
                language == "fr" and word.startswith("lett") and word != "lettre"
            ):
                self.languages.add(language)

    def _abs(self, written: str, end: int) -> bool:
        if written.startswith("§") and self.sign == "§":
            return self._art(written, end)  # § 10 Abs. 1 i.V.m. § 7 Abs. 2: no paragraph, the next section
        return self._label("abs", written, end)

    def _lit(self, written: str, end: int) -> bool:
        return self._label("lit", written, end)

    def _ziff(self, written: str, end: int) -> bool:
        return self._label("ziff", written, end)

    def _satz(self, written: str, end: int) -> bool:
        return self._label("satz", written, end)

    def _ordinal(self) -> bool:
        """``1re phrase``, ``zweiter Satz``."""
        found = _ORDINAL.match(self.text, self.pos)
        if not found or not self.refs:
            return False
        value = next((name[1] for name in ("o1", "o2", "o3", "o4", "o5") if found[name]), "letzter")
        self.refs[-1].parts.append(("Satz", value))
        self.level = "satz"
        self._took(found.end())
        return True

    def _infine(self, written: str, end: int) -> bool:
        self.pos = end
        return bool(self.refs)

    def _follow(self, written: str, end: int) -> bool:
        if not self.refs or self.want:
            return False
        plural = written.startswith(("ff", "ss", "et ss", "segg", "e segg", "et suiv", "et seq"))
        self.refs[-1].follow = "ff." if plural else "f."
        self._took(end)
        return True

    def _link(self, written: str, end: int) -> bool:
        if self.want and self.want != "item":
            return False
        self.want, self.linked, self.pos = "item", True, end
        return bool(self.refs)

    def _join(self, written: str, end: int) -> bool:
        if not self.refs or self.want not in ("", "item"):
            return False
        if self._ordinal():
            return True
        self.want, self.pos = "item", end
        return True

    def _range(self, written: str, end: int) -> bool:
        if not self.refs or self.want:
            return False
        if written.startswith("al") and self._is_smaller(end):  # art. 97 al 1 CO, without the dot
            return self._label("abs", written, end)
        self.want, self.pos = "to", end
        return True

    def _is_smaller(self, pos: int) -> bool:
        """A range does not end before it began."""
        first, last = re.match(r"\d+", self.refs[-1].article), re.match(r"\d+", self.text[pos : pos + 4])
        return self.level == "art" and first is not None and last is not None and int(last[0]) < int(first[0])

    def _art(self, written: str, end: int) -> bool:
        if self.want != "item":
            return False
        self.want, self.pos, self.linked = "art", end, True
        self.first = self.token
        return True

    def _paren(self, written: str, end: int) -> bool:
        """English: ``Art. 97(1)(a)``, ``Article 4(1)(39)``: paragraph, letter, and a number below what has been named."""
        if not self.refs or self.want not in ("", "item"):
            return False
        value = written[written.index("(") + 1 : -1]
        if self.want == "item":  # Art. 3(1) and (2)
            if not self._is_of_level(value):
                self.level = "abs" if value[0].isdigit() else "lit"
            self._same_level(value)
            self._took(end)
            return True
        above = {label for label, _ in self.refs[-1].parts}
        if value[0].isdigit():
            self.level = "ziff" if above else "abs"
            self.refs[-1].french_par |= not above
        else:
            self.level = "ziff" if "lit." in above else "lit"
        self._part(value)
        self._took(end)
        return True

    def _is_of_level(self, value: str) -> bool:
        """``Art. 4(1)(39) and (40)``: the last label goes on."""
        last = self.refs[-1].parts[-1][1] if self.refs[-1].parts else ""
        return self.level == "ziff" and last[:1].isdigit() == value[:1].isdigit()

    def _of(self, written: str, end: int) -> bool:
        """``der Bundesverfassung``, ``du CO``: a name in full, or the abbreviation itself."""
        if self.refs and self.want == "" and not words.FOREIGN_BEFORE.match(self.text, end):
            self.code = find_named(self.text, end, self.table, self.languages)
        return False

    def _code(self, written: str, end: int) -> bool:
        if self._ordinal():
            return True
        if self.refs and self.want in ("", "item"):
            at = self.token + (written in ("(", "«", "["))
            self.code = find_code(self.text, at, self.table, self.languages) or self._bare_name(at)
        return False

    def _bare_name(self, at: int) -> Code | None:
        """``Art. 29 Abs. 2 Bundesverfassung``: a name without an article word before it."""
        named = self.want == "" and self.table.name_at(self.text, at)
        return find_named(self.text, at, self.table, self.languages) if named else None

    def _annex(self, written: str, end: int) -> bool:
        return self._code(written, end)

    actions: ClassVar[dict[str, Callable[["Reader", str, int], bool]]] = {
        "num": _num, "roman": _roman, "infine": _infine, "header": _infine, "abs": _abs, "lit": _lit, "ziff": _ziff, "satz": _satz, "code": _code, "link": _link,
        "follow": _follow, "art": _art, "range": _range, "of": _of, "join": _join, "paren": _paren, "annex": _annex,
    }  # fmt: skip
