import pytest

from research.verbs.catalogue import CatalogueFault, load_catalogue, read_catalogue
from research.verbs.handlers import HANDLERS
from research.verbs.parser import parse
from research.verbs.values import fault_of
from tests.cases import cases

GLEIF_ARGUMENTS = {
    "gleif.enrich": "lei entity-id decision-id",
    "gleif.search": "name jurisdiction category status limit",
    "gleif.import-tree": "root-lei direction max-depth create-entities decision-id",
    "gleif.import-managed-funds": (
        "manager-lei name-pattern ultimate-client-lei create-cbus limit dry-run decision-id"
    ),
    "gleif.refresh": "entity-id stale-days limit",
    "gleif.trace-ownership": "lei entity-id",
    "gleif.resolve-successor": "lei",
    "gleif.lookup": "target-type lei entity-id isin limit resolve-umbrellas",
    "gleif.import-to-client-group": (
        "group-id root-lei max-depth include-funds max-funds-per-manco decision-id"
    ),
}
SMALLEST = """
a.b:
  description: It does.
  effect: write
  args:
    - {name: x, type: string, description: Text.}
    - {name: y, type: boolean, default: false, description: Flag.}
  returns: {type: record, description: Something.}
"""


def test_every_verb_has_a_handler_and_every_handler_a_verb():
    assert {verb.canonical for verb in load_catalogue()} == set(HANDLERS)


@cases(("name", "arguments"), GLEIF_ARGUMENTS.items())
def test_every_argument_of_the_gleif_verbs_is_accepted_or_refused_in_words(name, arguments):
    verb = load_catalogue().verbs[name]
    assert {*verb.keywords, *verb.refused} == set(arguments.split())


@pytest.mark.parametrize(
    "name", ["gleif.search", "gleif.trace-ownership", "gleif.resolve-successor", "gleif.lookup"]
)
def test_questions_only_read(name):
    assert load_catalogue().verbs[name].effect == "read"


def test_all_other_verbs_write():
    reading = {verb.name for verb in load_catalogue() if verb.effect == "read"}
    assert reading == {"gleif.search", "gleif.trace-ownership", "gleif.resolve-successor", "gleif.lookup"}


@pytest.mark.parametrize(
    ("dry_run", "effect"), [(" :dry-run true", "read"), (" :dry-run false", "write"), ("", "write")]
)
def test_a_dry_run_of_a_write_verb_reads(dry_run, effect):
    (call,) = parse(f'(gleif.import-managed-funds :manager-lei "x"{dry_run})').calls
    assert load_catalogue().verbs[call.name].effect_of(call) == effect


@pytest.mark.parametrize(
    ("alias", "canonical"),
    [
        ("cbu.ensure", "fund.ensure"),
        ("ubo.add-ownership", "ownership.record"),
        ("ubo.register-ubo", "ownership.record"),
    ],
)
def test_an_alias_stands_for_a_verb_with_its_arguments(alias, canonical):
    verbs = load_catalogue().verbs
    assert verbs[alias].canonical == canonical
    assert verbs[alias].args == verbs[canonical].args
    assert verbs[canonical].canonical == canonical


def test_an_unknown_name_resolves_to_nothing_and_has_neighbours():
    catalogue = load_catalogue()
    assert catalogue.resolve("gleif.enrichh") is None
    assert catalogue.nearest("gleif.enrichh")[0] == "gleif.enrich"
    assert catalogue.nearest("qqqqqq") == []


def test_every_default_and_allowed_value_is_of_its_type():
    for verb in load_catalogue():
        for arg in verb.args:
            values = [*arg.allowed, *arg.synonyms] + ([] if arg.default is None else [arg.default])
            assert [fault_of(arg, value) for value in values if fault_of(arg, value)] == []


def test_the_smallest_catalogue_is_read():
    (verb,) = read_catalogue(SMALLEST)
    assert [(arg.name, arg.default) for arg in verb.args] == [("x", None), ("y", False)]


@cases(
    ("old", "new", "reason"),
    [
        ("effect: write", "effect: maybe", "a.b.effect"),
        ("effect: write", "effect: write\n  efect: x", "efect"),
        ("  effect: write\n", "", "'effect' is a required property"),
        ("type: string", "type: text", "a.b.args.0.type"),
        ("name: x", "name: as", "a.b.args.0.name"),
        ("name: x", "name: y", "declared twice"),
        ("type: record", "type: thing", "a.b.returns.type"),
        ("a.b:", "ab:", "ab"),
        ("effect: write", "effect: write\n  one_of: [[x, z]]", "z is not one of its arguments"),
        ("effect: write", "effect: write\n  exclusive: [[x, z]]", "z is not one of its arguments"),
        ("effect: write", "effect: write\n  arg_map: {w: z}", "z is not one of its arguments"),
        ("effect: write", "effect: write\n  arg_map: {y: x}", "y is an argument"),
        ("effect: write", "effect: write\n  refused: {x: No.}", "x is an argument"),
        ("effect: write", "effect: write\n  read_when: x", "read_when must name a boolean"),
        ("type: boolean", "type: boolean, required: true", "y is required and has a default"),
        ("type: string", "type: string, allowed: [k], synonyms: {l: m}", "a synonym of x"),
        ("type: string", "type: string, allowed: [k], default: l", "the default of x is not allowed"),
        ("a.b:", "c.d: {alias_of: e.f}\na.b:", "c.d: there is no verb e.f"),
        ("a.b:", "c.d: {alias_of: a.b, arg_map: {w: z}}\na.b:", "c.d: z is not one of its arguments"),
    ],
)
def test_a_faulty_catalogue_is_refused_with_the_place(old, new, reason):
    assert old in SMALLEST
    with pytest.raises(CatalogueFault, match=reason):
        read_catalogue(SMALLEST.replace(old, new, 1))
