"""Addresses in what a model wrote: each stands in something that was read, or it is marked.

A model types addresses that look right and lead nowhere. So every one in its text, however it is spelt, is held against
the sources of the run (``Known``). Text in which all are known stays as it is, to the letter.
"""

import html
import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from research.checks.verdict import Verdict
from research.jsontext import Json
from research.models.states import CheckKind
from research.web.urls import canonical_url, normal_host

Known: TypeAlias = Callable[[str], bool]

MAX_MARKED = 50
MARKS = {
    "en": "(address in no source)",
    "de": "(Adresse in keiner Quelle)",
    "fr": "(adresse dans aucune source)",
    "it": "(indirizzo in nessuna fonte)",
}
# Endings of bare host names. After a scheme or www. any ending counts.
_ENDINGS = (
    "com|org|net|info|biz|name|pro|io|ai|app|dev|xyz|online|site|shop|store|tech|cloud|news|law|legal|bank|"
    "int|gov|edu|mil|museum|co|eu|ch|li|de|at|fr|it|es|pt|nl|be|lu|uk|ie|us|ca|au|nz|jp|cn|kr|br|mx|ru|ua|pl|cz|"
    "sk|hu|ro|bg|gr|dk|fi|se|no|tr|za|sg|hk|swiss|zuerich|berlin|wien|paris|onion|example|invalid|test|localhost"
)
_SHOUTED = "COM|ORG|NET|INFO|EXAMPLE"  # shorter words in capitals are abbreviations
_LABEL = r"[^\W_](?:[\w-]{0,62})"
_HOST = rf"{_LABEL}(?:[.。．]{_LABEL})*"
_REST = r"(?::\d{1,5})?(?:[/?\#][^\s<>\"»«“”`|\\^{}]*)?"
_ADDRESS = re.compile(
    rf"[a-z][a-z0-9+.-]{{1,20}}://(?:[^\s/@<>]{{1,100}}@)?(?:{_HOST}|\[[0-9a-f:.]{{2,45}}\]){_REST}"
    rf"|(?<![\w:/])//{_LABEL}(?:[.。．]{_LABEL})+{_REST}"  # with the scheme of the page
    rf"|\bwww[.。．]{_HOST}{_REST}"
    rf"|(?<![\w.+%-])(?:mailto:)?[\w.+%-]{{1,64}}[@＠]{_LABEL}(?:[.。．]{_LABEL})+"
    rf"|(?<![\w@./-])(?:{_LABEL}[.。．]){{1,10}}(?-i:{_ENDINGS}|{_SHOUTED})(?![\w-]|[.。．]\w){_REST}",
    re.IGNORECASE,
)
_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_HIDDEN = re.compile(
    r"&(?:#\d{1,6}|#x[0-9a-f]{1,5}|colon|sol|period|commat|amp);|\\([:/.@_-])", re.IGNORECASE
)
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n^][^\]\n]*\]:[ \t]*<?([^\s>]+)>?[^\n]*\n?", re.MULTILINE)
_LINK = re.compile(
    r"!?\[((?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]"
    r"\([ \t]*<?((?:[^\s()<>]|\([^\s()]*\))*)>?(?:[ \t]+[\"'(][^\n]*?[\"')])?[ \t]*\)"
)
_TAG = re.compile(r"<[^<>\n]{1,2000}>")


def addresses(text: str) -> Iterator[str]:
    """Every address in a text, in order, without the punctuation of its sentence."""
    yield from (_trimmed(found[0]) for found in _ADDRESS.finditer(text))


def address_key(address: str) -> str:
    """A key for all spellings of an address: host and path, without scheme, www. and final slash."""
    text = address.removeprefix("mailto:").replace("。", ".").replace("．", ".").replace("＠", "@")
    if "@" in text and "//" not in text:
        return text.casefold()
    bare = re.sub(r"^(?:[a-z][a-z0-9+.-]*:)?//", "", text, flags=re.IGNORECASE)
    try:
        bare = canonical_url(f"https://{bare}").removeprefix("https://")
    except ValueError:
        bare = bare.casefold()
    return bare.removeprefix("www.").rstrip("/")


def host_key(address: str) -> str:
    """The host of an address, as in ``address_key``."""
    host = re.split(r"[/?#:]", address_key(address), maxsplit=1)[0].rpartition("@")[2]
    try:
        return normal_host(host).removeprefix("www.")
    except ValueError:
        return host


def without_unread(value: Json, known: Known, language: str = "en") -> Json:
    """Replace every address that no source has by a mark; links become text."""
    if isinstance(value, str):
        return _without_unread(value, known, MARKS.get(language[:2].lower(), MARKS["en"]))
    if isinstance(value, list | tuple):
        return type(value)(without_unread(item, known, language) for item in value)
    if isinstance(value, dict):
        return {key: without_unread(item, known, language) for key, item in value.items()}
    return value


def check_addresses(data: Json, known: Known) -> list[Verdict]:
    """A failure for every address that no source has. Known addresses give no verdict."""
    found: list[Verdict] = []
    for pointer, text in _texts(data, ""):
        for address in _unread(_plain(text), known):
            if len(found) >= MAX_MARKED:
                return found
            sentence = "This address stands in no source of the run: it was never read, and may not exist."
            found.append(
                Verdict(CheckKind.SOURCE, "address-unread", pointer, address[:300], "fail", sentence)
            )
    return found


def _without_unread(text: str, known: Known, mark: str) -> str:
    plain = _plain(text)
    if not _unread(plain, known):
        return text

    def is_unread(part: str) -> bool:
        return bool(_unread(part, known))

    def marked(found: re.Match[str]) -> str:
        address = _trimmed(found[0])
        return mark + found[0][len(address) :] if is_unread(address) else found[0]

    plain = _DEFINITION.sub(lambda found: "" if is_unread(found[1]) else found[0], plain)
    plain = _LINK.sub(lambda found: f"{found[1]} {mark}".strip() if is_unread(found[2]) else found[0], plain)
    plain = _TAG.sub(lambda found: mark if is_unread(found[0]) else found[0], plain)
    plain = _ADDRESS.sub(marked, plain)
    return re.sub(rf"{re.escape(mark)}(?:[\s,;]*{re.escape(mark)})+", mark, plain)


def _unread(text: str, known: Known) -> list[str]:
    return [address for address in dict.fromkeys(addresses(text)) if not known(address)]


def _plain(text: str) -> str:
    """The text as a page would show it, as far as addresses are concerned."""
    text = _INVISIBLE.sub("", text)
    return _HIDDEN.sub(lambda found: found[1] or html.unescape(found[0]), text)


def _trimmed(address: str) -> str:
    """Without unmatched closing brackets and trailing punctuation."""
    while address:
        last = address[-1]
        unopened = last in ")]}" and address.count(last) > address.count({")": "(", "]": "[", "}": "{"}[last])
        if not unopened and last not in ".,;:!?'\"*_~":
            break
        address = address[:-1]
    return address


def _texts(value: Json, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _texts(item, f"{pointer}/{place}")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
