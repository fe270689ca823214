"""Asking about citations: once, for as long as an answer is good; trouble is never kept and never an absence."""

from datetime import UTC, datetime, timedelta

import pytest

from citations.authority.bge import read_index
from citations.extract import extract
from citations.models import Citation
from citations.services.verification import verify, verify_texts
from citations.verify.judge import Lists
from tests.court_server import hit

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sources")]
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
TEXT = "1. Erwägungen\n2. Das Werk\n2.1 Der Besteller hat das Werk zu prüfen, sobald es tunlich ist.\n"


def ask(text, now=NOW, lookups=9):
    return verify(extract(text), text=text, lookups=lookups, now=now)


def verdicts(text, **more):
    return [(one.standing.verdict, one.standing.reason) for one in ask(text, **more)]


def test_a_docket_is_asked_for_once_however_often_it_is_cited(courts):
    courts.hits = [hit("4A_1/2020", TEXT, date="2020-05-03")]
    assert verdicts("4A_1/2020 E. 2.1, Urteil 4A_1/2020 vom 3. Mai 2020") == [("exists", "found")] * 2
    assert len(courts.asked) == 1
    assert verdicts("4A_1/2020", now=NOW + timedelta(hours=23)) == [("exists", "found")]
    assert len(courts.asked) == 1


def test_a_kept_answer_still_tells_of_dates_and_considerations(courts):
    courts.hits = [hit("4A_1/2020", TEXT, date="2020-05-03")]
    ask("4A_1/2020")
    [one] = ask("Urteil 4A_1/2020 vom 4. Mai 2020 E. 7", lookups=0)
    assert [(f.code, f.check) for f in one.findings] == [("date", "warn"), ("pinpoint", "warn")]


def test_what_is_not_found_is_asked_for_again_after_an_hour(courts):
    assert verdicts("4A_1/2020") == [("not_found_here", "not_published_here")]
    courts.hits = [hit("4A_1/2020", TEXT)]
    assert verdicts("4A_1/2020", now=NOW + timedelta(minutes=59)) == [
        ("not_found_here", "not_published_here")
    ]
    assert verdicts("4A_1/2020", now=NOW + timedelta(minutes=61)) == [("exists", "found")]


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        (429, "rate_limited"),
        (500, "server_error"),
        ("bot", "denied"),
        ("shards", "incomplete"),
        ("no_hits", "unreadable"),
    ],
)
def test_trouble_is_unknown_and_is_not_kept(courts, trouble, reason):
    courts.trouble = trouble
    assert verdicts("4A_1/2020") == [("unknown", reason)]
    assert not Citation.objects.exists()
    courts.trouble, courts.hits = "", [hit("4A_1/2020", TEXT)]
    assert verdicts("4A_1/2020") == [("exists", "found")]


def test_a_source_in_trouble_is_not_asked_about_everything_else(courts):
    courts.trouble = 403
    assert verdicts("4A_1/2020; 5A_2/2021; 6B_3/2022") == [("unknown", "denied")] * 3
    assert len(courts.asked) == 1


def test_what_was_found_goes_on_existing_when_its_source_is_in_trouble(courts):
    courts.hits = [hit("4A_1/2020", TEXT)]
    ask("4A_1/2020")
    courts.trouble = 500
    [one] = ask("4A_1/2020", now=NOW + timedelta(days=9))
    assert (one.standing.verdict, one.standing.as_of) == ("exists", "2026-11-21")


def test_no_more_is_asked_than_may_be(courts):
    courts.hits = [hit(f"4A_{n}/2020", TEXT) for n in range(1, 6)]
    text = "; ".join(f"4A_{n}/2020" for n in range(1, 6))
    assert [one.standing.verdict for one in ask(text, lookups=2)] == ["exists"] * 2 + ["unknown"] * 3
    assert len(courts.asked) == 2
    assert [one.standing.verdict for one in ask(text, lookups=0)] == ["exists"] * 2 + ["unknown"] * 3


def test_the_open_volume_is_asked_for(courts):
    courts.hits = [hit("BGE 152 III 77", TEXT, places=("CH", "CH_BGE", "CH_BGE_005"))]
    assert verdicts("ATF 152 III 77; ATF 152 III 78") == [("exists", "found"), ("undecidable", "no_list")]
    assert verdicts("BGE 152 III 77", lookups=0) == [("exists", "found")]


def test_the_impossible_is_not_asked_for(courts):
    assert verdicts("BGE 147 VII 1; 4A_1/2031") == [("nonexistent", "division"), ("nonexistent", "year")]
    assert courts.asked == []


