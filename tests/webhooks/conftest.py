import pytest

from research.services.webhooks import add_webhook
from tests.factories import UserFactory
from tests.receiver import receiving


@pytest.fixture
def receiver(settings):
    """A receiver that the operator lets messages through to."""
    with receiving() as server:
        settings.DOSSIER_FETCH_ALLOW = [server.host]
        yield server


@pytest.fixture
def owner(db):
    """Somebody who may see everything and set up webhooks."""
    return UserFactory(is_superuser=True)


@pytest.fixture
def hook(receiver, owner):
    """The receiver's webhook, for every event."""
    return add_webhook(url=receiver.url, actor=owner)
