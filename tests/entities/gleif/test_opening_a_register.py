"""Which register is used: the live one where it answers, the demo where it does not, and it says which."""

from collections.abc import Iterator
from typing import Any

import pytest

from entities.gleif import register as module
from entities.gleif.client import PUBLIC_URL
from entities.gleif.demo.server import DemoServer
from entities.gleif.register import open_register

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    for memory in (module._opened, module._chosen):
        memory.clear()
    yield
    for memory in (module._opened, module._chosen):
        memory.clear()


@pytest.fixture
def reachable(monkeypatch: pytest.MonkeyPatch, server: DemoServer) -> DemoServer:
    """The public API's stand-in."""
    monkeypatch.setattr(module, "PUBLIC_URL", server.url)
    return server


def test_it_opens_the_demo_register_with_its_age(settings: Any) -> None:
    register = open_register("demo")
    assert (register.name, register.as_of) == ("demo", "2026-01-02T00:00:00Z")
    assert "demo" in register.label
    assert "2026-01-02" in register.label
    assert "133" in register.label


@pytest.mark.parametrize("name", ["", "auto"])
def test_it_prefers_the_live_register_when_that_answers(
    settings: Any, reachable: DemoServer, name: str
) -> None:
    settings.GLEIF_BASE_URL, settings.DOSSIER_REGISTER = "", "auto"
    register = open_register(name)
    assert (register.name, register.size) == ("gleif", 133)
    assert register.label.startswith("LEI register of GLEIF, 133 records")


@pytest.mark.parametrize("fault", ["down", "broken", "html"])
def test_it_falls_back_to_the_demo_when_the_live_register_does_not_answer(
    settings: Any, reachable: DemoServer, fault: Any
) -> None:
    settings.GLEIF_BASE_URL = ""
    reachable.fail(fault)
    assert open_register("auto").name == "demo"


def test_it_does_not_wait_long_for_the_live_register(
    settings: Any, reachable: DemoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.GLEIF_BASE_URL = ""
    monkeypatch.setattr(module, "PROBE_SECONDS", 0.05)
    reachable.fail("slow")
    assert open_register("auto").name == "demo"


def test_it_keeps_its_choice_for_a_while(settings: Any, reachable: DemoServer) -> None:
    settings.GLEIF_BASE_URL = ""
    open_register("auto")
    reachable.fail("down")
    assert open_register("auto").name == "gleif"
    assert len(reachable.requests) == 1


def test_it_takes_an_address_of_ones_own_for_the_live_register(settings: Any, server: DemoServer) -> None:
    settings.GLEIF_BASE_URL = server.url
    server.fail("down")
    register = open_register("auto")
    assert (register.name, register.base_url) == ("gleif", server.url)
    assert server.requests == []


def test_it_asks_the_public_register_by_default(settings: Any) -> None:
    settings.GLEIF_BASE_URL = ""
    assert open_register("gleif").base_url == PUBLIC_URL


def test_it_obeys_the_setting_when_no_name_is_given(settings: Any) -> None:
    settings.DOSSIER_REGISTER = "demo"
    assert open_register("").name == "demo"


def test_it_is_one_register_per_process_so_that_all_share_one_pace(settings: Any, server: DemoServer) -> None:
    settings.GLEIF_BASE_URL = server.url
    assert open_register("gleif") is open_register("auto")


def test_it_refuses_a_register_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="gleif, demo or auto"):
        open_register("moon")
