"""``manage.py alarms``: look at the vitals of this installation, and tell its operators when one of them is broken."""

import logging
import os
import socket
import time
from collections.abc import Callable

import requests
from django.conf import settings
from django.core.management.base import CommandParser
from django.utils import timezone

from common.commands.base import Mistake, Options
from research.doctor.alarms import Alarms, Quiet, look, untold
from research.doctor.heartbeats import Heart
from research.doctor.vitals import VITALS
from research.jsontext import JsonObject
from research.management.base import ResearchCommand

log = logging.getLogger(__name__)

EVERY = 30.0  # seconds
TIMEOUT = 10.0


class Command(ResearchCommand):
    help = "Watch database, workers, beat, broker, queue, seals and disk, and send to DOSSIER_ALERT_URL what is broken."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print each message as a line of JSON")
        parser.add_argument(
            "--times", type=int, default=0, help="look so many times, then end; 0 is for ever"
        )
        parser.set_defaults(run=self.keep_watch)

    def keep_watch(self, options: Options, sleep: Callable[[float], None] = time.sleep) -> None:
        try:
            quiet = Quiet.read(settings.DOSSIER_ALERT_QUIET)
        except ValueError as error:
            raise Mistake(f"DOSSIER_ALERT_QUIET must be a time such as 22:00-06:00: {error}") from None
        alarms: Alarms = {}
        looked, heart = 0, Heart("alarms", f"{socket.gethostname()}:{os.getpid()}")
        while True:
            after, messages = look(alarms, VITALS.now(), timezone.now(), quiet)
            arrived = [self._send(message) for message in messages]
            alarms = after if all(arrived) else untold(alarms, after)
            heart.beat()
            looked += 1
            if looked == options["times"]:
                return
            sleep(EVERY)

    def _send(self, message: JsonObject) -> bool:
        """Whether it arrived; without an address it is written out."""
        if self.as_json:
            self.print_json(message)
        else:
            self.say(str(message["text"]))
        if not settings.DOSSIER_ALERT_URL:
            return True
        try:
            requests.post(settings.DOSSIER_ALERT_URL, json=message, timeout=TIMEOUT).raise_for_status()
        except requests.RequestException as error:
            log.warning("DOSSIER_ALERT_URL did not take a message: %s", type(error).__name__)
            return False
        return True
