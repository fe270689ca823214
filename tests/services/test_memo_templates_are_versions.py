"""A template of memos is a checked structure whose versions never change."""

import pytest

from research.errors import InvalidParameters, InvalidTransition, NotPermitted
from research.memo.template import PARTS, Template, read_template
from research.models import AuditEvent, MemoTemplate
from research.services.memo_templates import (
    activate_template,
    as_template,
    find_template,
    save_template,
    template_names,
)
from research.services.memos import compose_memo
from tests.factories import ResultFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor():
    return UserFactory(rights=["add_memotemplate"])


@pytest.fixture
def save(editor):
    def save(**given):
        return save_template(**{"name": "house", "values": {}, "note": "x", "actor": editor, **given})

    return save


def test_the_shipped_template_reads_back_as_it_is():
    shipped = Template()
    assert read_template(shipped.as_values()) == shipped
    assert tuple(part.key for part in shipped.parts) == PARTS


def test_what_is_stored_reads_back(save):
    row = save(
        values={"header": "A & B", "accent": "blue", "parts": [{"key": "limitations"}, {"key": "summary"}]}
    )
    template = as_template(row)
    assert [part.key for part in template.parts] == ["limitations", "summary"]
    assert (template.header, template.look.accent, template.name, template.version) == (
        "A & B",
        "blue",
        "house",
        1,
    )
    assert template.digest == row.digest


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ([], "template"),
        ({"css": "body{}"}, "css"),
        ({"accent": "red; background: url(x)"}, "accent"),
        ({"typeface": None}, "typeface"),
        ({"size": []}, "size"),
        ({"contents": "yes"}, "contents"),
        ({"header": 3}, "header"),
        ({"header": "x" * 201}, "header"),
        ({"disclaimer": "x" * 2_001}, "disclaimer"),
        ({"parts": "summary"}, "parts"),
        ({"parts": [{"key": "summary"}]}, "parts"),
        ({"parts": [{"key": "summary"}, {"key": "limitations"}, {"key": "summary"}]}, "parts"),
        ({"parts": [{"key": "summary"}, {"key": "limitations"}, {"key": ["x"]}]}, "parts"),
        ({"parts": [{"key": "summary", "template": "x"}, {"key": "limitations"}]}, "parts.template"),
        ({"parts": [{"key": "summary", "intro": 1}, {"key": "limitations"}]}, "summary.intro"),
    ],
)
def test_what_is_no_template_is_refused_by_name(save, values, name):
    with pytest.raises(InvalidParameters) as refused:
        save(values=values)
    assert name in [error.name for error in refused.value.errors]
    assert not MemoTemplate.objects.exists()


@pytest.mark.parametrize(
    ("given", "name"),
    [({"name": ""}, "name"), ({"name": "a b"}, "name"), ({"name": "é"}, "name"), ({"note": " "}, "note"),
     ({"language": "la"}, "language"), ({"name": "x" * 61}, "name"), ({"note": "x" * 501}, "note")],
)  # fmt: skip
def test_it_needs_a_name_and_a_reason(save, given, name):
    with pytest.raises(InvalidParameters) as refused:
        save(**given)
    assert [error.name for error in refused.value.errors] == [name]


def test_only_those_with_the_right_save_and_activate(save):
    row = save()
    nobody = UserFactory()
    with pytest.raises(NotPermitted):
        save(actor=nobody)
    with pytest.raises(NotPermitted):
        activate_template(template=row, actor=nobody)


def test_every_change_is_in_the_audit_trail(save, editor):
    first, _ = save(), save(values={"header": "x"})
    activate_template(template=first, actor=editor)
    told = AuditEvent.objects.filter(action__startswith="memo_template.").order_by("pk")
    assert list(told.values_list("action", flat=True)) == [
        "memo_template.saved",
        "memo_template.saved",
        "memo_template.activated",
    ]


def test_the_active_version_is_not_activated_again(save, editor):
    row = save()
    with pytest.raises(InvalidTransition):
        activate_template(template=row, actor=editor)
    assert MemoTemplate.objects.get().active


def test_the_memo_records_template_version_and_digest(save):
    row = save(values={"header": "A & B"})
    memo = compose_memo(result=ResultFactory(), template="house")
    assert memo.template == row
    assert memo.template_digest == row.digest
    assert bytes(memo.body).decode().startswith("A & B")


def test_without_one_of_its_own_standard_is_the_shipped_one():
    memo = compose_memo(result=ResultFactory())
    assert memo.template is None
    assert memo.template_digest == Template().digest


def test_one_named_standard_is_used_wherever_none_is_asked_for(save):
    row = save(name="standard", values={"header": "House"})
    assert compose_memo(result=ResultFactory()).template == row


def test_a_template_in_one_language_is_for_memos_in_it(save):
    save(name="kanzlei", language="de")
    assert template_names("de") == ["standard", "kanzlei"]
    assert template_names("fr") == ["standard"]
    assert find_template("kanzlei", "de")[1].language == "de"
    with pytest.raises(InvalidParameters, match="is in de; there are: standard"):
        find_template("kanzlei", "fr")


def test_a_standard_in_another_language_leaves_the_shipped_one(save):
    save(name="standard", language="de", values={"header": "Kanzlei"})
    assert find_template("standard", "fr") == (Template(), None)


def test_an_unknown_template_is_refused_with_what_there_is(save):
    save()
    with pytest.raises(InvalidParameters, match="there are: standard, house"):
        compose_memo(result=ResultFactory(), template="nobody")
