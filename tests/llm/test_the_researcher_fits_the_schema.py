"""Whatever it finds out, the document fits the schema of the macro."""

from jsonschema import Draft202012Validator

from tests.cases import cases

COMPANIES = [
    "Allianz SE",
    "Allianz Global Investors GmbH",
    "Allianz Premium Champions",
    "Shell",
    "Commerzbank",
    "PUMA",
    "PUMA UNITED KINGDOM LTD",
    "MONOOVA FX PTY LTD",
    "NFA INTERNATIONAL",
    "Amazon Digital UK Limited",
    "LINKEDIN TECHNOLOGY INFORMATION PRIVATE LIMITED",
    "itm8 | Improsec A/S",
    "STANBIC IBTC ASSET MANAGEMENT LIMITED",
    "VÚB Generali dôchodková správcovská spoločnosť, a.s.",
    "극동전선(주)",
    "529900FAHFDMSXCPII15",
]
NAMES = {
    "client-discovery": "client_name",
    "ubo-investigation": "entity_name",
    "regulatory-check": "entity_name",
}


@cases("company", COMPANIES)
@cases("macro_name", NAMES)
def test_the_document_fits(study, macro_name, company):
    done = study(macro_name, **{NAMES[macro_name]: company})
    faults = list(Draft202012Validator(done.definition.schema).iter_errors(done.data))
    assert faults == []


@cases("company", COMPANIES)
@cases("macro_name", NAMES)
def test_every_part_is_one_that_the_schema_names(study, macro_name, company):
    done = study(macro_name, **{NAMES[macro_name]: company})
    assert _unnamed(done.data, done.definition.schema, done.definition.schema) == []


@cases("focus", ["fund_structure", "corporate_hierarchy", "regulatory_status", "all"])
@cases("most", [1, 2, 5, 500])
def test_the_document_fits_for_every_focus_and_size(study, focus, most):
    done = study("client-discovery", client_name="Allianz SE", focus_area=focus, max_entities=most)
    assert list(Draft202012Validator(done.definition.schema).iter_errors(done.data)) == []


def _unnamed(value, schema, root, at=""):
    """Pointers of the parts that the schema does not name."""
    schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema
    if isinstance(value, list):
        return [fault for item in value for fault in _unnamed(item, schema["items"], root, f"{at}/*")]
    if not isinstance(value, dict):
        return []
    named = schema.get("properties", {})
    faults = [f"{at}/{key}" for key in value if key not in named]
    for key in value.keys() & named.keys():
        faults += _unnamed(value[key], named[key], root, f"{at}/{key}")
    return faults
