import pytest

from research.models import Run
from tests.cases import cases
from tests.factories import MacroFactory, RunFactory

pytestmark = pytest.mark.django_db
TEXT = """\
macro:
  name: look-up
  parameters:
    - name: "limit"
      type: integer
    - {name: client_name, type: string}
    - name: focus
      type: string
"""


@cases(
    ("params", "title"),
    [
        ({"focus": "all", "limit": 3, "client_name": "Allianz SE"}, "Allianz SE"),
        ({"focus": "all", "client_name": ""}, "all"),
        ({"a": "unknown to the macro", "focus": "all"}, "all"),
        ({"limit": 3}, "look-up"),
        ({}, "look-up"),
        ({"client_name": "x" * 500}, "x" * 119 + "…"),
        ({"limit": 3, "focus": ["Allianz SE", "Shell plc", "BASF SE"]}, "Allianz SE and 2 more"),
        ({"client_name": ["Allianz SE"], "focus": "all"}, "Allianz SE"),
        ({"client_name": [3, None, ""], "focus": "all"}, "all"),
    ],
)
def test_it_is_the_first_text_that_the_macro_asks_for(params, title):
    run = RunFactory(params=params, macro=MacroFactory(name="look-up", text=TEXT))
    assert Run.objects.get(pk=run.pk).title == title
