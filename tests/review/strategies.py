"""JSON documents and schemas for the property tests."""

from hypothesis import strategies as st

TEXT = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=12)
AWKWARD = st.sampled_from(
    ["", " ", "a\nb", "a\r\nb", "\n", "\u2028", "\u00a0x ", "🙂", "1", "true", "null", "x" * 90]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(-1e15, 1e15).map(lambda x: x + 0.0)
    | TEXT
    | AWKWARD
)
KEYS = st.sampled_from(["a", "b", "name", "", "a/b", "c~d", "a.b", 'e"f', "0", "-"]) | TEXT
JSON = st.recursive(
    SCALARS, lambda x: st.lists(x, max_size=4) | st.dictionaries(KEYS, x, max_size=4), max_leaves=12
)
DOCUMENTS = st.dictionaries(KEYS, JSON, max_size=5)

KINDS = st.sampled_from(["string", "number", "integer", "boolean", "null", "array", "object"])
LEAF_SCHEMAS = st.one_of(
    st.just({}),
    st.just(True),
    st.builds(lambda kind: {"type": kind}, KINDS),
    st.builds(lambda kinds: {"type": kinds}, st.lists(KINDS, min_size=1, max_size=3, unique=True)),
    st.builds(lambda values: {"enum": values}, st.lists(SCALARS, min_size=1, max_size=3)),
    st.builds(lambda value: {"const": value}, SCALARS),
    st.just({"$ref": "#/$defs/a"}),
    st.just({"$ref": "#"}),
    st.just({"$ref": "#/$defs/missing"}),
)
SCHEMAS = st.recursive(
    LEAF_SCHEMAS,
    lambda x: st.one_of(
        st.builds(
            lambda properties, required: {"type": "object", "properties": properties, "required": required},
            st.dictionaries(KEYS, x, max_size=4),
            st.lists(KEYS, max_size=2),
        ),
        st.builds(lambda items: {"type": "array", "items": items}, x),
        st.builds(
            lambda word, parts: {word: parts},
            st.sampled_from(["anyOf", "oneOf", "allOf"]),
            st.lists(x, max_size=3),
        ),
        st.builds(lambda extra: {"type": "object", "additionalProperties": extra}, x),
    ),
    max_leaves=8,
)
ROOT_SCHEMAS = st.builds(
    lambda schema, a: {**(schema if isinstance(schema, dict) else {}), "$defs": {"a": a}}, SCHEMAS, SCHEMAS
)
