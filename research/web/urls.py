"""Addresses: the one canonical form of a URL, and the registrable domain of a host.

Host names are read as browsers read them (WHATWG URL, "host parsing"): percent escapes and full-width characters are
resolved, names become IDNA A-labels, and a host that ends in a number is an IPv4 address whatever its spelling.
"""

import re
import unicodedata
from functools import cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, unquote, unquote_to_bytes, urlsplit

if TYPE_CHECKING:
    from tldextract import TLDExtract

PORTS = {"http": 80, "https": 443}
MAX_LENGTH = 8_000

_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_BRACKETS = re.compile(r"\[[0-9A-Fa-f:.%]{2,60}\](?::[0-9]{0,5})?")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})|([^%]+)|(%)", re.DOTALL)
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_IN_PATH = _UNRESERVED | frozenset(b"!$&'()*+,;=:@/")
_IN_QUERY = _IN_PATH | frozenset(b"?")
_SESSION_IN_PATH = re.compile(r";(?:jsessionid|phpsessid|sessionid)=[^/;]*", re.IGNORECASE)
_LONG_HEX = re.compile(r"[0-9a-f-]{16,}", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]{6,}(?:\.[0-9]+)?")

# What says how a reader came to the page, not which page it is.
_TRACKING = frozenset(
    (
        *("gclid", "gclsrc", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "twclid", "ttclid"),
        *("igshid", "igsh", "li_fat_id", "mc_cid", "mc_eid", "_ga", "_gl", "_hsenc", "_hsmi", "mkt_tok"),
        *("vero_id", "oly_enc_id", "oly_anon_id", "srsltid", "wt_mc", "wt_zmc", "epik", "s_cid", "cmpid"),
    )
)
_TRACKING_PREFIXES = ("utm_", "mtm_", "pk_", "hsa_")
_SESSION = frozenset(
    (
        *("jsessionid", "phpsessid", "sessionid", "session_id", "sessid", "aspsessionid"),
        *("asp.net_sessionid", "cfid", "cftoken", "zenid"),
    )
)
_BUSTER = frozenset(("cachebuster", "cache_buster", "nocache", "no_cache", "_ts"))


class Address(NamedTuple):
    """A URL taken apart and normalised; ``target`` is path and query as they are sent."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """Host, with the port unless it is the scheme's own: what the Host header says."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @property
    def url(self) -> str:
        return f"{self.origin}{self.target}"


def parse_url(url: str) -> Address:
    """An http or https URL without credentials, its query as given and its fragment dropped.

    Raises:
        ValueError: in words for a person; nothing else is raised, whatever the text.
    """
    parts, host, port = _split(url)
    query = f"?{_escaped(parts.query, _IN_QUERY)}" if parts.query else ""
    return Address(parts.scheme, host, port, _path(parts.path) + query)


def canonical_url(url: str) -> str:
    """The one form under which a page is known: two spellings of an address give the same text.

    Scheme and host in lower case, IDNA as A-labels, no default port, no dot segments, no fragment, no tracking
    parameters, session ids or cache busters, the query sorted by name (values of one name keep their order).

    Raises:
        ValueError: not an http or https URL, or one with credentials.
    """
    parts, host, port = _split(url)
    path = _without_dots(_SESSION_IN_PATH.sub("", _path(parts.path)))
    pieces = [_escaped(piece, _IN_QUERY) for piece in parts.query.split("&") if piece]
    kept = sorted((piece for piece in pieces if _matters(piece)), key=lambda piece: piece.partition("=")[0])
    return Address(parts.scheme, host, port, path + (f"?{'&'.join(kept)}" if kept else "")).url


def host_of(url: str) -> str:
    """The normalised host of a URL, or "" when it has none."""
    try:
        return parse_url(url).host
    except ValueError:
        return ""


def registrable_domain(host: str) -> str:
    """The part of a host name that somebody registered (``example.co.uk``); addresses and unknown suffixes as they are.

    From the copy of the public suffix list that tldextract carries, private suffixes included: ``alice.github.io`` and
    ``bob.github.io`` are two parties.
    """
    try:
        name = normal_host(host)
    except ValueError:
        return host.lower()
    return _suffixes()(name).top_domain_under_public_suffix or name


