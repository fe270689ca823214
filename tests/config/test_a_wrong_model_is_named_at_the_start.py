"""A wrong name in DOSSIER_MODEL is named when processes start, and not by the first run that comes to it."""

import logging

import pytest
from django.core.management import CommandError, call_command

from config import signs


def test_up_refuses_a_name_that_means_nothing(settings):
    settings.DOSSIER_MODEL = "antropic:some-model"
    with pytest.raises(CommandError, match="Perhaps it is: anthropic:some-model"):
        call_command("up")


def test_a_worker_names_it_in_its_log(settings, caplog):
    settings.DOSSIER_MODEL, settings.OPENAI_API_KEY = "some-model,openai:other", ""
    with caplog.at_level(logging.WARNING):
        signs.name_faults()
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]
    assert "anthropic:some-model, openai:some-model, openai-chat:some-model" in caplog.records[0].message
    assert "OPENAI_API_KEY" in caplog.records[1].message
