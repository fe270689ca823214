import pytest

pytestmark = pytest.mark.django_db

ALLIANZ, RETIRED = "529900K9B0N5BT694847", "529900FAHFDMSXCPII15"


def test_it_checks_claims_in_order(client, url):
    claims = [{"lei": ALLIANZ, "name": "Allianz SE", "jurisdiction": "DE"}, {"lei": RETIRED}]
    answer = client.post(url("lei-check"), {"claims": claims})
    assert answer.status_code == 200, answer.json()
    good, retired = answer.json()
    assert good["lei"] == ALLIANZ
    assert good["verdict"] in ("pass", "warn")
    assert (retired["verdict"], retired["successor"]) == ("fail", "OJ2TIQSVQND4IZYYK658")
    assert set(retired) == {"lei", "verdict", "checks", "record", "successor", "suggestions", "as_of"}
    assert set(retired["checks"][0]) == {"code", "verdict", "message", "evidence"}


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({}, "claims"),
        ({"claims": []}, "claims"),
        ({"claims": [ALLIANZ]}, "claims.0"),
        ({"claims": [{"name": "Allianz SE"}]}, "claims.0.lei"),
        ({"claims": [{"lei": ALLIANZ}] * 101}, "claims"),
    ],
)
def test_it_refuses_what_are_no_claims(client, url, body, name):
    answer = client.post(url("lei-check"), body)
    assert (answer.status_code, [error["name"] for error in answer.json()["errors"]]) == (400, [name])


def test_it_shows_a_record(client, url):
    shown = client.get(url("lei", ALLIANZ)).json()
    assert (shown["legal_name"], shown["jurisdiction"], shown["register"]) == ("Allianz SE", "DE", "demo")
    assert "attributes" not in shown


def test_it_shows_a_record_for_an_lei_as_people_type_it(client, url):
    assert client.get(url("lei", " 529900-k9b0n5bt694847")).json()["lei"] == ALLIANZ


def test_it_says_which_rule_an_lei_breaks(client, url):
    answer = client.get(url("lei", "529900K9B0N5BT694848"))
    assert (answer.status_code, [error["name"] for error in answer.json()["errors"]]) == (400, ["lei"])


def test_it_knows_when_the_register_has_no_such_record(client, url):
    from entities.lei import complete

    answer = client.get(url("lei", complete("999900NOTINTHISREG")))
    assert (answer.status_code, answer.json()["type"]) == (404, "urn:dossier:not-found")
