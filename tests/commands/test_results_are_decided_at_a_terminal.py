import io
import json
from base64 import b64decode

import pytest

from entities.models import Entity
from research.management.report import check_lines, data_lines
from research.models import Check, Decision, Memo, MemoTemplate, VerbCall
from tests.factories import ALL_RIGHTS, ResultFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def result():
    return ResultFactory(
        suggested_verbs=';; Allianz SE\n(gleif.enrich :lei "529900K9B0N5BT694847" :as @subject)\n'
    )


@pytest.fixture
def retired():
    """A result with a check that fails."""
    lei = "529900FAHFDMSXCPII15"
    return ResultFactory(data={"name": "Allianz Global Investors GmbH", "lei": lei, "jurisdiction": "DE"})


@pytest.fixture
def patch_file(tmp_path):
    def patch_file(patch):
        path = tmp_path / "patch.json"
        path.write_text(patch if isinstance(patch, str) else json.dumps(patch))
        return str(path)

    return patch_file


def test_it_says_when_a_result_is_partial_or_rests_on_nothing(run):
    shown = run("research", "result", str(ResultFactory(partial=True, ungrounded=True).pk))
    assert "the research ended before it was done" in shown.out
    assert "no text of a source was read for it" in shown.out
    whole = run("research", "result", str(ResultFactory(partial=False, ungrounded=False).pk))
    assert "partial" not in whole.out
    assert "ungrounded" not in whole.out


def test_it_shows_data_checks_and_verbs(run, result):
    result.checks.create(
        ordinal=1,
        kind="lei",
        code="existence",
        pointer="/lei",
        verdict="warn",
        message="Hm.\x07",
        checked_at=result.created_at,
    )
    shown = run("research", "result", str(result.pk))
    assert shown.code == 0
    for word in (
        "Allianz SE",
        "jurisdiction: DE",
        "1 warn",
        "/lei",
        "Hm.\\x07",
        "(gleif.enrich",
        str(result.pk),
    ):
        assert word in shown.out
    assert run("research", "result", str(result.pk), "--json").document["data"] == result.data


