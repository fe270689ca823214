"""Two first log-ins of the same new person at the same moment: one makes the account, the other comes into it."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from threading import Barrier, BrokenBarrierError

import pytest
from django.contrib.auth.models import User
from django.db import connection

from research.models import Identity
from research.services import identities
from research.services.identities import person_at

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def at_once(monkeypatch, settings):
    """``at_once(*subjects)``: each comes for the first time, and all have looked before the first is written."""
    settings.DOSSIER_OIDC_CREATE = True
    free_name = identities._free_name

    def come(*subjects):
        meeting = Barrier(len(subjects))

        def met(wanted):
            name = free_name(wanted)
            with suppress(BrokenBarrierError):  # one writer at a time on SQLite: there is nobody to meet
                meeting.wait(timeout=1)
            return name

        def log_in(subject):
            with closing(connection):
                return person_at(issuer="https://idp", subject=subject, groups=(), username="ada").pk

        monkeypatch.setattr(identities, "_free_name", met)
        with ThreadPoolExecutor(len(subjects)) as threads:
            return list(threads.map(log_in, subjects))

    return come


def test_the_second_takes_what_the_first_has_made(at_once):
    assert len(set(at_once("ada-1", "ada-1"))) == 1
    assert User.objects.count() == Identity.objects.count() == 1


def test_two_people_of_one_name_are_two(at_once):
    assert len(set(at_once("ada-1", "ada-2"))) == 2
    assert set(User.objects.values_list("username", flat=True)) == {"ada", "ada-2"}
