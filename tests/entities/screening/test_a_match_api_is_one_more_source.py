"""OpenSanctions' match API beside the lists: what it is asked, what its answer becomes, and what its trouble means."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from entities.models import ScreeningHit
from entities.screening import match_api
from entities.screening.looking import screen
from entities.screening.subject import make_subject
from entities.services.screening import screen_entity, set_screening_policy
from tests.entities.screening import samples
from tests.entities.screening.imported import import_text
from tests.factories import EntityFactory

pytestmark = pytest.mark.django_db
RESULT = {
    "id": "NK-made-up",
    "caption": "Northern Amber Trading",
    "schema": "Company",
    "datasets": ["xx_made_up_list"],
    "properties": {"name": ["Northern Amber Trading"], "jurisdiction": ["ru"], "weakAlias": ["NAT"]},
    "score": 0.8,
    "match": True,
    "explanations": {"name_match": {"score": 0.8, "query": "northern amber", "candidate": "northern amber"}},
}


@pytest.fixture
def server(settings):
    """A double of the API: ``answer`` is (status, document), ``asked`` what came."""
    asked, told = [], {"answer": (200, {"responses": {"q": {"status": 200, "results": [RESULT]}}})}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, self.headers.get("Authorization"), body))
            status, document = told["answer"]
            data = json.dumps(document).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format, *args):
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    settings.YENTE_BASE_URL = f"http://127.0.0.1:{http.server_address[1]}"
    settings.YENTE_DATASET, settings.YENTE_API_KEY = "sanctions", "s3cret"
    told["asked"] = asked
    yield told
    http.shutdown()
    http.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def one_try(monkeypatch):
    monkeypatch.setattr(match_api, "PATIENCE", match_api.Patience(seconds=5, attempt=5, tries=1))


@pytest.fixture
def listed(tmp_path, now):
    set_screening_policy(values={"lists": "un"}, note="one list")
    return import_text(tmp_path, now, "un", samples.un())


def test_it_is_asked_below_the_threshold_so_that_an_equal_score_is_not_lost(server, listed, now):
    subject = make_subject(names=["Northern Amber Trading"], kind="entity", countries=["RU"])
    answer = screen(subject, now=now)
    [(path, key, body)] = server["asked"]
    assert (path, key) == ("/match/sanctions?limit=50&threshold=0.75", "ApiKey s3cret")
    query = body["queries"]["q"]
    assert query == {
        "schema": "Organization",
        "properties": {"name": ["Northern Amber Trading"], "jurisdiction": ["ru"]},
    }
    [hit] = answer.hits
    assert (hit.source, hit.entry.key, hit.likeness.score) == ("yente:sanctions", "NK-made-up", 80.0)
    assert [one.field for one in hit.likeness.fields] == ["name", "name_match"]
    assert [one.label for one in answer.looked] == [
        "UN Security Council list",
        "match API, data set sanctions",
    ]


def test_what_scores_less_than_the_policy_asks_is_no_hit(server, listed, now):
    server["answer"] = (200, {"responses": {"q": {"status": 200, "results": [RESULT | {"score": 0.79}]}}})
    answer = screen(make_subject(names=["Northern Amber Trading"], kind="entity"), now=now)
    assert (answer.outcome, answer.hits) == ("none", ())


@pytest.mark.parametrize(
    "answer",
    [
        (503, {}),
        (200, {"responses": {}}),
        (200, {"responses": {"q": {"status": 500, "results": []}}}),
        (200, {"responses": {"q": {"status": 200, "results": ["x"]}}}),
        (401, {"detail": "no key"}),
    ],
)
def test_its_trouble_makes_no_hit_unknown(server, listed, now, answer):
    server["answer"] = answer
    screened = screen(make_subject(names=["Somebody Else"], kind="entity"), now=now)
    assert screened.outcome == "unknown"
    assert "The match API, data set sanctions could not be asked" in screened.reasons[0]
    assert "s3cret" not in str(screened.as_json())


def test_a_result_without_an_id_or_a_name_is_left_out(server, listed, now):
    bad = [{"score": 1.0}, {"id": "x", "score": 1.0}, {"id": "y", "caption": "Y", "score": "high"}]
    server["answer"] = (200, {"responses": {"q": {"status": 200, "results": bad}}})
    assert screen(make_subject(names=["Y"], kind="entity"), now=now).hits == ()


def test_its_hits_are_remembered_and_outlive_its_trouble(server, listed, now):
    amber = EntityFactory(name="Northern Amber Trading", slug="amber")
    screen_entity(entity=amber, now=now)
    hit = ScreeningHit.objects.get()
    assert (hit.source, hit.version, hit.standing) == ("yente:sanctions", None, True)
    server["answer"] = (503, {})
    screen_entity(entity=amber, now=now)
    hit.refresh_from_db()
    assert hit.standing
    server["answer"] = (200, {"responses": {"q": {"status": 200, "results": []}}})
    screen_entity(entity=amber, now=now)
    hit.refresh_from_db()
    assert not hit.standing


def test_without_an_address_it_is_not_asked(server, listed, now, settings):
    settings.YENTE_BASE_URL = ""
    assert len(screen(make_subject(names=["Somebody Else"]), now=now).looked) == 1
    assert server["asked"] == []
