"""What trials compare a ledger with: who was asked, what was answered, what was lost, and what all of it costs."""

import json
import subprocess
import sys
from urllib.request import urlopen

import pytest

from research.llm.interface import ModelFault
from research.llm.models import open_model
from tests.llm.doubles.scripts import SCRIPTS, load_script
from tests.llm.doubles.server import Double
from tests.llm.talking import MODELS, point_at, request, talk


def ask(name):
    return open_model(name).complete(request())


def bill_of(url):
    with urlopen(f"{url}/bill", timeout=10) as answer:
        return json.load(answer)


@pytest.mark.parametrize("name", MODELS)
def test_it_adds_up_what_the_client_was_told(settings, name):
    with Double(SCRIPTS["seven-turns"]) as double:
        point_at(settings, double)
        turns = talk(name)
        bill = bill_of(double.url)
    assert (bill["requests"], bill["answered"], bill["refused"], bill["lost"]) == (7, 7, 0, 0)
    assert bill["tokens"]["input"] == sum(turn.usage.input_tokens for turn in turns) == 7_000
    assert bill["tokens"]["output"] == sum(turn.usage.output_tokens for turn in turns) == 700
    assert bill["usd"] == pytest.approx((7_000 * 3 + 700 * 15) / 1_000_000)


def test_what_broke_off_is_charged_and_what_was_refused_is_not(settings):
    with Double([{"before": ["cut", "rate_limit", "hang_up"], "text": "{}"}]) as double:
        point_at(settings, double)
        for _ in range(3):
            with pytest.raises(ModelFault):
                ask("anthropic:m")
        ask("anthropic:m")
        bill = bill_of(double.url)
    assert (bill["requests"], bill["answered"], bill["refused"], bill["lost"]) == (4, 1, 2, 1)
    assert bill["usd"] == pytest.approx(2 * 0.0045)
    assert bill["usd_lost"] == pytest.approx(0.0045)


def test_a_request_that_the_service_would_refuse_is_a_violation(settings):
    with Double(SCRIPTS["answer"]) as double:
        point_at(settings, double)
        settings.OPENAI_CHAT_API_KEY = ""
        bad = {
            "model": "m",
            "messages": [{"role": "tool", "tool_call_id": "1", "content": "?"}],
            "temperature": 0,
        }
        with pytest.raises(ModelFault):
            open_model("openai-chat:m").endpoint.post("/chat/completions", bad)
        bill = bill_of(double.url)
    assert bill["violations"] == ["temperature is not for this model", "1 answers no call before it"]
    assert bill["answered"] == 0


def test_it_runs_as_a_program_of_its_own(settings, tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPTS["two-calls"]))
    command = [sys.executable, "-m", "tests.llm.doubles.server", "--script", str(script), "--latency", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            port = process.stdout.readline().split()[1]
            settings.OPENAI_CHAT_BASE_URL = f"http://127.0.0.1:{port}/v1"
            turns = talk("openai-chat:m")
            bill = bill_of(f"http://127.0.0.1:{port}")
        finally:
            process.terminate()
    assert [turn.stop for turn in turns] == ["tools", "end"]
    assert bill["answered"] == 2


def test_scripts_have_names():
    assert load_script("seven-turns") is SCRIPTS["seven-turns"]
    assert len(SCRIPTS["seven-turns"]) == 7
