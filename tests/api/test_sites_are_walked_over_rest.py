"""``browse/TOOL``: the same tools, refusals as problem documents, each person's own session."""

import json

import pytest
from django.test import Client

from research.services.tokens import issue_token
from tests.factories import UserFactory
from tests.walks.conftest import site  # noqa: F401 - the town

pytestmark = pytest.mark.django_db


@pytest.fixture
def browse():
    def for_person(*rights):
        token = issue_token(user=UserFactory(rights=rights or ["start_run", "view_document"]))[1]
        client = Client(headers={"Authorization": f"Bearer {token}"})
        return lambda tool, **body: client.post(
            f"/api/v1/browse/{tool}", json.dumps(body), content_type="application/json"
        )

    return for_person


def test_a_person_walks(browse, site):  # noqa: F811
    call = browse()
    home = call("open", url=site.url()).json()
    found = call("choose", menuItemId="m0", viewToken="v1").json()
    assert (home["title"], found["title"], found["viewToken"]) == ("Town of Example", "Companies", "v2")
    assert call("doc_get", documentId=found["documentId"]).json()["state"] == "ok"


def test_refusals_are_problem_documents_that_say_what_to_do(browse, site):  # noqa: F811
    call = browse()
    session = call("open", url=site.url()).json()["sessionId"]
    call("choose", menuItemId="m0", viewToken="v1")
    stale = call("choose", menuItemId="m0", viewToken="v1")
    assert (stale.status_code, stale["Content-Type"]) == (409, "application/problem+json")
    told = stale.json()
    assert (told["type"], told["given"], told["current"]) == ("urn:dossier:stale-view-token", "v1", "v2")
    assert call("choose", menuItemId="m99", viewToken="v2").status_code == 404
    assert call("open").json()["type"] == "urn:dossier:bad-arguments"
    assert call("open", url="http://10.0.0.1/").json()["type"] == "urn:dossier:blocked"
    assert call("launch").status_code == 404
    stranger = browse()
    assert stranger("menu", sessionId=session).status_code == 404
    assert browse("view_document")("open", url=site.url()).status_code == 403
