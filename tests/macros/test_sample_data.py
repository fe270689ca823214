"""Sample data fits its schema and opens every branch."""

from jsonschema import Draft202012Validator

from research.macros.loader import LIBRARY, load_macro
from research.macros.parameters import check_parameters
from research.macros.samples import samples
from tests.cases import cases


def library():
    return [load_macro(path.read_text(encoding="utf-8")) for path in sorted(LIBRARY.glob("*.yaml"))]


@cases("macro", library(), ids=lambda macro: macro.name)
def test_samples_of_the_library_fit_schema_and_parameters(macro):
    validator = Draft202012Validator(macro.schema)
    made = list(samples(macro, macro.suggested_verbs))
    assert len(made) > (10 if macro.suggested_verbs else 5)
    for params, data in made:
        assert list(validator.iter_errors(data)) == []
        assert check_parameters(macro, params) == params


@cases("macro", library(), ids=lambda macro: macro.name)
def test_samples_have_every_enum_member_and_are_also_minimal(macro):
    made = [data for _, data in samples(macro, macro.suggested_verbs)]
    assert any(set(data) == set(macro.schema["required"]) for data in made)
    assert any(set(data) == set(macro.schema["properties"]) for data in made)


def test_a_schema_that_refers_to_itself_ends(macro_text):
    schema = """
        type: object
        required: [child]
        properties:
          name: {type: string}
          child: {$ref: '#'}
          children: {type: array, items: {$ref: '#'}}
    """
    assert list(samples(load_macro(macro_text(schema=schema)), ""))
