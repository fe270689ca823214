"""A key for a model travels to whom the authorities vouch for, and to nobody else."""

import socket
import ssl
from pathlib import Path

import pytest

from common.outside.trust import trust_store
from research.llm import connection
from research.llm.interface import ModelFault
from research.llm.models import open_model
from tests.llm.talking import KEY, request
from tests.web.fetch.site import Page, Site

CERTIFICATE = (
    Path(__file__).parents[1] / "web" / "fetch" / "loopback-certificate.pem"
)  # for secure.example.com
NAMES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")


@pytest.fixture
def site(monkeypatch, settings):
    """Every name leads to it, and the environment of the machine names nobody."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    look_up = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda name, *rest: look_up("127.0.0.1", *rest))
    monkeypatch.setattr(connection, "_pools", {})
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    site = Site({"/chat/completions": Page(b"{}", "application/json")}, tls=context)
    settings.OPENAI_CHAT_API_KEY = KEY
    settings.OPENAI_CHAT_BASE_URL = site.url("", "secure.example.com")
    yield site
    site.close()


def fault():
    with pytest.raises(ModelFault) as raised:
        open_model("openai-chat:m").complete(request())
    return raised.value


def test_a_server_nobody_vouches_for_gets_nothing(site):
    assert (fault().kind, site.asked) == ("network", [])


@pytest.mark.parametrize("name", NAMES)
def test_whom_the_environment_names_is_trusted(site, monkeypatch, name):
    monkeypatch.setenv(name, str(CERTIFICATE))
    assert "could not be reached" not in fault().message


def test_and_for_its_own_name_only(site, settings, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    settings.OPENAI_CHAT_BASE_URL = site.url("", "other.example.com")
    assert (fault().kind, site.asked) == ("network", [])


def test_a_file_that_is_not_there_is_said(site, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/authorities.pem")
    assert (fault().kind, fault().billed) == ("invalid", False)
    with pytest.raises(ValueError, match="/nowhere/authorities"):
        trust_store()
