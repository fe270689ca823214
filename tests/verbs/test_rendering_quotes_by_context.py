from decimal import Decimal

import pytest

from research.errors import InvalidVerbs
from research.verbs.parser import parse
from research.verbs.render import render_verbs
from research.verbs.syntax import Call, MapValue
from tests.cases import cases


def rendered(template, params=None, **data):
    return render_verbs(template, params=params or {}, data=data)


def value_of(template, **data):
    """The value of :x after rendering ``(a.b :x …)``."""
    (call,) = parse(rendered(f"(a.b :x {template})", **data)).calls
    return dict(call.args)["x"]


@cases(
    ("template", "value", "expected"),
    [
        ('"{{v}}"', "A & B's <c>", "A & B's <c>"),
        ('"{{{v}}}"', 'say "x"', 'say "x"'),
        ('"{{&v}}"', "a\\b", "a\\b"),
        ('"{{~ v ~}}"', "a\nb", "a\nb"),
        ('"[{{v}}] by {{v}}"', '"', '["] by "'),
        ('"{{v}}%"', 25.0, "25%"),
        ('"{{v}}"', 1e-7, "0.0000001"),
        ('"{{v}}"', True, "true"),
        ('"{{v}}!"', None, "!"),
        ('"{{v}}"', ["a", None, 3], "a, , 3"),
        ('"{{v}}"', {"k": "é"}, '{"k": "é"}'),
        ("{{v}}", "LU", "LU"),
        ("{{v}}", "true", "true"),
        ("{{v}}", "nil) (x.y", "nil) (x.y"),
        ("{{v}}", 42, 42),
        ("{{v}}", 25.5, Decimal("25.5")),
        ("{{v}}", 25.0, 25),
        ("{{v}}", 1e-7, Decimal("0.0000001")),
        ("{{v}}", False, False),
        ("{{v}}", ["a", 1], ("a", 1)),
        ("{{v}}", {"k": [True]}, MapValue((("k", (True,)),))),
        ('[{{v}} "b" "{{v}}"]', "a", ("a", "b", "a")),
        ('[{{v}}, "b", "{{v}}"]', None, ("b",)),
        ('{:k {{v}} :l "m"}', None, MapValue((("l", "m"),))),
        ("{{upper v}}", "é", "É"),
        ('"{{lowercase v}}"', "ÀB", "àb"),
        ('"{{json v}}"', ['"'], '["\\""]'),
        ('"{{slugify v}}"', "A & B", "a_b"),
        ("{{eq v 1}}", 1, True),
        ("{{upper (lower v)}}", "aB", "AB"),
        ('"{{#if v}}yes{{else}}no{{/if}}"', "", "no"),
        ('"{{#if (eq v "a")}}yes{{/if}}"', "a", "yes"),
        ('"{{#unless v}}none{{/unless}}"', None, "none"),
        ('[{{#each v}}"{{this}}"{{#unless @last}}, {{/unless}}{{/each}}]', ["a", "b"], ("a", "b")),
        ("[{{#each v as |item index|}}{{index}} {{item}} {{/each}}]", ["a", "b"], (0, "a", 1, "b")),
        ("[{{#each v}}{{@key}} {{/each}}]", {'k") (x.y': 1}, ('k") (x.y',)),
        ('"{{#with v}}{{w}}{{/with}}"', {"w": "in"}, "in"),
        ('"{{#v}}{{w}}{{/v}}"', [{"w": "a"}, {"w": "b"}], "ab"),
        ('"{{^v}}none{{/v}}"', None, "none"),
        ('"{{v.[0].w}}"', [{"w": "deep"}], "deep"),
        ('"\\{{v}}"', "a", "{{v}}"),
    ],
)
def test_a_value_is_printed_for_its_place(template, value, expected):
    found = value_of(template, v=value)
    assert found == expected
    assert type(found) is type(expected)


@cases("value", [None, ""])
@cases("template", ["{{v}}", '"{{v}}"', "{{#if v}}{{v}}{{/if}}", '{{#if v}}"{{v}}"{{/if}}'])
def test_an_empty_argument_is_left_out_with_its_keyword(template, value):
    text = rendered(f"(a.b :w 1 :x {template} :y 2 :as @s)\n(c.d :x {template})", v=value)
    assert text == "(a.b :w 1 :y 2 :as @s)\n(c.d)\n"


def test_a_missing_name_is_as_empty_as_null():
    assert rendered('(a.b :x {{v}} :y "{{w.z}}" :z (c.d :x {{v}}))') == "(a.b :z (c.d))\n"


@cases("value", [0, False, 0.0, [], {}, " "])
def test_zero_false_and_blank_are_not_empty(value):
    (call,) = parse(rendered("(a.b :x {{v}})", v=value)).calls
    assert len(call.args) == 1


