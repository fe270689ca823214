"""DOSSIER_MODEL names who researches; what is not used is not loaded."""

import subprocess
import sys

import pytest

from research.llm.interface import ModelFault
from research.llm.models import KNOWN, UnknownModel, model_names, open_model, without
from tests.cases import cases
from tests.llm.doubles.scripts import SCRIPTS
from tests.llm.doubles.server import Double
from tests.llm.talking import point_at, request

HEAVY = (
    "research.llm.http",
    "research.llm.anthropic",
    "research.llm.responses",
    "research.llm.chat",
    "json_repair",
)
SETUP = "import django, os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; django.setup(); "
SAY = f"; print(sorted(name for name in {HEAVY} if name in sys.modules))"


@pytest.mark.parametrize("name", ["register", "anthropic:m", "openai:m", "openai-chat:org/m:7b"])
def test_it_opens_every_kind(name):
    assert open_model(name).name == name


@cases("name", ["", "gpt", "anthropic", "anthropic:", "openai: ", "mistral:m", "register:m"])
def test_a_name_that_is_not_known_is_told_what_is(name):
    with pytest.raises(UnknownModel) as raised:
        open_model(name)
    assert all(known in str(raised.value) for known in KNOWN)


def test_a_list_is_an_order():
    assert model_names(" anthropic:a, openai:b ,,register") == ["anthropic:a", "openai:b", "register"]
    assert model_names("") == []


def test_no_adapter_is_loaded_that_nobody_asked_for():
    opening = [f"open_model('{name}')" for name in ("register", "anthropic:m")]
    work = ["import config.urls", "from research.llm.models import open_model", *opening]
    code = SETUP + "".join(f"{each}{SAY}; " for each in work)
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    asked = "['research.llm.anthropic', 'research.llm.http']"
    assert said.stdout.splitlines() == ["[]", "[]", "[]", asked]


@pytest.mark.parametrize("name", ["anthropic:m", "openai:m"])
def test_a_schema_that_is_refused_is_left_out(settings, name):
    with Double(SCRIPTS["answer"], refuse=["schema"]) as double:
        point_at(settings, double)
        model = open_model(name)
        with pytest.raises(ModelFault) as raised:
            model.complete(request())
        other = without(model, raised.value)
        assert other.complete(request()).stop == "end"
    assert (raised.value.kind, raised.value.feature, other.name) == ("unsupported", "schema", name)
    assert without(other, raised.value) is None
    assert '"entity"' in str(double.bodies()[-1])  # it is still in the instructions


def test_nothing_is_left_out_for_another_fault():
    assert without(open_model("anthropic:m"), ModelFault("server", "oops")) is None
    assert without(open_model("anthropic:m"), ModelFault("unsupported", "oops")) is None
    assert without(open_model("register"), ModelFault("unsupported", "no", feature="server_search")) is None


def test_streaming_follows_its_setting(settings):
    with Double(SCRIPTS["answer"]) as double:
        point_at(settings, double, "auto")
        for tokens in (8_000, 64_000):
            open_model("anthropic:m").complete(request(max_tokens=tokens))
    assert [body.get("stream", False) for body in double.bodies()] == [False, True]


@pytest.mark.parametrize(
    ("base", "limit"), [("", "max_completion_tokens"), ("http://127.0.0.1:1/v1", "max_tokens")]
)
def test_compatible_servers_get_the_limit_under_the_name_they_know(settings, base, limit):
    settings.OPENAI_CHAT_BASE_URL = base
    model = open_model("openai-chat:m")
    body = model._body(request())
    assert body[limit] == 8_000
    assert ("prompt_cache_key" in body) is (not base)