def normal_host(host: str) -> str:
    """A host name or address in its one spelling; IPv6 without brackets.

    Raises:
        ValueError: neither a name nor an address.
    """
    if ":" in host:
        return _ipv6(host)
    if len(host) > 1_000:
        raise ValueError("the host name is too long")
    text = unquote(host, errors="strict") if "%" in host else host
    name = _idna(unicodedata.normalize("NFKC", text)).removesuffix(".")
    labels = name.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _ipv4(labels)
    if len(name) > 253 or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError(f"{host[:100]!r} is not a host name")
    return name


def _split(url: str) -> tuple[SplitResult, str, int]:
    if len(url) > MAX_LENGTH:
        raise ValueError(f"the address is longer than {MAX_LENGTH} characters")
    parts = urlsplit(url.strip())
    if parts.scheme not in PORTS:
        raise ValueError(f"only http and https addresses are read, not {url[:100]!r}")
    if "@" in parts.netloc:
        raise ValueError("an address with a user name or password is not read")
    if "[" in parts.netloc and not _BRACKETS.fullmatch(parts.netloc):
        raise ValueError(f"{parts.netloc[:100]!r} is not an IPv6 address")
    if not parts.hostname:
        raise ValueError(f"{url[:100]!r} names no host")
    port = parts.port if parts.port is not None else PORTS[parts.scheme]
    return parts, normal_host(parts.hostname), port


def _idna(name: str) -> str:
    if name.isascii() and "xn--" not in name.lower():
        return name.lower()
    import idna

    try:
        return idna.encode(name, uts46=True).decode("ascii")
    except idna.IDNAError:  # a ValueError already, but its text quotes the whole name
        raise ValueError(f"{name[:100]!r} is not a host name") from None


def _ipv6(host: str) -> str:
    try:
        address = IPv6Address(host)
    except AddressValueError:
        raise ValueError(f"{host[:100]!r} is not an IPv6 address") from None
    if address.scope_id is not None:
        raise ValueError("an address with a zone means something on this machine only")
    return address.compressed


def _ipv4(labels: list[str]) -> str:
    """One to four numbers, decimal, octal or hexadecimal; the last one fills what the others leave."""
    if len(labels) > 4 or not all(map(_NUMBER.fullmatch, labels)):
        raise ValueError(f"{'.'.join(labels)[:100]!r} is neither a host name nor an address")
    *high, last = map(_number, labels)
    room = 256 ** (4 - len(high))
    if any(number > 255 for number in high) or last >= room:
        raise ValueError(f"{'.'.join(labels)[:100]!r} is not an IPv4 address")
    return str(IPv4Address(sum(number << (24 - 8 * at) for at, number in enumerate(high)) + last))


def _number(label: str) -> int:
    if len(label) > 40:  # also Python's own limit on digits
        raise ValueError(f"{label[:100]!r} is not part of an IPv4 address")
    if label.startswith("0x"):
        return int(label[2:] or "0", 16)
    return int(label, 8) if len(label) > 1 and label.startswith("0") else int(label)


def _path(path: str) -> str:
    return _without_dots(_escaped(path, _IN_PATH) or "/")


def _escaped(text: str, allowed: frozenset[int]) -> str:
    """Percent escapes where they are needed and nowhere else, in capitals (RFC 3986, 6.2.2)."""

    def spell(found: re.Match[str]) -> str:
        escape, plain, _ = found.groups()
        if escape:
            byte = int(escape, 16)
            return chr(byte) if byte in _UNRESERVED else f"%{byte:02X}"
        raw = plain.encode("utf-8", "replace") if plain else b"%"
        return "".join(chr(byte) if byte in allowed else f"%{byte:02X}" for byte in raw)

    return _ESCAPE.sub(spell, text)


def _without_dots(path: str) -> str:
    """Dot segments resolved (RFC 3986, 5.2.4)."""
    *segments, last = path.split("/")[1:] if path.startswith("/") else path.split("/")
    kept: list[str] = []
    for segment in [*segments, last]:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if last in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)


def _matters(piece: str) -> bool:
    """Whether a piece of a query tells pages apart."""
    key, _, value = (unquote_to_bytes(part).decode("utf-8", "replace") for part in piece.partition("="))
    name = key.lower()
    if name in _TRACKING or name in _SESSION or name in _BUSTER or name.startswith(_TRACKING_PREFIXES):
        return False
    if name == "sid":
        return not _LONG_HEX.fullmatch(value)
    return not (name in {"_", "cb"} and _DIGITS.fullmatch(value))


@cache
def _suffixes() -> "TLDExtract":
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
