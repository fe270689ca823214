"""Ownership on the demo register: the chain upwards, why it ends, and nobody invented."""

import pytest


def summary(done):
    return done.data["investigation_summary"]


def test_it_follows_the_parents_and_calls_them_control(study):
    done = study("ubo-investigation", entity_name="MONOOVA FX PTY LTD")
    chain = done.data["ownership_chain"]
    assert [(link["owned_entity"], link["owner_name"]) for link in chain] == [
        ("MONOOVA FX PTY LTD", "MONOOVA GLOBAL PAYMENTS PTY LTD"),
        ("MONOOVA GLOBAL PAYMENTS PTY LTD", "MONEYTECH GROUP LIMITED"),
    ]
    for link in chain:
        assert link["relationship_type"] == "other_control"
        assert link["owner_type"] == "legal_entity"
        assert "percentage" not in link
        assert link["source"].startswith("LEI register: direct")


def test_it_jumps_to_the_ultimate_parent_and_says_what_may_lie_between(study):
    done = study("ubo-investigation", entity_name="PUMA UNITED KINGDOM LTD")
    assert [link["owner_name"] for link in done.data["ownership_chain"]] == ["PUMA SE"]
    assert "Between PUMA UNITED KINGDOM LTD" in done.told("investigation_summary", "data_gaps")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("NFA INTERNATIONAL", "NATURAL_PERSONS"),
        ("Commerzbank", "NO_KNOWN_PERSON"),
        ("MICROSOFT CORPORATION", "NON_CONSOLIDATING"),
        ("Amazon Digital UK Limited", "NON_PUBLIC"),
        ("Allianz SE", "the reason is not on record"),
    ],
)
def test_the_reason_for_a_missing_parent_is_a_gap(study, name, said):
    assert said in study("ubo-investigation", entity_name=name).told("investigation_summary", "data_gaps")


def test_natural_persons_are_told_to_be_beyond_the_register(study):
    done = study("ubo-investigation", entity_name="NFA INTERNATIONAL")
    assert "natural persons are not in this register" in done.told("investigation_summary", "data_gaps")
    assert done.data["ownership_chain"] == []


def test_a_parent_that_is_withheld_is_a_red_flag(study):
    done = study("ubo-investigation", entity_name="Amazon Digital UK Limited")
    assert "NON_PUBLIC" in done.told("investigation_summary", "red_flags")


def test_a_lapsed_parent_is_a_red_flag(study):
    done = study("ubo-investigation", entity_name="MONOOVA FX PTY LTD")
    assert "MONEYTECH GROUP LIMITED" in done.told("investigation_summary", "red_flags")


@pytest.mark.parametrize("name", ["Allianz SE", "NFA INTERNATIONAL", "MONOOVA FX PTY LTD", "Shell"])
def test_nobody_is_named_as_beneficial_owner(study, name):
    done = study("ubo-investigation", entity_name=name)
    assert done.data["potential_ubos"] == []
    assert summary(done)["ubo_determination_status"] == "insufficient_information"
    assert summary(done)["ownership_completeness"] != "complete"
    assert "total_ownership_identified" not in summary(done)


@pytest.mark.parametrize(("threshold", "said"), [(25, "25 %"), (10.5, "10.5 %"), (0, "0 %")])
def test_the_threshold_is_told_to_be_inapplicable(study, threshold, said):
    done = study("ubo-investigation", entity_name="Shell", ownership_threshold=threshold)
    assert f"the threshold of {said}" in done.told("investigation_summary", "data_gaps")


@pytest.mark.parametrize(("wanted", "told"), [(True, False), (False, True)])
def test_control_that_was_not_asked_for_is_explained(study, wanted, told):
    done = study("ubo-investigation", entity_name="MONOOVA FX PTY LTD", include_control=wanted)
    assert ("include_control is false" in done.told("investigation_summary", "data_gaps")) is told


def parents(direct=None, ultimate=None):
    def said(lei):
        return (
            {"kind": "record", "record": {"lei": lei, "name": f"Entity {lei}"}} if lei else {"kind": "none"}
        )

    return {"success": True, "data": {"direct": said(direct), "ultimate": said(ultimate)}}


def chained(parent_of):
    """Tools over a made-up chain: ``parent_of(number)`` is the number of the parent."""

    def call(one):
        lei = one.arguments.get("lei", "0")
        if one.name == "lei_search":
            found = {"lei": "0", "name": "Entity 0", "score": 100.0, "matched_name": {"type": "LEGAL_NAME"}}
            return {"success": True, "data": {"candidates": [found]}}
        if one.name == "lei_record":
            return {"success": True, "data": {"lei": lei, "name": f"Entity {lei}"}}
        return parents(direct=parent_of(int(lei)))

    return call


def test_a_circle_of_parents_ends_and_is_a_red_flag(study):
    done = study("ubo-investigation", entity_name="Entity 0", tools=chained(lambda n: str((n + 1) % 3)))
    assert len(done.data["ownership_chain"]) == 3
    assert "circle" in done.told("investigation_summary", "red_flags")
    assert summary(done)["ubo_determination_status"] == "complex_structure_needs_review"
    assert summary(done)["ownership_completeness"] == "incomplete"


def test_an_entity_that_is_its_own_parent_has_none(study):
    done = study("ubo-investigation", entity_name="Entity 0", tools=chained(str))
    assert done.data["ownership_chain"] == []


def test_an_endless_chain_is_cut_and_said_to_be(study):
    done = study("ubo-investigation", entity_name="Entity 0", tools=chained(lambda n: str(n + 1)))
    assert len(done.data["ownership_chain"]) == 10
    assert summary(done)["complexity_level"] == "highly_complex"
    assert "not further" in done.told("investigation_summary", "data_gaps")


def test_silence_of_the_register_is_not_taken_for_free_float(study):
    done = study("ubo-investigation", entity_name="Entity 0", tools=chained(lambda n: None))
    assert summary(done)["ownership_completeness"] == "unknown"
    assert "not free float" in done.told("investigation_summary", "data_gaps")