def test_registries_are_asked_for_works(registry):
    registry.works["10.1000/xyz"] = "On Works"
    registry.papers["2101.00001v2"] = "Attention"
    text = "doi:10.1000/xyz, doi:10.1000/none, arXiv:2101.00001v2, arXiv:2113.00001"
    assert verdicts(text) == [
        ("exists", "registered"),
        ("not_found_here", "not_registered_here"),
        ("exists", "registered"),
        ("nonexistent", "month"),
    ]


def test_a_quote_is_held_against_the_text_of_the_decision(courts):
    courts.hits = [hit("4A_1/2020", TEXT, date="2020-05-03")]
    good, bad = "Der Besteller hat das Werk zu prüfen", "Der Unternehmer hat das Werk nie zu prüfen gehabt"
    checks = {}
    for words in (good, bad):
        [one] = ask(f"«{words}» (BGer 4A_1/2020 E. 2.1).")
        checks[words] = [(f.code, f.check) for f in one.findings]
    assert checks == {
        good: [("pinpoint", "pass"), ("quote", "pass")],
        bad: [("pinpoint", "pass"), ("quote", "fail")],
    }


BGE = "BGE 145 III 225"
LIST = {"max_volume": 152, "families": {"145|III": {"starts": [1, 225, 241], "window": 30}}}


@pytest.fixture
def listed(monkeypatch):
    """The list of the official collection is imported: it says that a decision exists, not what it says."""
    at_hand = Lists(NOW.date(), read_index(LIST), "2026-08-20")
    monkeypatch.setattr("citations.services.verification.lists", lambda today: at_hand)


def quote_checks(text, **more):
    return [finding.check for one in ask(text, **more) for finding in one.findings if finding.code == "quote"]


@pytest.mark.usefixtures("listed")
def test_a_quote_from_a_decision_that_a_list_has_is_read_and_not_believed(courts):
    courts.hits = [hit(BGE, TEXT, places=("CH", "CH_BGE", "CH_BGE_005"), date="2019-03-01")]
    good, bad = "Der Besteller hat das Werk zu prüfen", "Der Besteller hat das Werk nie zu prüfen gehabt"
    text = f"In {BGE} heisst es: «{good}». «{bad}, wie Art. 370 OR zeigt» ({BGE} E. 2.1)."
    assert quote_checks(text, lookups=0) == ["unknown", "unknown"]
    assert quote_checks(text) == ["pass", "fail"]
    assert len(courts.asked) == 2  # who has it, and its text; it is read once for both quotes


@pytest.mark.usefixtures("listed")
def test_what_was_not_read_for_a_quote_is_unknown(courts):
    words = "Der Besteller hat das Werk zu prüfen"
    assert quote_checks(f"«{words}» ({BGE}).") == ["unknown"]  # nobody has it
    assert quote_checks(f"«{words}» (JdT 1995 I 123).") == ["unknown"]
    courts.trouble = 500
    assert quote_checks(f"«{words}» (BGE 145 III 241).") == ["unknown"]


@pytest.mark.usefixtures("listed")
def test_a_text_at_hand_is_read_without_asking(courts):
    text = f"«Der Besteller hat das Werk nie zu prüfen gehabt» ({BGE})"
    [[one]] = verify_texts([(text, extract(text))], at_hand={BGE: TEXT}.get)
    assert [(f.code, f.check) for f in one.findings] == [("quote", "fail")]
    assert courts.asked == []


def test_a_source_that_is_not_set_up_is_not_asked(settings, courts):
    settings.ENTSCHEIDSUCHE_BASE_URL = ""
    assert verdicts("4A_1/2020") == [("unknown", "not_asked")]
    assert courts.asked == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ECLI:CH:BGer:2026:1C_401.2026", "no_source"),
        ("C-311/18", "no_source"),
        ("JdT 1995 I 123", "no_source"),
    ],
)
def test_what_nobody_can_be_asked_about_says_so(text, reason):
    assert verdicts(text) == [("unknown", reason)]


def test_what_the_list_says_of_a_page_stays_when_its_source_is_in_trouble(courts):
    courts.trouble = 500
    [one, other] = ask("BGE 145 III 229; BGE 152 I 1")
    for judged in (one, other):
        assert (judged.standing.verdict, judged.standing.reason) == ("undecidable", "no_list")
        assert "500" in judged.standing.message


def test_a_question_that_is_refused_keeps_nobody_from_the_next(courts):
    courts.trouble, courts.troubles_left = 400, 1
    courts.hits = [hit("5A_2/2021", TEXT)]
    assert verdicts("4A_1/2020; 5A_2/2021") == [("unknown", "refused"), ("exists", "found")]


def test_it_says_whether_somebody_was_meant_to_be_asked(courts):
    courts.hits = [hit("4A_1/2020", TEXT)]
    assert "as many questions" in ask("4A_1/2020; 5A_2/2021", lookups=1)[1].standing.message
    assert "Nobody was asked yet" in ask("5A_2/2021", lookups=0)[0].standing.message
