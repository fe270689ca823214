"""Making the text of the web harmless to whoever reads it, and saying what was suspicious about it.

Cleaning takes away what a person does not see (invisible characters, nested entities) and breaks what a machine might
take for the frame of its conversation (role tags, control tokens, headings such as "# SYSTEM"). It does not delete
sentences: what a page says stays readable, and an attempt to give orders becomes a warning beside the source.

``clean_text`` is idempotent and never makes a text longer. It is linear: every pattern is bounded, and entities are
resolved in one pass however deeply they are nested.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.entities import html5

MAX_WARNINGS = 6
MAX_QUOTE = 120


@dataclass(frozen=True)
class Cleaned:
    """The text, and what is suspicious about it in sentences."""

    text: str
    warnings: tuple[str, ...]


def _codes(*ranges: tuple[int, int]) -> list[int]:
    return [code for first, last in ranges for code in range(first, last + 1)]


# Characters that are not seen. Those of the first group are also used to hide whole messages.
_SMUGGLING = ((0xE0000, 0xE007F), (0xE0100, 0xE01EF), (0xFE00, 0xFE0E), (0x202A, 0x202E), (0x2066, 0x2069))
_UNSEEN = (
    *(
        (0x00, 0x08),
        (0x0B, 0x0C),
        (0x0E, 0x1F),
        (0x7F, 0x9F),
        (0xAD, 0xAD),
        (0x034F, 0x034F),
        (0x061C, 0x061C),
    ),
    *(
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x200B, 0x200F),
        (0x2060, 0x2065),
        (0x206A, 0x206F),
    ),
    *((0x3164, 0x3164), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0xD800, 0xDFFF)),
)
_STRIPPED = dict.fromkeys(_codes(*_SMUGGLING, *_UNSEEN), "") | {0x2028: "\n", 0x2029: "\n"}
_SMUGGLED = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _SMUGGLING) + "]")

_ENTITY_PARTS = re.compile("([&;])")
_NUMERIC = re.compile(r"#(?:[0-9]{1,10}|[xX][0-9a-fA-F]{1,10})")
_MAX_ENTITY = max(map(len, html5))

_TAG_NAMES = (
    "system|assistant|user|human|developer|ai|bos|eos|s|sys|start_of_turn|end_of_turn|"
    "tools?|tool_(?:calls?|use|results?|response|output)|functions?|function_(?:calls?|results?)|invoke|parameter|"
    "think|thinking|scratchpad|instructions?|system_(?:prompt|message|instructions?)|prompt|"
    "source|sources|document|documents|search_results?|untrusted"
)
# Only the opening character of a marker is replaced, so that no replacement can make another marker.
_TAG = re.compile(
    rf"[<＜﹤](?=[ \t]{{0,5}}/?[ \t]{{0,5}}(?:[a-z]{{1,12}}:)?(?:{_TAG_NAMES})(?:[\s/>＞﹥|:=]|$))",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[<＜﹤](?=[|｜][^<>|｜\n‹]{0,80}[|｜][>＞﹥])")
_SYS = re.compile(r"<(?=<?/?SYS>)", re.IGNORECASE)
_BRACKET = re.compile(
    r"\[(?=/?(?:INST|SYS|SYSTEM|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])", re.IGNORECASE
)
_HEADING = re.compile(
    r"^[ \t]{0,8}(?:#[# \t]{0,12}|[-=*_~]{3,40}[ \t]{0,5})[*_]{0,3}[ \t]{0,3}"
    r"((?:system|assistant|developer|human|tool)"
    r"(?:[ \t_]{1,3}(?:prompts?|messages?|instructions?|override|note|response))?)"
    r"[ \t]{0,5}:?[*_]{0,3}[ \t:#=*_~-]{0,40}$",
    re.IGNORECASE | re.MULTILINE,
)

_GAP = r"[\W_]{1,6}"


def _words(*alternatives: str) -> str:
    return f"(?:{'|'.join(alternatives)})"


def _upto(words: int) -> str:
    return rf"(?:\w{{1,24}}{_GAP}){{0,{words}}}?"


_INSTRUCTIONS_EN = _words(
    "instructions?", "prompts?", "rules", "guidelines", "directives?", "commands?", "orders"
)
_EARLIER_EN = _words(
    "previous", "prior", "above", "earlier", "preceding", "foregoing", "all", "your", "any", "system"
)
_INSTRUCTIONS_DE = _words(
    *(
        "anweisung(?:en)?",
        "instruktion(?:en)?",
        "befehle?",
        "regeln",
        "vorgaben",
        "anleitung(?:en)?",
        "prompts?",
    ),
    "systemprompts?",
)
_EARLIER_DE = _words(
    *(
        "vorherigen?",
        "bisherigen?",
        "obigen?",
        "vorigen?",
        "früheren?",
        "vorangegangenen?",
        "alle",
        "deine",
        "ihre",
    ),
    "sämtliche",
)
_INSTRUCTIONS_FR = _words("instructions?", "consignes?", "directives?", "règles", "ordres", "prompts?")
_INSTRUCTIONS_IT = _words("istruzioni", "direttive", "regole", "indicazioni", "comandi", "prompt")
_MACHINES = (
    r"(?:(?:ai|llm|ki|ia)(?:[\W_]{1,3}(?:systems?|agents?|models?|assistants?|crawlers?|systeme?|agenten|modelle|"
    r"assistenten|modèles|agenti|modelli))?|llms|chatbots?|language models?|sprachmodelle?|modèles? de langage|"
    r"modell[oi] linguistic[oi])"
)

# Orders to a machine, as pages give them in the languages we read most. Every repetition is bounded.
_ORDERS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_words('ignore', 'disregard', 'forget', 'override', 'bypass', 'dismiss')}{_GAP}{_upto(4)}"
        rf"{_EARLIER_EN}{_GAP}{_upto(3)}{_INSTRUCTIONS_EN}\b",
        rf"\b{_words('reveal', 'print', 'show', 'repeat', 'output', 'leak', 'disclose')}{_GAP}{_upto(3)}"
        rf"{_words('system', 'hidden', 'initial', 'secret')}{_GAP}{_upto(1)}{_words('prompts?', 'instructions?')}\b",
        rf"\b{_words('new', 'updated', 'important', 'urgent')}{_GAP}{_upto(2)}instructions?{_GAP}for{_GAP}{_upto(2)}"
        rf"{_words('ai', 'llms?', 'assistants?', 'agents?', 'language', 'chatbots?')}\b",
        rf"\b{_words('ignore', 'disregard', 'forget', 'override')}{_GAP}{_upto(3)}{_INSTRUCTIONS_EN}{_GAP}"
        rf"{_words('above', 'you were', 'you have', 'you received', 'that came', 'given to you')}\b",
        rf"\b{_words('notes?', 'messages?', 'notices?', 'hinweise?', 'nachricht', 'avis', 'nota', 'messaggio')}{_GAP}"
        rf"{_words('to', 'for', 'an', 'für', 'à', 'aux', 'pour', 'per', 'a')}{_GAP}{_upto(2)}{_MACHINES}[ \t]{{0,3}}:",
        rf"\bwhen(?:ever)?{_GAP}you{_GAP}{_words('summari[sz]e', 'parse', 'process')}{_GAP}this{_GAP}"
        rf"{_words('page', 'text', 'site', 'website', 'content')}\b",
        rf"(?:^|\n)[ \t]{{0,8}}system[ \t]{{0,3}}:[ \t]{{0,3}}you{_GAP}"
        rf"{_words('are', 'must', 'will', 'should', 'shall')}\b",
        rf"\bif{_GAP}you{_GAP}are{_GAP}{_upto(2)}{_words('ai', 'llm', 'language model', 'chatbot')}\b",
        rf"\byou{_GAP}are{_GAP}now{_GAP}{_upto(3)}{_words('dan', 'jailbroken', 'unrestricted', 'developer mode')}\b",
        rf"\b{_words('do not', 'don.t', 'never')}{_GAP}{_words('tell', 'inform', 'alert', 'warn')}{_GAP}{_upto(1)}"
        rf"{_words('user', 'human', 'reviewer', 'operator')}\b",
        rf"\b{_words('ignore', 'disregard', 'forget')}{_GAP}(?:all{_GAP}of{_GAP})?{_words('the above', 'everything')}"
        rf"{_GAP}{_words('you', 'above', 'before', 'and', 'that came')}\b",
        rf"\b{_words('ai', 'llms?', 'language models?')}{_GAP}{_upto(2)}"
        rf"{_words('reading', 'processing', 'parsing', 'visiting', 'summari[sz]ing')}{_GAP}{_upto(2)}"
        rf"{_words('page', 'document', 'text', 'site', 'website', 'content')}\b",
        rf"\bas{_GAP}an?{_GAP}{_words('ai', 'llm')}{_GAP}{_upto(3)}you{_GAP}"
        rf"{_words('must', 'should', 'shall', 'will')}\b",
        rf"\bignor(?:a|e|en|ar|em){_GAP}{_upto(3)}"
        rf"{_words('instrucciones', 'instruções', 'órdenes', 'ordens', 'reglas')}{_GAP}{_upto(2)}"
        rf"{_words('anteriores', 'previas', 'prévias')}\b",
        rf"\b{_words('ignorieren?', 'ignoriert', 'missachten?', 'vergiss', 'vergessen', 'übergehen?')}{_GAP}{_upto(4)}"
        rf"{_EARLIER_DE}{_GAP}{_upto(3)}{_INSTRUCTIONS_DE}\b",
        rf"\b{_words('verrate', 'verraten', 'zeige', 'zeigen', 'nenne', 'gib')}{_GAP}{_upto(4)}"
        rf"{_words('systemprompts?', 'system.prompts?', 'systemanweisung(?:en)?')}\b",
        rf"\bwenn{_GAP}{_words('du', 'sie')}{_GAP}{_upto(1)}{_words('eine?', 'als')}{_GAP}{_upto(1)}"
        rf"{_words('ki', 'sprachmodell', 'chatbot')}\b",
        rf"\b{_words('ignore[rz]?', 'ignores', 'oublie[rz]?', 'oublies', 'néglige[rz]?', 'pas compte d[eu]s?')}{_GAP}"
        rf"{_upto(3)}{_INSTRUCTIONS_FR}{_GAP}{_upto(3)}"
        rf"{_words('précédente?s?', 'antérieure?s?', 'ci.dessus', 'reçue?s', 'initiale?s')}\b",
        rf"\b{_words('ignore[rz]?', 'oublie[rz]?', 'pas compte de')}{_GAP}toutes?{_GAP}{_upto(2)}{_INSTRUCTIONS_FR}\b",
        rf"\bsi{_GAP}{_words('tu', 'vous')}{_GAP}{_words('es', 'êtes')}{_GAP}{_upto(2)}"
        rf"{_words('ia', 'modèle de langage', 'assistant', 'chatbot')}\b",
        rf"\b{_words('ignor(?:a|are|ate|i)', 'dimentica(?:re|te)?', 'trascura(?:re|te)?')}"
        rf"{_GAP}{_upto(4)}{_INSTRUCTIONS_IT}{_GAP}{_upto(3)}"
        rf"{_words('precedent[ie]', 'anterior[ie]', 'sopra', 'ricevut[ei]', 'inizial[ie]')}\b",
        rf"\b{_words('ignora(?:te)?', 'dimentica(?:te)?')}{_GAP}tutt[ei]{_GAP}{_upto(2)}{_INSTRUCTIONS_IT}\b",
        rf"\bse{_GAP}sei{_GAP}{_upto(2)}{_words('ia', 'ai', 'modello linguistico', 'chatbot')}\b",
    )
)
# Full-width letters, and those of other alphabets that look the same, are another spelling of ASCII to a model.
_PLAIN_LETTERS = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | str.maketrans(
    "аеорсхуіјѕһԁԛԝАЕОРСХУІЈЅНМТКВοανΟΑΝΙΤΡΕ", "aeopcxyijshdqwAEOPCXYIJSHMTKBoavOANITPE"
)


def clean_text(text: str) -> Cleaned:
    """Text from outside, harmless, with warnings about what it tried."""
    seen = _without_entities(text.translate(_STRIPPED))
    neutral, markers = _without_markers(seen)
    return Cleaned(neutral, tuple(_warnings(text, neutral, markers)))


def _without_entities(text: str) -> str:
    """Character references resolved until none is left, in one pass: what one gives may be part of the next."""
    if "&" not in text:
        return text
    out: list[str] = []
    open_at: list[int] = []  # where an ampersand stands that may begin a reference
    for part in _ENTITY_PARTS.split(text):
        if part:
            _take(part, out, open_at)
    return "".join(out)


def _take(part: str, out: list[str], open_at: list[int]) -> None:
    while part == ";" and open_at:
        resolved = _resolved("".join(out[open_at[-1] + 1 :]))
        if resolved is None:
            open_at.clear()  # no reference holds a semicolon, so none of them can be completed any more
            break
        del out[open_at.pop() :]
        part = resolved
    if part == "&":
        open_at.append(len(out))
    elif part == ";":
        open_at.clear()
    if part:
        out.append(part)


def _resolved(name: str) -> str | None:
    """What ``&name;`` stands for, without what is not seen; None when it is no reference."""
    if len(name) >= _MAX_ENTITY:
        return None
    if _NUMERIC.fullmatch(name):
        return html.unescape(f"&{name};").translate(_STRIPPED)
    found = html5.get(f"{name};")
    return None if found is None else found.translate(_STRIPPED)


def _without_markers(text: str) -> tuple[str, int]:
    """The frame of a conversation broken where a text imitates it, and how often it does."""
    count = 0
    for pattern, replacement in ((_SYS, "‹"), (_TOKEN, "‹"), (_TAG, "‹"), (_BRACKET, "("), (_HEADING, r"\1")):
        text, times = pattern.subn(replacement, text)
        count += times
    return text, count


def _warnings(raw: str, text: str, markers: int) -> Iterator[str]:
    if _SMUGGLED.search(raw):
        yield "Characters that are not seen were taken out; they can hide a message."
    if markers:
        yield f"The text imitates the frame of a conversation with a machine ({markers} times)."
    for quote in _orders(text)[: MAX_WARNINGS - 2]:
        yield f"The text gives orders to a machine that reads it: “{quote}”."


def _orders(text: str) -> list[str]:
    plain = text.lower() if text.isascii() else text.translate(_PLAIN_LETTERS).lower()
    found = [match for pattern in _ORDERS for match in _first(pattern, plain)]
    found.sort(key=lambda match: match.start())
    return list(dict.fromkeys(" ".join(match[0].split())[:MAX_QUOTE] for match in found))


def _first(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    match = pattern.search(text)
    return [match] if match else []
