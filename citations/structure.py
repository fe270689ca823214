"""How a decision is built, and who speaks in it: facts, what parties submit, the court's own reasons, the ruling.

Rules read headings, verbs of saying and reported speech. Where nothing tells who speaks, nobody is named.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

Part: TypeAlias = Literal["opening", "facts", "reasons", "ruling"]
Voice: TypeAlias = Literal["court", "party", "lower", "open", "facts", "headnote", "ruling", ""]

MAX_SKIPPED, MAX_CONSIDERATION = 3, 30  # considerations that an extract leaves out, and the highest there is
MAX_SPEECH = 12  # sentences in a row that report what somebody said
_BLANK = r"[ \t\xa0]"
_END = re.compile(r"[.!?](?=\s+[A-ZÄÖÜÀÉÈ«„\"(])")
_SHORT = re.compile(
    r"(?:^|[\s(-])(?:Art|art|Abs|al|cpv|lit|let|lett|Ziff|ch|consid|Erw|E|S|p|pag|Nr|no|n|vgl|Vgl|cf|Cf|bzw|resp|f|ff|ss|"
    r"s|seg|segg|BGE|ATF|DTF|z\.B|d\.h|u\.a|i\.V\.m|a\.a\.O|op|cit|Dr|Prof|lic|iur|dt|Kt|St|[A-Z]|\d{1,2})\.$"
)
_HEADING = re.compile(
    rf"^{_BLANK}*(?:E\.{_BLANK}?|consid\.{_BLANK}?)?(\d{{1,2}}(?:\.\d{{1,2}}){{0,4}})\.?-?(?=[ \t\n\xa0])",
    re.MULTILINE,
)
_ITEM = r"(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[a-z]{1,2}\)|\([a-z0-9]{1,3}\)|[-–−•])"
_BREAK = re.compile(  # between paragraphs: a line break within a sentence is none
    rf"\n{_BLANK}*(?=\n)|(?<=[:;]){_BLANK}*\n|\n(?={_BLANK}*{_ITEM}[ \t\n\xa0])"
)
_IN_A_LIST = re.compile(r"\s*(?:[a-z]{1,2}\)|\([a-z0-9]{1,3}\)|[-–−•]|[1-9]\.(?!\d)|\d\))\s+\S")
_NEXT = re.compile(
    r"(?:Zweitens|Drittens|Viertens|Fünftens|Deuxièmement|Troisièmement|Quatrièmement"
    r"|En (?:deuxième|second|troisième) lieu|In (?:secondo|terzo|quarto) luogo|Secondly|Thirdly|Second,|Third,|Fourth)"
)
_UNFINISHED = re.compile(r"[:;,](?:\s(?:und|oder|sowie|et|ou|ed?|oppure|od?|and|or))?$")
MAX_ITEMS, MIN_OPENING = 20, 30
_BULLET = re.compile(r"^\s*(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[a-z]{1,2}\))\s+")
_FACTS = re.compile(
    rf"^{_BLANK}*(?:Sachverhalt|Tatsachen|(?:En )?[Ff]aits?|(?:In |Ritenuto in )?[Ff]att[oi]|Facts"
    rf"|Vu en fait)\b[^\n]{{0,40}}$"
    rf"|^{_BLANK}*A\.(?:-|a)?{_BLANK}*(?=\n|[A-ZÄÖÜÀÉÈ])",
    re.MULTILINE,
)
_REASONS = re.compile(
    rf"^{_BLANK}*(?:(?:Aus den )?Erwägung(?:en)?|E r w ä g u n g|(?:Extrait des c|C)onsidérants?"
    rf"|(?:Considérant )?[Ee]n droit|(?:Considerando )?[Ii]n diritto|Diritto|(?:Dai c|C)onsiderandi|Considerando"
    rf"|Reasons|Considerations)\b[^\n]{{0,60}}$"
    r"|[^\n]{0,80}(?:zieht in Erwägung|considérant en droit|considerando in diritto)[^\n]{0,20}$",
    re.MULTILINE,
)
_ANYWHERE = re.compile(
    r"Erwägung|E r w ä g u n g|considérant|en droit|considerando|in diritto|zieht in|considerandi",
    re.IGNORECASE,
)
_RULED = re.compile(  # on a line of its own: the reasons speak of rulings too
    rf"^{_BLANK}*(?:(?:Demnach|Demgemäss|Aus diesen Gründen)\b[^\n]{{0,80}}"
    rf"(?:erkennt|erkannt|beschliesst|beschlossen|verfügt)[^\n]{{0,60}}|(?:Das|Die|Der|Es)\b[^\n]{{0,60}}\b(?:erkennt|erkannt|beschliesst|beschlossen|verfügt):?"
    r"|(?:Par ces (?:motifs|considérants)|Per questi motivi)\b[^\n]{0,80}|(?:Dispositiv|Dispositif|Dispositivo):?)"
    rf"{_BLANK}*$",
    re.MULTILINE,
)
_PARTY = (
    r"(?:Beschwerdeführ\w*|Beschwerdegegner\w*|Rekurrent\w*|Kläger\w*|Beklagten?|Berufungs(?:kläger\w*|beklagten?)|Gesuchsteller\w*"
    r"|Gesuchsgegner\w*|Beschuldigten?|Verurteilten?|Privatkläger\w*|Einsprecher\w*|recourante?s?|intimée?s?|demande(?:ur|resse)s?"
    r"|défende(?:ur|resse)s?|appelante?s?|requérante?s?|prévenue?s?|ricorrent[ei]|opponent[ei]|resistent[ei]|attor[ei]|attric[ei]"
    r"|convenut[oaie]|appellant[ei]?s?|istant[ei]|imputat[oaie]|respondents?|claimants?|plaintiffs?|defendants?|applicants?"
    r"|petitioners?|complainants?)"
)
_SUBJECT = (
    rf"(?:\b{_PARTY}\b|(?-i:\b[A-Z]\.(?:[A-Z]\.)*(?:_+|(?=\s[a-zäöüéèà])))"
    r"|(?-i:^(?:Sie|Er|Ils?|Elles?|Egli|Essa|He|She|They)\b))"
)
_SAYS = (
    r"(?:mach(?:t|te|en|ten)\b[^.]{0,300}?\bgeltend|geltend\s+(?:gemacht|mach(?:t|te|en|ten))|rüg(?:t|te|en|ten)\b"
    r"|behauptet(?:e|en)?\b|wende(?:t|te|n|ten)\b[^.]{0,300}?\bein\b|br(?:ingt?|ingen|achten?)\b[^.]{0,300}?\bvor\b|vorbring"
    r"|vorgebracht|vorträgt|beanstande|moniert|argumentiert|Standpunkt|w(?:ir|ar)ft?\b[^.]{0,300}?\bvor\b"
    r"|führ(?:t|te|en)\b[^.]{0,300}?\baus\b"
    r"|(?:ist|sind|war)\s+der\s+(?:Ansicht|Auffassung|Meinung)|vertritt|hält\s+dafür|beruf(?:t|en)\s+sich|bestreite|verlangt|beantrag"
    r"|ersucht|kritisiert|meint|sieht\b|tr[äa]gt\b[^.]{0,200}?\bvor|leitet\b[^.]{0,200}?\bab\b|erklärt(?:e|en)?\b|legt[^.]{0,200}\bdar\b"
    r"|souti(?:ent|ennent)|soutenait|f(?:ait|ont|aisait|aisant)\s+(?:[\w'’]+\s+){0,3}valoir|allègu|prétend|plai(?:nt|gnent)|reproch"
    r"|contest|invoqu|object|argu|estim|affirm|considèr|conclu(?:t|ent)|demand(?:e|ent|ait)\b|requi(?:ert|èrent)|expliqu|dénonc|critiqu"
    r"|sost(?:iene|engono|eneva)|f(?:a|anno|aceva)\s+(?:[\w'’]+\s+){0,3}valere|allega|lamenta|eccepi|rimprover|contesta|ritiene|ritengono"
    r"|chied(?:e|ono)|invoca|critica|claim|contend|alleg|submit|assert|maintain|complain|request|says|said|denie[sd])"
)
_SUBMITS = re.compile(
    rf"{_SUBJECT}[^.;]{{0,300}}?\b{_SAYS}|\b{_SAYS}[^.;]{{0,80}}?{_SUBJECT}"
    rf"|(?:nach|gemäss|laut|selon|d'après|à\s+suivre|secondo|a\s+detta|a\s+mente|according\s+to)\b[^.,;]{{0,40}}?\b{_PARTY}\b",
    re.IGNORECASE,
)
_LOWER = re.compile(
    r"(?:Vorinstanz|vorinstanzlich|Obergericht|Kantonsgericht|Handelsgericht|Bezirksgericht|Zivilgericht|erste\s+Instanz|cour\s+cantonale"
    r"|autorité\s+précédente|juges?\s+(?:précédents|cantonaux)|tribunal\s+cantonal|premiers?\s+juges?|Corte\s+cantonale|giudici\s+cantonali"
    r"|autorità\s+inferiore|prima\s+istanza|lower\s+court|court\s+below|trial\s+court)[^.;]{0,160}?"
    r"(?:erwog|erwägt|führt|hielt|hält|stellt|befand|kam\b|kommt\b|schloss|verneint|bejaht|nahm\s+an|geht\s+davon|ging\s+davon|sah\b"
    r"|a\s+(?:retenu|considéré|jugé|estimé|constaté|admis|nié)|retient|considère|estime|ha(?:nno)?\s+(?:ritenuto|considerato|giudicato|accertato|stabilito)"
    r"|ritiene|ritengono|held|found|ruled|considered|concluded)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"offen\s+(?:bleiben|gelassen|zu\s+lassen|lassen)|dahingestellt|obiter|beiläufig|(?:rester|demeurer|laissée?s?)\s+(?:indécise?|ouverte?)"
    r"|souffrir\s+de\s+(?:rester|demeurer)|(?:rimanere|restare|lasciata?)\s+(?:indecisa|aperta|irrisolta)|le(?:ft|ave)\s+open|need\s+not\s+be\s+decided",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\b(?:sei|seien|habe|werde|könne|müsse|dürfe|solle|wolle|liege|bestehe|ergebe|gelte|verletze|fehle|treffe|gehe|stehe|hätten?|wären?"
    r"|serai(?:t|ent)|aurai(?:t|ent)|devrai(?:t|ent)|pourrai(?:t|ent)|sarebbe(?:ro)?|avrebbe(?:ro)?|dovrebbe(?:ro)?|potrebbe(?:ro)?)\b"
)


@dataclass(frozen=True)
class Decision:
    """The text of a decision, read for its parts. Nothing is known of the parts of a text that has no headings."""

    text: str

    @cached_property
    def marks(self) -> list[tuple[int, Part]]:
        """Where facts, reasons and ruling begin, as far as the text says so."""
        reasons = _REASONS.search(self.text)
        facts = _FACTS.search(self.text, 0, reasons.start() if reasons else len(self.text))
        found: list[tuple[int, Part]] = [(facts.start(), "facts")] if facts else []
        if reasons:
            found.append((reasons.start(), "reasons"))
            if (ruling := self._ruling(reasons.end())) < len(self.text):
                found.append((ruling, "ruling"))
        return [(0, "opening"), *found] if reasons else []

    def part(self, at: int) -> Part | Literal[""]:
        """The part in which a place lies; empty when the text does not say."""
        before = [part for start, part in self.marks if start <= at]
        return before[-1] if before else ""

    @cached_property
    def considerations(self) -> list[tuple[int, str]]:
        """Where the numbered considerations begin: between the words that open the reasons and the ruling, in rising
        order. A text whose reasons nothing opens, or whose considerations have no parts, has none."""
        opening = _REASONS.search(self.text) or _ANYWHERE.search(self.text)
        if opening is None:
            return []
        ruling = self._ruling(opening.end())
        found: list[tuple[int, str]] = [(ruling, "")] if ruling < len(self.text) else []
        last: tuple[int, ...] = (0,)
        for mark in _HEADING.finditer(self.text, opening.end(), ruling):
            number = tuple(map(int, mark[1].split(".")))
            rises = number > last and (last == (0,) or number[0] - last[0] <= MAX_SKIPPED)
            if rises and number[0] <= MAX_CONSIDERATION:
                found.append((mark.start(1), mark[1]))
                last = number
        return sorted(found) if any("." in number for _, number in found) else []

    def _ruling(self, start: int) -> int:
        """Where the ruling begins behind a place: the last of its headings, for the reasons may quote another's."""
        return max((one.start() for one in _RULED.finditer(self.text, start)), default=len(self.text))

    def consideration(self, at: int) -> str:
        """The number of the consideration in which a place lies; none before the first and behind the ruling."""
        place = bisect_right(self.considerations, (at, "\uffff")) - 1
        return self.considerations[place][1] if place >= 0 else ""

    def voice(self, at: int) -> Voice:
        """Who speaks in the sentence at a place; empty when the text does not say."""
        part = self.part(at)
        if part == "opening":
            return "headnote" if re.search(r"\b(?:Regeste|Regesto)\b", self.text[:at]) else ""
        if part != "reasons":
            return part
        start = max(mark for mark, _ in [*self.marks, *self.considerations] if mark <= at)
        speech: Voice = "court"
        since = 0
        for begin, end in sentences(self.text, max(start, at - 3_000), min(len(self.text), at + 3_000)):
            own = spoken_in(self.text[begin:end])
            goes_on = (
                speech in ("party", "lower")
                and since < MAX_SPEECH
                and _REPORTED.search(self.text, begin, end)
            )
            speech, since = (own, 0) if own != "court" or not goes_on else (speech, since + 1)
            if end > at:
                break
        return speech