def test_it_approves_for_the_only_superuser(run, result, admin):
    outcome = run("research", "approve", str(result.pk), "--note", "Looks right.", "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.document["decision"]["reviewer"] == admin.username
    assert Decision.objects.get().reason == "Looks right."


def test_it_approves_with_edits_and_executes(run, result, admin, patch_file):
    patch = patch_file([{"op": "replace", "path": "/confidence", "value": "medium"}])
    outcome = run("research", "approve", str(result.pk), "--edits", patch, "--note", "x", "--execute")
    assert outcome.code == 0, outcome.err
    assert Decision.objects.get().data["confidence"] == "medium"
    assert VerbCall.objects.get().state == "succeeded"
    assert Entity.objects.filter(lei="529900K9B0N5BT694847").exists()
    assert "succeeded" in outcome.out


def test_it_decides_for_the_person_who_is_named(run, result, admin):
    reviewer = UserFactory(rights=ALL_RIGHTS)
    run("research", "approve", str(result.pk), "--as", reviewer.username, "--note", "x")
    assert Decision.objects.get().reviewer == reviewer


def test_it_decides_for_the_person_named_in_the_environment(run, result, admin, monkeypatch):
    reviewer = UserFactory(rights=ALL_RIGHTS)
    monkeypatch.setenv("DOSSIER_USER", reviewer.username)
    run("research", "approve", str(result.pk), "--note", "x")
    assert Decision.objects.get().reviewer == reviewer


@pytest.mark.parametrize("superusers", [0, 2])
def test_it_asks_who_is_deciding_when_that_is_not_clear(run, result, superusers):
    UserFactory.create_batch(superusers, is_superuser=True)
    outcome = run("research", "approve", str(result.pk))
    assert outcome.code == 2
    assert "--as" in outcome.err
    assert not Decision.objects.exists()


def test_it_refuses_a_person_without_the_right(run, result):
    outcome = run("research", "approve", str(result.pk), "--as", UserFactory().username)
    assert outcome.code == 1
    assert "decide_researchresult" in outcome.err


@pytest.mark.parametrize(
    ("patch", "refusal"),
    [
        ([{"op": "remove", "path": "/name"}], (1, "name")),
        ([{"op": "replace", "path": "/nowhere/x", "value": 1}], (1, "/nowhere")),
        ({"op": "remove"}, (2, "list of operations")),
        ("[1]", (2, "list of operations")),
        ("[{", (2, "line 1")),
    ],
)
def test_it_refuses_edits_that_do_not_fit(run, result, admin, patch_file, patch, refusal):
    outcome = run("research", "approve", str(result.pk), "--edits", patch_file(patch))
    code, word = refusal
    assert outcome.code == code
    assert word in outcome.err
    assert not Decision.objects.exists()


def test_it_wants_a_reason_when_checks_failed(run, retired, admin):
    outcome = run("research", "approve", str(retired.pk))
    assert outcome.code == 1
    assert "needs a reason" in outcome.err
    assert run("research", "approve", str(retired.pk), "--note", "Historic case.", "--shown").code == 0


def test_it_approves_only_what_was_seen_when_a_digest_is_given(run, result, admin):
    assert run("research", "approve", str(result.pk), "--digest", "0" * 64, "--note", "x").code == 1
    assert not Decision.objects.exists()
    assert run("research", "approve", str(result.pk), "--digest", result.digest, "--note", "x").code == 0


def test_it_rejects_with_a_reason(run, result, admin):
    outcome = run("research", "reject", str(result.pk), "--reason", "Another company.")
    assert outcome.code == 0
    assert "Another company." in outcome.out
    assert Decision.objects.get().verdict == "rejected"


def test_it_lets_only_the_first_decision_stand(run, result, admin):
    run("research", "reject", str(result.pk), "--reason", "Another company.")
    outcome = run("research", "approve", str(result.pk), "--note", "x")
    assert outcome.code == 1
    assert "already rejected" in outcome.err


def test_it_says_that_verbs_failed(run, result, admin, monkeypatch):
    from entities.gleif.errors import GleifUnavailable
    from entities.gleif.register import Register

    run("research", "approve", str(result.pk), "--note", "x")

    def fail(*_, **__):
        raise GleifUnavailable("The register is down.")

    with monkeypatch.context() as patched:
        for name in ("record", "records", "parent"):
            patched.setattr(Register, name, fail)
        outcome = run("verbs", "run", str(result.pk))
    assert outcome.code == 1
    assert "The register is down." in outcome.out
    assert run("verbs", "run", str(result.pk)).code == 0


def test_it_prints_a_memo(run, result):
    outcome = run("research", "memo", str(result.pk), "--language", "de")
    assert outcome.code == 0
    assert outcome.out == bytes(Memo.objects.get().body).decode()


def test_it_writes_a_memo_to_a_file(run, result, tmp_path):
    file = tmp_path / "memo.html"
    outcome = run("research", "memo", str(result.pk), "--format", "html", "-o", str(file))
    assert outcome.code == 0
    assert file.read_bytes() == bytes(Memo.objects.get().body)
    assert Memo.objects.get().digest in outcome.out


def test_it_cannot_write_a_memo_where_there_is_no_folder(run, result, tmp_path):
    outcome = run("research", "memo", str(result.pk), "-o", str(tmp_path / "nowhere" / "memo.md"))
    assert outcome.code == 1
    assert "nowhere" in outcome.err


def test_it_gives_a_memo_as_json(run, result):
    document = run("research", "memo", str(result.pk), "--style", "bullets", "--json").document
    assert document["style"] == "bullets"
    assert "Allianz SE" in document["body"]


LONG = "It knows of no person that controls it. " * 20


def test_it_shows_a_long_text_whole_and_no_wider_than_the_terminal(run, result, monkeypatch):
    monkeypatch.setenv("COLUMNS", "72")
    result.data = {"findings": [LONG, "first line\nsecond line"]}
    lines = list(data_lines(result.data))
    shown = ["".join(part if isinstance(part, str) else part[0] for part in line) for line in lines]
    assert " ".join(" ".join(shown[1:-2]).split()) == f"1. {LONG}".strip()
    assert max(map(len, shown)) <= 72
    assert shown[-2:] == ["    2. first line", "       second line"]


def test_it_tells_once_what_holds_for_several(result):
    leis = ["529900K9B0N5BT694847", "OJ2TIQSVQND4IZYYK658"]
    checks = [
        Check(result=result, kind="lei", subject=lei, pointer=f"/{at}", checked_at=result.created_at, **told)
        for at, lei in enumerate(leis)
        for told in (
            {"code": "renewal", "verdict": "unknown", "message": "No date is stated."},
            {"code": "name", "verdict": "pass", "evidence": {"seen": f"Name {at}"}},
        )
    ]
    shown = ["".join(p if isinstance(p, str) else p[0] for p in line) for line in check_lines(checks)]
    assert shown == [
        f"  {leis[0]}  Name 0  /0",
        f"  {leis[1]}  Name 1  /1",
        "    unknown renewal: No date is stated.",
        "    pass    name",
    ]


def test_it_says_where_a_first_person_comes_from(run, result):
    assert "make serve" in run("research", "approve", str(result.pk)).err


def test_it_says_how_a_reason_is_given(run, retired, admin):
    assert "--note" in run("research", "approve", str(retired.pk)).err


@pytest.mark.parametrize("form", ["pdf", "docx"])
def test_it_does_not_pour_a_file_into_a_terminal(run, result, monkeypatch, form):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    outcome = run("research", "memo", str(result.pk), "--format", form)
    assert outcome.code == 2
    assert "name a file with -o" in outcome.err
    assert not Memo.objects.exists()


@pytest.mark.parametrize(("form", "start"), [("pdf", b"%PDF-"), ("docx", b"PK")])
def test_it_writes_a_file_into_a_pipe_and_to_a_path(run, result, monkeypatch, tmp_path, form, start):
    path, pipe = tmp_path / f"memo.{form}", io.TextIOWrapper(io.BytesIO())
    assert run("research", "memo", str(result.pk), "--format", form, "-o", str(path)).code == 0
    monkeypatch.setattr("sys.stdout", pipe)
    assert run("research", "memo", str(result.pk), "--format", form).code == 0
    assert path.read_bytes() == pipe.buffer.getvalue() == bytes(Memo.objects.get().body)
    assert path.read_bytes().startswith(start)


def test_it_gives_a_file_as_json_in_base64(run, result):
    document = run("research", "memo", str(result.pk), "--format", "docx", "--json").document
    assert b64decode(document["body_base64"]) == bytes(Memo.objects.get().body)
    assert "body" not in document


def test_it_takes_a_template_by_name(run, result):
    MemoTemplate.objects.create(name="house", version=1, values={"header": "Our house"}, digest="x", note="x")
    assert run("research", "memo", str(result.pk), "--template", "house").out.startswith("Our house")
    assert run("research", "memo", str(result.pk), "--template", "nobody").code == 2
