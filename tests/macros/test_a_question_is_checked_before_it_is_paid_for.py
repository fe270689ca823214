import pytest
from jsonschema import Draft202012Validator

from entities.gleif.jurisdictions import is_jurisdiction, meant_jurisdictions
from research.errors import InvalidMacro, InvalidParameters
from research.macros.loader import LIBRARY, load_macro
from research.macros.offered import parameters_schema
from research.macros.parameters import check_parameters, parse_cli_parameters
from tests.cases import cases

ALLIANZ = "529900K9B0N5BT694847"
ASKED = {
    "client-discovery": {"client_name": "Allianz SE"},
    "ubo-investigation": {"entity_name": "Allianz SE"},
    "regulatory-check": {"entity_name": "Allianz SE"},
    "deep-research": {"question": "Who?"},
    "legal-research": {"question": "Was gilt?"},
    "entity-research": {"identifiers": ["Allianz SE"]},
}
MACROS = {name: load_macro((LIBRARY / f"{name}.yaml").read_text(encoding="utf-8")) for name in ASKED}
LIMITED = """\
macro:
  name: limited
  description: d
  parameters: [{{name: x, {limits}}}]
  prompt: p
  output: {{schema_name: s, schema: {{type: object}}}}
"""


def faults(name, **given):
    try:
        check_parameters(MACROS[name], {**ASKED[name], **given})
    except InvalidParameters as refusal:
        return {error.name: error.message for error in refusal.errors}
    return {}


