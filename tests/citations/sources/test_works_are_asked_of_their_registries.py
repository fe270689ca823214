"""DOIs at Crossref, numbers at arXiv."""

import pytest

from citations.sources.arxiv import Arxiv
from citations.sources.crossref import Crossref
from common.outside.faults import SourceFault
from tests.cases import cases
from tests.registry_server import RegistryServer


@pytest.fixture
def registry():
    with RegistryServer() as server:
        server.works["10.1000/a<b"] = "On  Works\nof Others"
        server.papers["2101.00001v2"] = "Attention & <more>"
        server.papers["hep-th/9901001v1"] = "Strings"
        yield server


def test_crossref_tells_of_a_work(registry, traffic):
    work = Crossref(registry.url, "a@example.org", traffic=traffic).work("10.1000/a<b")
    assert (work.title, work.year, work.url) == (
        "On Works of Others",
        "2019",
        "https://doi.org/10.1000/a%3Cb",
    )
    assert registry.asked == ["/works/10.1000/a%3Cb?mailto=a%40example.org"]


def test_only_the_404_of_crossref_is_an_absence(registry, traffic):
    assert Crossref(registry.url, traffic=traffic).work("10.1000/other") is None


@pytest.mark.parametrize("number", ["2101.00001v2", "2101.00001", "hep-th/9901001"])
def test_arxiv_tells_of_a_paper(registry, traffic, number):
    work = Arxiv(registry.url, traffic=traffic).work(number)
    assert (work.year, work.url) == ("2021", f"https://arxiv.org/abs/{number}")


def test_an_empty_feed_is_an_absence(registry, traffic):
    assert Arxiv(registry.url, traffic=traffic).work("2101.99999") is None
    assert Arxiv(registry.url, traffic=traffic).work("2101.00001v9") is None


@cases(
    ("trouble", "code"),
    [
        (429, "rate_limited"),
        (500, "server_error"),
        (403, "denied"),
        (400, "refused"),
        ("<html>", "unreadable"),
        ("{}", "unreadable"),
    ],
)
@cases("client", [Crossref, Arxiv])
def test_trouble_is_never_an_absence(registry, traffic, trouble, code, client):
    registry.trouble = trouble
    with pytest.raises(SourceFault) as caught:
        client(registry.url, traffic=traffic).work("10.1000/other")
    assert caught.value.code == code


def test_the_404_of_arxiv_is_trouble(registry, traffic):
    registry.trouble = 404
    with pytest.raises(SourceFault):
        Arxiv(registry.url, traffic=traffic).work("2101.00001")


def test_a_feed_is_read_without_its_entities(registry, traffic):
    registry.trouble = (
        '<!DOCTYPE f [<!ENTITY x SYSTEM "file:///etc/passwd">]><feed xmlns="http://www.w3.org/2005/Atom"><entry>'
        "<id>http://arxiv.org/abs/2101.00001</id><title>&x;</title></entry></feed>"
    )
    work = Arxiv(registry.url, traffic=traffic).work("2101.00001")
    assert work.title == ""
