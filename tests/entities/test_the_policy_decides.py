"""What counts as pass, warning or failure: defaults, the setting, and versions entered by people."""

from datetime import date

import pytest

from entities.gleif.checking import check_claims, current_policy
from entities.gleif.policy import BadPolicy, Policy, read_policy
from entities.gleif.verification import Claim
from entities.models import LeiPolicy
from entities.services.policy import set_lei_policy
from tests.cases import cases

TODAY = date(2026, 6, 1)


def test_a_policy_survives_being_written_down():
    policy = Policy().with_values({"LAPSED": "fail", "name_passes": "97.5", "ambiguous": "fail"})
    assert Policy().with_values(policy.as_values()) == policy


@cases(
    ("words", "says"),
    [
        (["LAPSED"], "NAME=VALUE"),
        (["LAPSED=maybe"], "pass, warn, fail, unknown"),
        (["nonsense=1"], "has no “nonsense”"),
        (["name_passes=high"], "is a number"),
        (["name_passes=nan"], "between 0 and 100"),
        (["name_passes=101"], "between 0 and 100"),
        (["renewal_grace_days=-1"], "between 0"),
        (["renewal_grace_days=1.5"], "is a number"),
        (["name_passes=50"], "above name_passes"),
        (["registration=fail"], "has no “registration”"),
    ],
)
def test_it_says_what_is_wrong_with_a_policy(words, says):
    with pytest.raises(BadPolicy, match=says):
        read_policy(words)


def test_a_status_of_tomorrow_may_have_a_rule_today(record, register_of):
    subject = record(registration_status="PAUSED")
    policy = read_policy(["PAUSED=warn"])
    [report] = check_claims([Claim(subject.lei)], register=register_of(subject), today=TODAY, policy=policy)
    assert report.verdict == "warn"


@pytest.mark.django_db
def test_the_newest_version_is_in_force_over_the_setting(settings):
    assert current_policy() == Policy()
    settings.DOSSIER_LEI_POLICY = ["LAPSED=fail", "other_name=pass"]
    set_lei_policy(values={"LAPSED": "warn"}, note="Not yet.")
    set_lei_policy(values={"LAPSED": "pass"}, note="Our banks accept it.")
    policy = current_policy()
    assert (policy.registration["LAPSED"], policy.other_name) == ("pass", "pass")


@pytest.mark.django_db
def test_a_version_keeps_only_what_differs_and_all_versions_stay(django_user_model):
    person = django_user_model.objects.create_user("anna")
    set_lei_policy(values={**Policy().as_values(), "LAPSED": "fail"}, note="Strict.", actor=person)
    set_lei_policy(values={}, note="Back to the usual.", actor=person)
    assert list(LeiPolicy.objects.values_list("values", "note", "created_by__username")) == [
        ({}, "Back to the usual.", "anna"),
        ({"LAPSED": "fail"}, "Strict.", "anna"),
    ]


@pytest.mark.django_db
def test_a_bad_version_is_not_stored():
    with pytest.raises(BadPolicy):
        set_lei_policy(values={"LAPSED": "perhaps"}, note="?")
    assert not LeiPolicy.objects.exists()


@pytest.mark.django_db
def test_a_check_uses_the_policy_in_force(record, register_of):
    subject = record(registration_status="LAPSED")
    ask = lambda: check_claims([Claim(subject.lei)], register=register_of(subject), today=TODAY)[0].verdict  # noqa: E731
    assert ask() == "warn"
    set_lei_policy(values={"LAPSED": "fail"}, note="Strict.")
    assert ask() == "fail"


@pytest.mark.parametrize(
    ("days", "verdict", "says"), [(365, "pass", "due on"), (30, "warn", "too old to rely on")]
)
def test_old_data_is_a_warning_by_policy(record, register_of, days, verdict, says):
    subject = record()
    policy = Policy(data_max_age_days=days)
    [report] = check_claims([Claim(subject.lei)], register=register_of(subject), today=TODAY, policy=policy)
    [found] = [check for check in report.checks if check.code == "renewal"]
    assert found.verdict == verdict
    assert says in found.message
