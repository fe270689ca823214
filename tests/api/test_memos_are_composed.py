import json

import pytest

from research.models import MemoTemplate
from tests.factories import ResultFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def result():
    return ResultFactory()


def test_it_uses_the_template_that_is_named(client, url, result):
    MemoTemplate.objects.create(name="house", version=3, values={"header": "Our house"}, digest="x", note="x")
    answer = client.get(url("result-memo", result.pk), {"template": "house"})
    assert answer.content.decode().startswith("Our house")
    kept = client.post(url("result-memo", result.pk), {"template": "house"}).json()
    assert kept["template"] == "house 3"


def test_it_refuses_a_template_that_there_is_none_of(client, url, result):
    answer = client.get(url("result-memo", result.pk), {"template": "nobody"})
    assert answer.status_code == 400
    assert "there are: standard" in json.dumps(answer.json())