def spoken_in(sentence: str) -> Voice:
    """Whose words a sentence of the reasons tells, by its own words."""
    if _SUBMITS.search(sentence):
        return "party"
    if _LOWER.search(sentence):
        return "lower"
    return "open" if _OPEN.search(sentence) else "court"


def is_within(number: str, cited: str) -> bool:
    """Whether a consideration is the one that is cited, or a part of it."""
    return number == cited or number.startswith(f"{cited}.")


def sentences(text: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, int]]:
    """Where the sentences of a text stand, without numbers in front of paragraphs; a line break may be within one.

    A list belongs to the sentence that opens it: a condition without the next is not what the court said.
    """
    stop = len(text) if stop is None else stop
    begin = end = items = -1
    for first, last in _pieces(text, start, stop):
        if begin >= 0 and items < MAX_ITEMS and _goes_on(text, begin, end, first):
            end, items = last, items + 1
            continue
        if begin >= 0:
            yield begin, end
        begin, end, items = first, last, 0
    if begin >= 0:
        yield begin, end


def _goes_on(text: str, begin: int, end: int, first: int) -> bool:
    """Whether what stands from ``first`` on is one more item of the list before it; a heading opens none."""
    if _UNFINISHED.search(text[max(begin, end - 10) : end]):
        return end - begin >= MIN_OPENING and _IN_A_LIST.match(text, end) is not None
    return _NEXT.match(text, first) is not None


def _pieces(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    for mark in _BREAK.finditer(text, start, stop):
        yield from _of_block(text, start, mark.start())
        start = mark.end()
    yield from _of_block(text, start, stop)


def _of_block(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    lead = _BULLET.match(text[start : min(end, start + 40)])
    begin = start + (lead.end() if lead else 0)
    for mark in _END.finditer(text, begin, end):
        if not _SHORT.search(text[max(begin, mark.end() - 12) : mark.end()]):
            yield from _trimmed(text, begin, mark.end())
            begin = mark.end()
    yield from _trimmed(text, begin, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    if start < end:
        yield start, end
