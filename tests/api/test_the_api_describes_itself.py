import pytest
from django.core.management import call_command
from django.urls import get_resolver

from research.api.docs import _groups

pytestmark = pytest.mark.django_db


@pytest.fixture
def schema(nobody, url):
    return nobody.get(url("schema"), headers={"Accept": "application/vnd.oai.openapi+json"}).json()


def test_it_is_sound_openapi_without_a_warning(tmp_path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "schema.yml"))
    assert (tmp_path / "schema.yml").stat().st_size > 10_000


def test_it_describes_every_path(schema):
    named = [
        name for name in get_resolver().reverse_dict if isinstance(name, str) and name.startswith("api-")
    ]
    assert len(schema["paths"]) == len(set(named) - {"api-schema", "api-docs"})


def test_it_promises_a_problem_document_on_every_operation(schema):
    operations = [op for path in schema["paths"].values() for op in path.values()]
    assert len(operations) > 30
    assert all("application/problem+json" in op["responses"]["default"]["content"] for op in operations)


def names(operation):
    return [parameter["name"] for parameter in operation.get("parameters", [])]


def test_it_offers_the_key_on_every_post_that_does_something(schema):
    posts = {path: ops["post"] for path, ops in schema["paths"].items() if "post" in ops}
    keyed = {path for path, op in posts.items() if "Idempotency-Key" in names(op)}
    assert posts.keys() - keyed == {
        "/api/v1/tokens",
        "/api/v1/tables",
        "/api/v1/browse/{tool}",
        "/api/v1/leis/check",
        "/api/v1/entities/resolve",
        "/api/v1/entities/{slug}/export",
        *(f"/api/v1/citations/{name}" for name in ("extract", "verify", "format")),
    }


def test_it_has_a_page_for_people_that_needs_no_script_and_no_other_host(nobody, url):
    answer = nobody.get(url("docs"))
    page = answer.content.decode()
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert "<script" not in page
    assert "style=" not in page
    assert "http://" not in page.replace("http://testserver", "")
    assert "https://" not in page
    assert "/api/v1/results/{id}/approve" in page


def test_it_shows_every_operation_on_the_page(schema):
    shown = {(op.method.lower(), op.path) for group in _groups().values() for op in group}
    told = {(method, path) for path, ops in schema["paths"].items() for method in ops}
    assert shown == told