@cases(
    ("template", "value", "name"),
    [
        ("@{{v}}", "apex", "apex"),
        ("$f_{{v}}", 3, "f_3"),
        ("@chain-{{v}}", "529900FA", "chain-529900FA"),
        ("@{{v}}", "3i Group plc", "_3i_Group_plc"),
        ("@{{slugify v}}", "Allianz SE", "allianz_se"),
        ("@{{v}}", "", "_"),
        ("@{{v}}", None, "_"),
        ("@{{v}}", "株式会社", "____"),
        ("@a_{{v}}_b", 'x) (y.z :k "', "a_x___y_z__k___b"),
        ("@{{v}}", "x" * 500, "x" * 100),
    ],
)
def test_a_symbol_gets_a_legal_name(template, value, name):
    (call,) = parse(rendered(f"(a.b :as {template})", v=value)).calls
    assert call.binding == name


def test_loops_number_their_symbols():
    template = "{{#each funds}}(a.b :x {{name}} :as @fund_{{@index}})\n{{/each}}"
    text = rendered(template, funds=[{"name": "A"}, {"name": "B"}])
    assert text == '(a.b :x "A" :as @fund_0)\n(a.b :x "B" :as @fund_1)\n'


def test_comments_stay_in_place_each_on_one_line():
    template = ";; first {{v}}\n(a.b)\n(c.d :x ;; why {{v}}\n 1)\n;; last"
    assert (
        rendered(template, v="x\r\n(e.f)")
        == ";; first x  (e.f)\n(a.b)\n\n;; why x  (e.f)\n(c.d :x 1)\n\n;; last\n"
    )


def test_parameters_and_data_are_both_in_scope_and_data_wins():
    template = '(a.b :x "{{p}}" :y "{{q}}" :z "{{params.q}}" :w "{{data.q}}")'
    text = rendered(template, {"p": "1", "q": "2"}, q="3")
    assert text == '(a.b :x "1" :y "3" :z "2" :w "3")\n'


def test_what_is_rendered_is_in_normal_form():
    template = "\n\n( a.b\n   :x   1 ,\n)".replace(" ,", "")
    assert rendered(template) == "(a.b :x 1)\n"
    assert rendered("") == ""


def test_rendering_twice_gives_the_same_text():
    template = '(a.b :x "{{v}}" :as @{{v}})'
    assert rendered(template, v="é\n") == rendered(template, v="é\n")


@cases(
    ("template", "message"),
    [
        ("(a.b :x {{v}}{{v}})", "must stand alone or between quotes"),
        ("(a.b :x -{{v}})", "must stand alone or between quotes"),
        ("(a.b :x {{v}}.5)", "must stand alone or between quotes"),
        ("(a.b :x {{v}}:y 1)", "must stand alone or between quotes"),
        ("(a.{{v}} :x 1)", "must stand alone or between quotes"),
        ("(a.b :{{v}} 1)", "keyword cannot be made from a value"),
        ("(a.b :x{{v}} 1)", "keyword cannot be made from a value"),
        ('(a.b :x "\\\\{{v}}")', "backslash stands before a value"),
        ("({{v}} :x 1)", "not sound"),
        ("{{v}}", "not sound"),
        ("(a.b {{v}})", "not sound"),
        ("(a.b :x 1", "not sound"),
        ('(a.b :x "{{v}})', "not sound"),
        ("(a.b :as {{v}})", "not sound"),
        ("(a.b :x 1 :as )", "not sound"),
        ("(a.b :x {{#if v}}", "cannot be rendered"),
        ("(a.b :x {{nohelper v}})", "cannot be rendered"),
        ("(a.b :x {{}})", "cannot be rendered"),
        ("(a.b :x {{v)", "cannot be rendered"),
        ("(a.b :x {{> part}})", "cannot be rendered"),
        ("{{#upper v}}{{/upper}}", "cannot be rendered"),
        ("{{^upper v}}{{/upper}}", "cannot be rendered"),
        ("{{#upper}}{{/upper}}", "cannot be rendered"),
        ('{{#"upper" v}}{{/upper}}', "cannot be rendered"),
        ("{{#(upper v)}}{{/(upper}}", "cannot be rendered"),
        ("{{#lookup v 1}}{{/lookup}}", "cannot be rendered"),
        ("{{{{upper v}}}}{{{{/upper}}}}", "cannot be rendered"),
        ("(a.b :x {{v) (upper v}})", "cannot be rendered"),
    ],
)
def test_a_broken_template_is_refused(template, message):
    with pytest.raises(InvalidVerbs, match=message) as caught:
        rendered(template, v="a.b")
    assert caught.value.message


@pytest.mark.parametrize("value", [2**63, {"a key": 1}, 1e-123, {"é": 1}])
def test_a_value_that_the_language_cannot_express_is_refused(value):
    with pytest.raises(InvalidVerbs):
        rendered("(a.b :x {{v}})", v=value)


def test_a_fault_of_the_template_names_its_line():
    with pytest.raises(InvalidVerbs) as caught:
        rendered("(a.b)\n(c.d :x {{nohelper v}})")
    assert [error["line"] for error in caught.value.errors] == [2]


def test_output_without_bound_is_refused():
    with pytest.raises(InvalidVerbs, match="longer than"):
        rendered('{{#each v}}(a.b :x "{{../w}}")\n{{/each}}', v=list(range(500)), w="x" * 10_000)


def test_the_verb_is_what_the_template_says_whatever_the_data_says():
    text = rendered('(a.b :x "{{verb}}")', verb="c.d")
    assert parse(text).items == (Call("a", "b", (("x", "c.d"),)),)
