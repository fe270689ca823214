from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

from config import broker


@pytest.fixture
def channel(tmp_path):
    (tmp_path / "control").mkdir()
    folders = {
        "data_folder_in": str(tmp_path),
        "data_folder_out": str(tmp_path),
        "control_folder": str(tmp_path / "control"),
    }
    with Connection("filesystem://localhost", transport_options=folders) as connection:
        yield connection.channel()


def test_it_is_the_broker_of_the_zero_set_up(channel):
    assert isinstance(channel, broker.Channel)


def test_it_gives_messages_back_in_their_order(channel):
    for number in range(3):
        channel._put("runs", {"number": number})
    assert [channel._get("runs") for _ in range(3)] == [{"number": number} for number in range(3)]
    with pytest.raises(Empty):
        channel._get("runs")


def test_it_shows_no_message_that_is_still_being_written(channel, monkeypatch):
    seen, replace = [], Path.replace

    def look_first(source, target):
        with pytest.raises(Empty):
            channel._get("runs")
        seen.append(source.stat().st_size)
        replace(source, target)

    monkeypatch.setattr(Path, "replace", look_first)
    channel._put("runs", {"number": 1})
    assert seen[0] > 0
    assert channel._get("runs") == {"number": 1}


def test_it_passes_over_a_message_that_cannot_be_read(channel, tmp_path):
    (tmp_path / "0_torn.runs.msg").write_text("")
    channel._put("runs", {"number": 1})
    with pytest.raises(Empty):
        channel._get("runs")
    assert channel._get("runs") == {"number": 1}
