from hypothesis import example, given, settings
from hypothesis import strategies as st

from research.verbs.parser import parse
from research.verbs.render import render_verbs
from research.verbs.syntax import Call, Comment
from tests.cases import cases

TEMPLATE = """
;; apex {{apex.name}} ({{client_name}})
(entity.ensure :entity-type "limited-company" :name "{{apex.name}}" :jurisdiction {{apex.jurisdiction}} :as @apex)
{{#each funds}}
;; {{this.name}} {{{name}}} {{&name}} {{upper name}}
(fund.ensure :name "{{this.name}}" :isin {{name}} :structure "a {{{name}}} b" :manager @apex :as @fund_{{@index}})
(red-flag.raise :entity-id @x_{{slugify name}} :description "{{~name~}}"
  ;; {{name}}
  :list [{{name}} "{{name}}"] :nested (gleif.search :name {{name}}) :map {:k {{name}}})
{{/each}}
{{#if funds}};; {{json funds}}{{/if}}
"""
HOSTILE = [
    'A") (entity.ensure :name "x',
    'A" :as @evil) (entity.ensure :name "x',
    "A\n(entity.ensure :name 1)",
    "A\r(entity.ensure :name 1)",
    "A\r\n(entity.ensure)\n;;",
    "A\u2028(entity.ensure)\u2029\x85\x0b\x0c\x1c\x1d\x1e",
    '"',
    '""',
    "\\",
    '\\"',
    '\\\\" ) (x.y :z "',
    "a\\",
    "{{x}}",
    "{{client_name}} {{{client_name}}} {{#each funds}}",
    "}} {{ {{{{raw}}}} \\{{",
    ";;",
    ";; )\n(",
    "nil",
    "true",
    "42",
    "@apex",
    ":as",
    ") ] } ( [ {",
    "\u202eevil\u202c \u200b\u200d\ufeff\u2066x\u2069",
    "é 株式会社 😀 עברית",
    "\t tab \t",
    "\0",
    "\ud800 half",
    "\ue000" + "0" + "\ue000",
    "\ue0000\ue000\ue001",
    "".join(map(chr, range(0xE000, 0xE100))),
    'name "x" ' * 1_000,
    "dsl-value 0",
    "$&",
    "\\1 \\g<0>",
    " ",
]


def calls_with(name: str) -> tuple[Call | Comment, ...]:
    """What TEMPLATE gives, with the comments' texts left out of the comparison."""
    data = {"apex": {"name": name, "jurisdiction": None}, "funds": [{"name": name}, {"name": name}]}
    program = parse(render_verbs(TEMPLATE, params={"client_name": name}, data=data))
    return tuple(Comment("") if isinstance(item, Comment) else item for item in program.items)


def intended(name: str) -> list[tuple[str, dict[str, str]]]:
    apex = ("entity.ensure", {"entity-type": "limited-company", "name": name})
    fund = ("fund.ensure", {"name": name, "isin": name, "structure": f"a {name} b"})
    return [apex, fund, fund]


def check(name: str) -> None:
    items = calls_with(name)
    kinds = [type(item) for item in items]
    assert kinds == [Comment, Call] + [Comment, Call, Comment, Call] * 2 + [Comment]
    calls = [item for item in items if isinstance(item, Call)]
    assert [call.name for call in calls] == [
        "entity.ensure",
        *["fund.ensure", "red-flag.raise"] * 2,
    ]
    assert [call.binding for call in calls] == ["apex", "fund_0", None, "fund_1", None]
    named = [call for call in calls if call.name != "red-flag.raise"]
    for call, (verb, args) in zip(named, intended(name), strict=True):
        assert call.name == verb
        assert {key: value for key, value in call.args if isinstance(value, str)} == args
    for flag in calls[2::2]:
        check_flag(flag, name)


def check_flag(flag: Call, name: str) -> None:
    assert [keyword for keyword, _ in flag.args] == ["entity-id", "description", "list", "nested", "map"]
    assert flag.get("description") == name
    assert flag.get("list") == (name, name)
    assert flag.get("nested") == Call("gleif", "search", (("name", name),))


@cases("name", HOSTILE)
def test_a_hostile_name_gives_exactly_the_intended_calls(name):
    check(name)


@given(st.text(st.characters(), min_size=1))
@example("\ue000")
@settings(deadline=None)
def test_any_name_gives_exactly_the_intended_calls(name):
    check(name)


SPECIAL = ['"', "\\", "\n", ";", "(", ")", "{{", "}}", "\ue000", "0", ":as ", "@a", " "]


@given(st.lists(st.sampled_from(SPECIAL), min_size=1))
@settings(deadline=None)
def test_any_mix_of_the_characters_of_the_language_stays_text(parts):
    check("".join(parts))


def test_a_template_may_contain_the_private_characters_that_mark_values():
    template = "".join(f'(a.b :x "{chr(code)}0{chr(code)} {{{{v}}}}")\n' for code in (0xE000, 0xE001))
    calls = parse(render_verbs(template, params={}, data={"v": "\ue0020\ue002"})).calls
    assert [call.get("x") for call in calls] == [
        "\ue0000\ue000 \ue0020\ue002",
        "\ue0010\ue001 \ue0020\ue002",
    ]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text() | st.floats(-1e15, 1e15),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
@settings(deadline=None)
def test_any_json_inside_a_text_or_a_comment_adds_no_call(value):
    template = ';; {{v}}\n(a.b :x "{{v}}" :y 1 :as @s_{{v}})\n{{#each v}};; {{@key}} {{this}}\n{{/each}}'
    program = parse(render_verbs(template, params={}, data={"v": value}))
    (call,) = program.calls
    assert call.name == "a.b"
    assert {key for key, _ in call.args} <= {"x", "y"}
