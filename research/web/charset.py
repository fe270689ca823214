"""From bytes to text: byte order mark, header, the document's own word, then what the bytes look like."""

import codecs
import re

DECLARATION = 4_096  # bytes in which a document may name its charset
ENOUGH = 5  # characters that fit nowhere; from fewer nothing can be told
SAMPLE = 100_000  # bytes that are looked at to guess one
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_META = re.compile(rb"""<meta[^>]{1,500}?charset\s{0,5}=\s{0,5}["']?\s{0,5}([\w.:-]{1,40})""", re.IGNORECASE)
_XML = re.compile(rb"""^\s{0,100}<\?xml[^>]{1,200}?encoding\s{0,5}=\s{0,5}["']([\w.:-]{1,40})""")
# What browsers read under these names (WHATWG Encoding).
_MEANT = {
    **dict.fromkeys(("iso8859-1", "ascii", "iso-8859-1", "latin-1"), "cp1252"),
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "tis-620": "cp874",
}
# What is not ASCII in German, French, Italian and Spanish; other languages have letters that look otherwise in cp1252.
_WESTERN = frozenset("äöüßÄÖÜàâçèéêëîïôùûœæÀÇÈÉÊÔŒìòáíóúñÁÍÓÚÑ¡«»‹›„“”‘’‚–—…•·°§©®€\xa0".encode("cp1252"))
_NEVER = frozenset(("utf-7", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"))


def decode(body: bytes, declared: str = "") -> str:
    """The text of a body; ``declared`` is the header's charset. Bytes that fit nowhere become U+FFFD."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    named = [codec for codec in (_codec(declared), _codec(_in_document(body[:DECLARATION]))) if codec]
    # Text in UTF-8 under another name is common; other text that happens to be valid UTF-8 is not.
    for codec in [*named, "utf-8"] if named and _is_believed(named[0], body) else ["utf-8", *named]:
        try:
            return body.decode(codec)
        except UnicodeDecodeError:
            continue
    text = body.decode(named[0] if named else _guessed(body), "replace")
    return body.decode(_guessed(body), "replace") if _is_misnamed(text, named) else text


def _is_believed(name: str, body: bytes) -> bool:
    """Whether a name says more than that the bytes are valid UTF-8, as they are in ISO-2022 and mostly in UTF-16."""
    return name.startswith("iso2022") or (name.startswith("utf-16") and b"\0" in body)


def _is_misnamed(text: str, named: list[str]) -> bool:
    """Whether a text that is said to be UTF-8 is none: most of what is not ASCII fits nowhere."""
    lost, others = text.count("\ufffd"), sum(not char.isascii() for char in text)
    return bool(named) and named[0] == "utf-8" and lost >= ENOUGH and lost * 2 > others


def _in_document(start: bytes) -> str:
    found = _XML.search(start) or _META.search(start)
    name = found[1].decode("ascii") if found else ""
    # what can be read as ASCII is not written in UTF-16, whatever it says (WHATWG HTML, 13.2.3.2)
    return "utf-8" if name.lower().startswith("utf-16") else name


def _codec(name: str) -> str:
    """Python's codec for a charset's name, or "" when there is none for text."""
    try:
        known = codecs.lookup(name.strip().strip("\"'"))
    except (LookupError, ValueError):
        return ""
    if known.name in _NEVER or not known._is_text_encoding:
        return ""
    return _MEANT.get(known.name, known.name)


def _guessed(body: bytes) -> str:
    if {byte for byte in body[:SAMPLE] if byte > 127} <= _WESTERN:
        return "cp1252"  # of a short text nothing else can tell
    from charset_normalizer import from_bytes

    best = from_bytes(body[:SAMPLE]).best()
    return best.encoding if best else "cp1252"
