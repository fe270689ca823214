"""The guard of everything Dossier fetches on somebody else's word: which addresses may be connected to.

A name is resolved once, every address it has is judged against the list below, and the caller connects to an address
that was judged: there is no second look-up that could answer differently. The text of a host is never trusted; odd
spellings and IPv6 forms that carry an IPv4 address are unfolded first (``urls.normal_host``, ``_unfolded``).

The list follows the special-purpose registries of IANA (RFC 6890 and its updates) and the metadata addresses that
cloud providers document.
"""

import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias

from research.web.faults import FetchFault
from research.web.urls import PORTS, Address, normal_host, parse_url

IP: TypeAlias = IPv4Address | IPv6Address
Resolver: TypeAlias = Callable[[str, int], Sequence[str]]

MAX_URL = 2_000
DEFAULT_PORTS = frozenset({80, 443, 8080, 8443})

# The first network that holds an address gives the reason.
V4: tuple[tuple[IPv4Network, str], ...] = tuple(
    (IPv4Network(network), why)
    for network, why in (
        ("168.63.129.16/32", "metadata"),
        ("169.254.169.254/32", "metadata"),
        ("169.254.170.2/32", "metadata"),
        ("100.100.100.200/32", "metadata"),
        ("192.0.0.192/32", "metadata"),
        ("0.0.0.0/32", "unspecified"),
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared by a provider"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "documentation"),
        ("192.31.196.0/24", "reserved"),
        ("192.52.193.0/24", "reserved"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("192.175.48.0/24", "reserved"),
        ("198.18.0.0/15", "benchmark"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("255.255.255.255/32", "broadcast"),
        ("240.0.0.0/4", "reserved"),
    )
)
V6: tuple[tuple[IPv6Network, str], ...] = tuple(
    (IPv6Network(network), why)
    for network, why in (
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("::/96", "IPv4-compatible"),
        ("::ffff:0:0:0/96", "IPv4-translated"),
        ("64:ff9b:1::/48", "local NAT64"),
        ("100::/64", "discard"),
        ("100:0:0:1::/64", "reserved"),
        ("2001::/32", "Teredo"),
        ("2001:2::/48", "benchmark"),
        ("2001:db8::/32", "documentation"),
        ("2001::/23", "reserved"),
        ("2002::/16", "6to4"),
        ("2620:4f:8000::/48", "reserved"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "reserved"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")
_MAPPED, _NAT64 = IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96")
_ISATAP = 0x5EFE  # the upper half of an interface id whose lower half is an IPv4 address (RFC 5214)

_LOCAL_NAMES = (
    "localhost",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "home.arpa",
    "localdomain",
    "onion",
)
# What no name leads to, not even one on the allow list: only its operator's own text may say the address itself.
_NEVER_BY_NAME = frozenset({"metadata", "link-local", "multicast", "broadcast", "unspecified"})


@dataclass(frozen=True)
class Policy:
    """``allow`` lets a host and port through whatever they are (an intranet, a test); ``ports`` are open to all."""

    allow: frozenset[tuple[str, int]] = frozenset()
    ports: frozenset[int] = DEFAULT_PORTS

    def allows(self, host: str, port: int) -> bool:
        return (host, port) in self.allow


def allow_list(entries: Iterable[str]) -> frozenset[tuple[str, int]]:
    """Read ``host:port`` entries; without a port, 80 and 443 are meant.

    Raises:
        ValueError: an entry is not of this form.
    """
    allowed: set[tuple[str, int]] = set()
    for entry in entries:
        host, separator, port = entry.rpartition(":")
        if entry.endswith("]") or not separator:
            host, port = entry, ""
        if port and not (port.isascii() and port.isdigit()):
            raise ValueError(f"{entry!r} is not HOST:PORT")
        name = normal_host(host.removeprefix("[").removesuffix("]"))
        allowed.update((name, number) for number in ([int(port)] if port else PORTS.values()))
    return frozenset(allowed)


def check_url(url: str, policy: Policy | None = None) -> Address:
    """The URL taken apart, if nothing in its text forbids it. A host name is not resolved yet.

    Raises:
        FetchFault: ``blocked``, with the reason.
    """
    policy = policy or Policy()
    try:
        address = parse_url(url)
    except ValueError as error:
        raise FetchFault("blocked", f"This address is not read: {error}.") from None
    if len(address.url) > MAX_URL:
        raise FetchFault("blocked", f"This address is not read: it is longer than {MAX_URL} characters.")
    if policy.allows(address.host, address.port):
        return address
    if address.port not in policy.ports:
        raise FetchFault("blocked", f"Port {address.port} of {address.host} is not read.")
    if not _is_ip(address.host):
        _refuse_local_name(address.host)
    elif why := reason_against(ip_address(address.host)):
        raise FetchFault("blocked", f"{address.host} is not read: the address is {why}.")
    return address


def resolve_checked(
    host: str, port: int, *, policy: Policy | None = None, resolver: Resolver | None = None
) -> list[str]:
    """The addresses of a host, each judged: connect to one of these and to nothing else.

    One bad address among good ones refuses them all, because the next connection might take it.

    Raises:
        FetchFault: ``blocked``, or ``dns`` when the name has no address (retryable when it may have one later).
    """
    allowed = (policy or Policy()).allows(host, port)
    addresses = [_parsed(text, host) for text in (resolver or system_resolver)(host, port)]
    if not addresses:
        raise FetchFault("dns", f"{host} has no address.")
    literal = _is_ip(host)
    for address in addresses:
        why = reason_against(address)
        if why and not (allowed and (literal or why not in _NEVER_BY_NAME)):
            raise FetchFault("blocked", f"{host} is not read: its address {address} is {why}.")
    return list(dict.fromkeys(map(str, addresses)))


def reason_against(address: IP) -> str:
    """Why an address may not be connected to, in a word or two; "" when it may."""
    address = _unfolded(address)
    if isinstance(address, IPv4Address):
        return next((why for network, why in V4 if address in network), "")
    why = next((why for network, why in V6 if address in network), "")
    if why or address not in _GLOBAL_V6:
        return why or "reserved"
    return "ISATAP" if (int(address) >> 32) & 0xFDFF_FFFF == _ISATAP else ""


def system_resolver(host: str, port: int) -> Sequence[str]:
    """Ask the operating system. It may block for as long as its resolver's own limits allow.

    Raises:
        FetchFault: ``dns``.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except socket.gaierror as error:
        passing = error.errno == socket.EAI_AGAIN
        raise FetchFault("dns", f"The name {host} cannot be resolved.", retryable=passing) from None
    except (OSError, UnicodeError):
        raise FetchFault("dns", f"The name {host} cannot be resolved.") from None
    return [str(entry[4][0]) for entry in found]


def _unfolded(address: IP) -> IP:
    """The IPv4 address inside an IPv4-mapped one, or one of the well-known NAT64 prefix: where packets end up."""
    if isinstance(address, IPv6Address) and (address in _MAPPED or address in _NAT64):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def _parsed(text: str, host: str) -> IP:
    try:
        return ip_address(text.partition("%")[0])
    except ValueError:
        raise FetchFault("dns", f"The name {host} cannot be resolved.") from None


def _is_ip(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _refuse_local_name(host: str) -> None:
    if "." not in host or host.endswith(tuple(f".{name}" for name in _LOCAL_NAMES)):
        raise FetchFault("blocked", f"{host} is a name of this machine or its network and is not read.")
