import pytest

from research.models.states import MacroStatus
from tests.factories import MacroFactory

pytestmark = pytest.mark.django_db


def test_it_shows_what_a_macro_asks_for(client, url):
    macro = MacroFactory()
    shown = client.get(url("macro", macro.name)).json()
    assert [(p["name"], p["type"], p["required"]) for p in shown["parameters"]] == [
        ("client_name", "string", True)
    ]
    assert shown["schema"]["required"] == ["name"]
    assert (shown["tools"], shown["review"]) == (["lei_search", "lei_record"], "required")
    assert shown["text"] == macro.text


def test_it_shows_the_active_version_and_names_the_others(client, url):
    old = MacroFactory(status=MacroStatus.RETIRED)
    MacroFactory(name=old.name, version="1.1")
    shown = client.get(url("macro", old.name)).json()
    assert shown["version"] == "1.1"
    assert sorted(shown["versions"]) == ["1.0", "1.1"]


def test_it_does_not_show_a_name_without_an_active_version(client, url):
    macro = MacroFactory(status=MacroStatus.RETIRED)
    assert client.get(url("macro", macro.name)).status_code == 404
