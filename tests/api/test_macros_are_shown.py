import pytest

from research.models.states import MacroStatus
from research.services.macros import sync_macros
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


def test_it_tells_the_parameters_as_one_json_schema(client, url):
    shown = client.get(url("macro", MacroFactory().name)).json()
    assert shown["params_schema"]["required"] == ["client_name"]
    assert shown["params_schema"]["properties"]["client_name"]["type"] == "string"


def test_it_tells_the_fields_of_an_object(client, url):
    sync_macros()
    shown = client.get(url("macro", "legal-research")).json()
    declared = {parameter["name"]: parameter for parameter in shown["parameters"]}
    assert declared["timeRange"]["schema"]["properties"]["from"]["format"] == "date-or-year"
    assert "schema" not in declared["question"]


def test_it_refuses_an_object_that_does_not_fit(client, url):
    sync_macros()
    params = {"question": "Was?", "timeRange": {"since": "2015"}}
    told = client.post(url("runs"), {"macro": "legal-research", "params": params})
    assert told.status_code == 400
    assert [error["name"] for error in told.json()["errors"]] == ["timeRange.since"]
