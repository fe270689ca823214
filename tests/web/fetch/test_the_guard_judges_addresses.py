"""Which addresses may be connected to: the text of a host is never trusted, every address it has is judged."""

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from research.web.faults import FetchFault
from research.web.guard import Policy, allow_list, check_url, reason_against, resolve_checked, system_resolver
from tests.cases import cases

PUBLIC = "93.184.215.14"

BAD_ADDRESSES = [
    ("0.0.0.0", "unspecified"),
    ("0.1.2.3", "this network"),
    ("10.0.0.1", "private"),
    ("10.255.255.255", "private"),
    ("100.64.0.1", "shared by a provider"),
    ("100.100.100.200", "metadata"),
    ("127.0.0.1", "loopback"),
    ("127.255.255.254", "loopback"),
    ("168.63.129.16", "metadata"),
    ("169.254.1.1", "link-local"),
    ("169.254.169.254", "metadata"),
    ("169.254.170.2", "metadata"),
    ("172.16.0.1", "private"),
    ("172.31.255.255", "private"),
    ("192.0.0.192", "metadata"),
    ("192.0.0.8", "reserved"),
    ("192.0.2.1", "documentation"),
    ("192.88.99.1", "6to4 relay"),
    ("192.168.1.1", "private"),
    ("198.18.0.1", "benchmark"),
    ("198.19.255.255", "benchmark"),
    ("198.51.100.7", "documentation"),
    ("203.0.113.7", "documentation"),
    ("224.0.0.1", "multicast"),
    ("239.255.255.250", "multicast"),
    ("240.0.0.1", "reserved"),
    ("255.255.255.255", "broadcast"),
    ("::", "unspecified"),
    ("::1", "loopback"),
    ("::7f00:1", "IPv4-compatible"),
    ("::5db8:d70e", "IPv4-compatible"),
    ("::ffff:127.0.0.1", "loopback"),
    ("::ffff:10.0.0.1", "private"),
    ("::ffff:169.254.169.254", "metadata"),
    ("::ffff:0:127.0.0.1", "IPv4-translated"),
    ("64:ff9b::7f00:1", "loopback"),
    ("64:ff9b::a9fe:a9fe", "metadata"),
    ("64:ff9b:1::1", "local NAT64"),
    ("64:ff9b:1:ffff::5db8:d70e", "local NAT64"),
    ("100::1", "discard"),
    ("2001::1", "Teredo"),
    ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "Teredo"),
    ("2001:2::1", "benchmark"),
    ("2001:10::1", "reserved"),
    ("2001:db8::1", "documentation"),
    ("2002:7f00:1::", "6to4"),
    ("2002:5db8:d70e::1", "6to4"),
    ("2606:4700::5efe:10.0.0.1", "ISATAP"),
    ("2606:4700::200:5efe:5db8:d70e", "ISATAP"),
    ("3fff::1", "documentation"),
    ("4000::1", "reserved"),
    ("5f00::1", "reserved"),
    ("fc00::1", "private"),
    ("fd00:ec2::254", "private"),
    ("fe80::1", "link-local"),
    ("febf::1", "link-local"),
    ("fec0::1", "site-local"),
    ("ff02::1", "multicast"),
]
GOOD_ADDRESSES = [
    *("1.1.1.1", "8.8.8.8", PUBLIC, "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1"),
    *("126.255.255.255", "128.0.0.1", "169.253.255.255", "172.15.255.255", "172.32.0.1", "192.167.255.255"),
    *("198.17.255.255", "198.20.0.1", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::200e"),
    *("::ffff:8.8.8.8", "64:ff9b::808:808"),
]

# Spellings of a host, and what they come to.
SPELLINGS = [
    ("http://2130706433/", "loopback"),
    ("http://017700000001/", "loopback"),
    ("http://0x7f000001/", "loopback"),
    ("http://0177.0.0.1/", "loopback"),
    ("http://0x7f.0.0.1/", "loopback"),
    ("http://127.1/", "loopback"),
    ("http://127.0.1/", "loopback"),
    ("http://127.0.0.1./", "loopback"),
    ("http://１２７.0.0.1/", "loopback"),
    ("http://127。0。0。1/", "loopback"),
    ("http://①②⑦.0.0.1/", "loopback"),
    ("http://%31%32%37.0.0.1/", "loopback"),
    ("http://0/", "unspecified"),
    ("http://0.0.0.0/", "unspecified"),
    ("http://0xa9fea9fe/", "metadata"),
    ("http://2852039166/", "metadata"),
    ("http://169.254.43518/", "metadata"),
    ("http://0xA.0x0.0x0.0x1/", "private"),
    ("http://3232235777/", "private"),
    ("http://[::]/", "unspecified"),
    ("http://[::1]/", "loopback"),
    ("http://[0:0:0:0:0:0:0:1]/", "loopback"),
    ("http://[::ffff:127.0.0.1]/", "loopback"),
    ("http://[::FFFF:7F00:1]/", "loopback"),
    ("http://[::ffff:a9fe:a9fe]/", "metadata"),
    ("http://[64:ff9b::10.0.0.1]/", "private"),
    ("http://[2002:7f00:1::1]/", "6to4"),
    ("http://[fe80::1]/", "link-local"),
]

REFUSED_TEXTS = [
    *("http://localhost/", "http://LOCALHOST/", "http://localhost./", "http://api.localhost/", "http://db/"),
    *(
        "http://printer.local/",
        "http://metadata.google.internal/",
        "http://ｌｏｃａｌｈｏｓｔ/",
        "http://%6cocalhost/",
    ),
    *("http://router.lan/", "http://a.home.arpa/", "http://wiki.corp/", "http://x.onion/"),
    *(
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "data:text/html,x",
        "//example.com/",
    ),
    *("http://user:pw@example.com/", "http://user@example.com/", "http://example.com@127.0.0.1/"),
    *(
        "http://example.com:22/",
        "http://example.com:6379/",
        "http://example.com:0/",
        "http://example.com:99999/",
    ),
    *("http://127.0.0.1:11434/v1/chat", "http://[::1]:8000/", "http://256.256.256.256/", "http://1.2.3.4.5/"),
    *(
        "http://[fe80::1%25lo]/",
        "http://exa\\mple.com/",
        "http://a b.com/",
        "http://example.com\t.evil.com:1/",
    ),
    "http://example.com/" + "x" * 2_100,
]


def knows(*addresses):
    """A resolver that gives every name these addresses, as the system would give literals themselves."""

    def resolve(host, port):
        try:
            return [str(ip_address(host))]
        except ValueError:
            return list(addresses)

    return resolve


def admit(url, resolver=None, policy=None):
    """What the guard as a whole says: the text first, then the addresses."""
    address = check_url(url, policy)
    return resolve_checked(address.host, address.port, resolver=resolver or knows(PUBLIC), policy=policy)


@cases(("address", "why"), BAD_ADDRESSES)
def test_it_refuses_a_name_with_a_bad_address(address, why):
    with pytest.raises(FetchFault, match=why) as caught:
        admit("http://pages.example.com/", knows(address))
    assert (caught.value.code, caught.value.retryable) == ("blocked", False)


@cases("address", GOOD_ADDRESSES)
def test_it_lets_a_public_address_through(address):
    assert reason_against(ip_address(address)) == ""
    assert len(admit("http://pages.example.com/", knows(address))) == 1


@cases(("url", "why"), SPELLINGS)
def test_it_judges_odd_spellings_by_what_they_mean(url, why):
    with pytest.raises(FetchFault, match=why):
        admit(url)


@cases("url", [*REFUSED_TEXTS, *(url for url, _ in SPELLINGS)])
def test_it_refuses_by_the_text_alone(url):
    def never(host, port):
        raise AssertionError("no name is looked up for this address")

    with pytest.raises(FetchFault) as caught:
        admit(url, never)
    assert caught.value.code == "blocked"


@cases(
    "url",
    [
        *(
            "http://example.com/",
            "https://example.com/a?b=c#d",
            "http://example.com:8080/",
            "http://8.8.8.8/",
        ),
        *(
            "https://Müller.example.com/",
            "http://134744072/",
            "http://[2606:4700::1111]/",
            "http://local.example.com/",
        ),
        *("http://localhost.example.com/", "http://127.0.0.1.example.com/", "http://a_b.example.com/"),
    ],
)
def test_it_lets_ordinary_pages_through(url):
    assert admit(url)


def test_one_bad_address_among_good_ones_refuses_all():
    with pytest.raises(FetchFault, match="loopback"):
        admit("http://pages.example.com/", knows(PUBLIC, "8.8.8.8", "127.0.0.1"))


def test_a_mapped_address_is_judged_by_what_it_carries():
    assert reason_against(ip_address("::ffff:192.168.0.1")) == "private"
    assert reason_against(ip_address("::ffff:9.9.9.9")) == ""


def test_a_name_without_an_address_is_not_found():
    with pytest.raises(FetchFault, match="has no address") as caught:
        admit("http://pages.example.com/", knows())
    assert caught.value.code == "dns"


def test_an_answer_that_is_no_address_is_refused():
    with pytest.raises(FetchFault, match="cannot be resolved"):
        admit("http://pages.example.com/", knows("not-an-address"))


def test_the_system_resolver_reads_literals_and_refuses_nonsense():
    assert system_resolver("127.0.0.1", 80) == ["127.0.0.1"]
    with pytest.raises(FetchFault) as caught:
        system_resolver("a" * 300, 80)
    assert caught.value.code == "dns"


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_judged_alike_inside_ipv6(address):
    mapped, nat64 = ip_address(f"::ffff:{address}"), ip_address(f"64:ff9b::{address}")
    assert reason_against(address) == reason_against(mapped) == reason_against(nat64)


@given(st.ip_addresses(v=4, network="127.0.0.0/8"), st.sampled_from(["{}", "0x{:x}", "0{:o}"]))
def test_no_spelling_of_loopback_gets_through(address, spelling):
    with pytest.raises(FetchFault, match="loopback"):
        admit(f"http://{spelling.format(int(address))}/")


def test_the_allow_list_lets_one_host_and_port_through():
    policy = Policy(allow=allow_list(["127.0.0.1:8123", "Wiki.corp", "[::1]:9000"]))
    assert admit("http://127.0.0.1:8123/a", policy=policy) == ["127.0.0.1"]
    assert admit("http://[::1]:9000/", policy=policy) == ["::1"]
    assert admit("https://wiki.corp/", knows("10.1.2.3"), policy=policy) == ["10.1.2.3"]
    for url in ("http://127.0.0.1:8124/", "http://127.0.0.2:8123/", "http://wiki.corp:8080/"):
        with pytest.raises(FetchFault, match=r"."):
            admit(url, knows("10.1.2.3"), policy)


@cases("address", ["169.254.169.254", "169.254.1.1", "224.0.0.1", "0.0.0.0", "fe80::1"])
def test_even_an_allowed_name_does_not_lead_to_metadata(address):
    policy = Policy(allow=allow_list(["wiki.corp:80"]))
    with pytest.raises(FetchFault, match="is not read"):
        admit("http://wiki.corp/", knows(address), policy)


@cases("entry", ["a b:80", "host:port", "", ":80", "http://host:80"])
def test_a_faulty_entry_of_the_allow_list_is_named(entry):
    with pytest.raises(ValueError, match=r"."):
        allow_list([entry])


@pytest.mark.parametrize(
    "base_url",
    ["http://127.0.0.1:11434/v1", "http://localhost:8000/v1", "http://[::1]:8080/v1", "http://vllm:8000/v1"],
)
def test_a_language_model_of_this_machine_is_no_page(base_url):
    with pytest.raises(FetchFault) as caught:
        admit(base_url, system_resolver)
    assert caught.value.code == "blocked"
