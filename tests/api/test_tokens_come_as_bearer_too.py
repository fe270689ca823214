import pytest

from research.services.tokens import issue_token

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("word", ["Token", "Bearer", "bearer", "TOKEN"])
def test_it_takes_the_token_after_the_word_that_agents_use(nobody, person, url, word):
    _, token = issue_token(user=person)
    assert nobody.get(url("runs"), headers={"Authorization": f"{word} {token}"}).status_code == 200


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer ", "Bearer nope", "Bearer \xff\xfe", "Digest x", "x" * 5000]
)
def test_it_refuses_what_is_no_token(nobody, url, header):
    answer = nobody.get(url("runs"), headers={"Authorization": header})
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")


def test_clients_made_from_the_schema_send_it_as_bearer(nobody, url):
    schema = nobody.get(url("schema"), headers={"Accept": "application/vnd.oai.openapi+json"}).json()
    assert schema["components"]["securitySchemes"]["token"] == {"type": "http", "scheme": "bearer"}