@cases(
    ("name", "given", "words"),
    [
        ("regulatory-check", {"entity_lei": "NOTANLEI"}, "must be an LEI of 20 characters"),
        ("regulatory-check", {"entity_lei": "529900K9B0N5BT694848"}, "did you mean"),
        ("regulatory-check", {"entity_lei": "529900k9 b0n5 bt694848"}, "not '529900k9 b0n5 bt694848'"),
        ("regulatory-check", {"entity_lei": "5" * 20_000}, "must be an LEI"),
        ("regulatory-check", {"entity_lei": "٥" * 20}, "must be an LEI"),
        ("regulatory-check", {"jurisdiction": "Germany"}, "did you mean DE?"),
        ("regulatory-check", {"jurisdiction": "Deutschland"}, "did you mean DE?"),
        ("regulatory-check", {"jurisdiction": "Svizzera"}, "did you mean CH?"),
        ("regulatory-check", {"jurisdiction": "Allemagne"}, "did you mean DE?"),
        ("regulatory-check", {"jurisdiction": "d e"}, "must be an ISO code"),
        ("regulatory-check", {"jurisdiction": "us-qq"}, "not 'us-qq'"),
        ("regulatory-check", {"jurisdiction": "UK"}, "did you mean GB?"),
        ("regulatory-check", {"jurisdiction": "Delaware"}, "did you mean US-DE?"),
        ("regulatory-check", {"jurisdiction": "Munich, Germany"}, "did you mean DE?"),
        ("regulatory-check", {"jurisdiction": "Germny"}, "did you mean DE?"),
        ("regulatory-check", {"jurisdiction": "QQ"}, "must be an ISO code such as DE or US-DE, not 'QQ'"),
        ("regulatory-check", {"jurisdiction": "US-QQ"}, "must be an ISO code"),
        ("regulatory-check", {"jurisdiction": ""}, "must be an ISO code"),
        ("regulatory-check", {"check_types": []}, "must have at least 1 item"),
        ("regulatory-check", {"check_types": ["sanktions"]}, "must be one of regulatory_registration"),
        ("ubo-investigation", {"ownership_threshold": -5}, "must be from 0 to 100, not -5"),
        ("ubo-investigation", {"ownership_threshold": 100.5}, "must be from 0 to 100"),
        ("ubo-investigation", {"ownership_threshold": True}, "must be a number"),
        ("ubo-investigation", {"entity_lei": "NOTANLEI"}, "must be an LEI"),
        ("ubo-investigation", {"jurisdiction": "Mars"}, "must be an ISO code"),
        ("client-discovery", {"client_name": "???"}, "must have a letter or a digit"),
        ("client-discovery", {"jurisdiction_hint": "Luxemburg"}, "did you mean LU?"),
        ("client-discovery", {"max_entities": 0}, "must be from 1 to 1000, not 0"),
        ("client-discovery", {"max_entities": 10**9}, "must be from 1 to 1000"),
        ("deep-research", {"question": "?!"}, "must have a letter or a digit"),
        ("deep-research", {"language": "klingon"}, "must be one of en, de, fr, it"),
        ("legal-research", {"question": "…"}, "must have a letter or a digit"),
        ("legal-research", {"maxSources": -1}, "must be from 1 to 200"),
        ("legal-research", {"timeRange": {"from": "2020", "to": "2015"}}, "must not be before '2020'"),
        ("legal-research", {"timeRange": {"from": "2020-05-02", "to": "2020-05-01"}}, "must not be before"),
        ("legal-research", {"jurisdiction": {"cantons": ["XX"]}}, "must be one of AG"),
        ("entity-research", {"identifiers": [" "]}, "each must have a letter or a digit"),
        ("entity-research", {"identifiers": [1]}, "each must be text"),
        ("entity-research", {"identifiers": [{}]}, "each must be text"),
        ("entity-research", {"max_age": -1}, "must be from 0 to 7776000"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_was_meant(name, given, words):
    (found,) = faults(name, **given).values()
    assert words in found


@cases(
    ("name", "given"),
    [
        ("regulatory-check", {"entity_lei": ALLIANZ, "jurisdiction": "US-DE", "check_types": ["litigation"]}),
        ("regulatory-check", {"jurisdiction": "US-GA"}),
        ("regulatory-check", {"jurisdiction": "US-PR"}),
        ("regulatory-check", {"jurisdiction": "CA-ON"}),
        ("regulatory-check", {"jurisdiction": "XK"}),
        ("regulatory-check", {"jurisdiction": None, "entity_lei": None}),
        ("ubo-investigation", {"ownership_threshold": 0}),
        ("ubo-investigation", {"ownership_threshold": 12.5}),
        ("client-discovery", {"client_name": "日本", "max_entities": 1000}),
        ("legal-research", {"timeRange": {"from": "2020-05-02", "to": "2020"}}),
        ("legal-research", {"timeRange": {"from": "2020", "to": "2020-01-01"}}),
        ("entity-research", {"identifiers": [], "summaries": ["[x] sold"], "max_age": 0}),
    ],
)
def test_what_can_be_asked_is(name, given):
    assert faults(name, **given) == {}


@cases(
    ("macro", "name", "typed", "meant"),
    [
        ("regulatory-check", "jurisdiction", "de", "DE"),
        ("regulatory-check", "jurisdiction", " De\n", "DE"),
        ("regulatory-check", "jurisdiction", "us-de", "US-DE"),
        ("regulatory-check", "jurisdiction", "us – de", "US-DE"),
        ("ubo-investigation", "jurisdiction", "ch", "CH"),
        ("client-discovery", "jurisdiction_hint", "lu ", "LU"),
        ("regulatory-check", "entity_lei", ALLIANZ.lower(), ALLIANZ),
        ("regulatory-check", "entity_lei", f" {ALLIANZ}\n", ALLIANZ),
        ("ubo-investigation", "entity_lei", "5299 00k9 b0n5 bt69 4847", ALLIANZ),
        ("ubo-investigation", "entity_lei", "5299-00K9-B0N5-BT69-4847", ALLIANZ),
        ("legal-research", "timeRange", {"from": " 2020 "}, {"from": "2020"}),
    ],
)
def test_what_is_only_written_otherwise_is_taken_as_it_is_meant(macro, name, typed, meant):
    """Admin, REST, agents and watches go through the first, the command line also through the second."""
    assert check_parameters(MACROS[macro], {**ASKED[macro], name: typed})[name] == meant
    if isinstance(typed, str):
        assert parse_cli_parameters(MACROS[macro], [f"{name}={typed}"]) == {name: meant}


def test_the_examples_and_defaults_of_the_library_can_be_asked():
    for name, macro in MACROS.items():
        examples = {each.name: each.example for each in macro.parameters if each.example is not None}
        assert faults(name, **examples) == {}
        Draft202012Validator.check_schema(parameters_schema(macro))


def test_a_program_is_told_the_same_as_json_schema():
    declared = parameters_schema(MACROS["ubo-investigation"])
    told = Draft202012Validator(declared)
    for given in ({"entity_lei": "NOTANLEI"}, {"jurisdiction": "Germany"}, {"ownership_threshold": -5}):
        assert not told.is_valid({"entity_name": "x", **given})
    assert declared["properties"]["entity_lei"]["format"] == "lei"
    checks = parameters_schema(MACROS["regulatory-check"])["properties"]["check_types"]
    assert checks["minItems"] == 1
    assert "sanctions" in checks["items"]["enum"]


def test_a_command_line_is_told_at_once():
    with pytest.raises(InvalidParameters, match="did you mean DE"):
        parse_cli_parameters(MACROS["regulatory-check"], ["jurisdiction=Germany"])


@cases(
    ("limits", "words"),
    [
        ("type: integer, format: lei", "a format is for text only"),
        ("type: string, minimum: 1", "a minimum is for numbers only"),
        ("type: string, minItems: 1", "a minItems is for lists only"),
        ("type: integer, minimum: 5, maximum: 1", "the maximum is below the minimum"),
        ("type: integer, minimum: low", "must be a number"),
        ("type: string, format: isbn", "isbn"),
        ("type: string, pattern: '('", "not a regular expression"),
        ("type: string, pattern: '^(a+)+$'", "pattern"),
        ("type: integer, minimum: 5, default: 1", "must be at least 5, not 1"),
        ("type: string, format: lei, example: x", "must be an LEI"),
        ("type: array, minItems: two", "must be a whole number"),
    ],
)
def test_a_macro_whose_limits_make_no_sense_is_not_published(limits, words):
    with pytest.raises(InvalidMacro) as refusal:
        load_macro(LIMITED.format(limits=limits))
    assert words in str(refusal.value)


def test_codes_are_those_that_there_are():
    assert all(is_jurisdiction(code) for code in ("DE", "CH", "US-NY", "US-DC", "AE-DU", "AX", "ZW"))
    assert not any(
        is_jurisdiction(code) for code in ("", "D", "de", "DEU", "ZZ", "DE-", "DE-ABCD", "US-ZZ", "-DE")
    )
    assert meant_jurisdictions("nowhere at all") == []
    assert meant_jurisdictions("\0" * 50_000) == []
