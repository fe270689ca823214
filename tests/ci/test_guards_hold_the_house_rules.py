"""The guards of .ci/guards.py: each finds its fault, with file and line, and lets honest code pass."""

import importlib.util
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load_guards():
    spec = importlib.util.spec_from_file_location("guards", ROOT / ".ci" / "guards.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


guards = load_guards()


def faults(name, text):
    return [(fault.line, fault.reason) for fault in guards.check_file(name, text)]


def function_of(lines, name="work"):
    return f"def {name}():\n" + "    x = 1\n" * (lines - 1)


def repository(folder, files):
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text) if isinstance(text, bytes) else path.write_text(text, encoding="utf-8")
    subprocess.run(["git", "-C", str(folder), "add", "-f", "."], check=True)
    return folder


@pytest.mark.parametrize(
    "host",
    ["py" + "pi.org", "files.python" + "hosted.org", "registry." + "npmjs.org", "deb." + "debian.org"],
)
def test_it_finds_the_host_of_a_registry(host):
    assert faults("README.md", f"first\nfrom https://{host}/simple\n") == [
        (2, "names the host of a package registry")
    ]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("cd /" + "home/anna/dossier", True),
        ("open('/" + "root/.netrc')", True),
        ("/" + "Users/anna", True),
        ('"/' + 'work/main"', True),
        ("https://example.org/" + "home/page", False),
        ("see ./" + "work/notes and a/" + "root/b", False),
        ("/usr/bin/chromium and /var/lib", False),
    ],
)
def test_it_finds_paths_of_a_machine_but_not_of_a_site(line, found):
    assert bool(faults("docs/notes.md", line)) is found


@pytest.mark.parametrize(("lines", "found"), [(500, False), (501, True)])
def test_it_refuses_a_file_over_five_hundred_lines(lines, found):
    assert bool(faults("research/long.py", "x = 1\n" * lines)) is found


@pytest.mark.parametrize(("lines", "found"), [(60, False), (61, True)])
def test_it_refuses_a_function_over_sixty_lines(lines, found):
    assert bool(faults("research/long.py", function_of(lines))) is found


def test_it_names_file_line_and_function():
    (fault,) = guards.check_file("research/long.py", "\n\n" + function_of(61, "endless"))
    assert str(fault) == "research/long.py:3: endless has 61 lines; at most 60"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("assert x", False),
        ("with pytest.raises(ValueError):\n        work()", False),
        ("expect(page).to_have_title('x')", False),
        ("assert_same(a, b)", False),
        ("work()", True),
        ("'assert that it works'", True),
    ],
)
def test_it_refuses_a_test_that_asserts_nothing(body, found):
    assert bool(faults("tests/research/test_it.py", f"def test_it_works():\n    {body}\n")) is found


@pytest.mark.parametrize(("helper", "found"), [("assert x", False), ("return x", True)])
def test_it_looks_into_the_helpers_of_a_test(helper, found):
    code = f"def refused(x):\n    {helper}\n\n\ndef test_it_refuses():\n    refused(1)\n"
    assert bool(faults("tests/research/test_it.py", code)) is found


@pytest.mark.parametrize(
    ("name", "code", "found"),
    [
        ("research/admin/run.py", "Run.objects.create(state='queued')", True),
        ("research/tasks.py", "Run.objects.filter(pk=1).update(state='failed')", True),
        ("research/api/views.py", "Run.objects.filter(pk=1).first()", False),
        ("research/api/views.py", "{}.update(a=1)", False),
        ("research/services/runs.py", "Run.objects.create(state='queued')", False),
        ("entities/memory.py", "Entity.objects.get_or_create(slug='x')", False),
        ("tests/factories.py", "Run.objects.create(state='queued')", False),
    ],
)
def test_it_lets_only_services_write(name, code, found):
    assert bool(faults(name, code + "\n")) is found


@pytest.mark.parametrize(
    ("name", "code", "found"),
    [
        ("research/doctor/models.py", "hint = 'Run: manage.py migrate'", True),
        ("entities/lei.py", "hint = f'Run: ./manage.py {name}' + 'manage.py lei'", True),
        ("research/doctor/models.py", "hint = f'Run: {typed(\"migrate\")}'", False),
        ("config/settings.py", "CHECKOUT = (BASE_DIR / 'manage.py').is_file()", False),
        ("research/tasks.py", '"""``manage.py seed``: an example."""', False),
        ("tests/ci/test_it.py", "hint = 'Run: manage.py migrate'", False),
    ],
)
def test_it_lets_no_message_say_how_a_command_is_typed(name, code, found):
    assert bool(faults(name, code + "\n")) is found


@pytest.mark.parametrize(
    "line",
    [
        "--index-url https://example.org/simple",
        "-i https://example.org",
        "--find-links wheels",
        "a @ file:///a.whl",
    ],
)
def test_it_refuses_a_lock_that_says_where_packages_come_from(line):
    assert faults("requirements.lock", f"django==5.2 \\\n    --hash=sha256:00\n{line}\n")[0][0] == 3


def test_it_accepts_a_lock_of_names_and_hashes():
    assert faults("requirements.lock", "django==5.2 \\\n    --hash=sha256:00\n    # via -r dossier\n") == []


def test_it_refuses_a_tracked_lock_that_records_its_registry(tmp_path):
    found, _ = guards.check_tree(repository(tmp_path, {"uv.lock": "version = 1\n"}))
    assert [fault.file for fault in found] == ["uv.lock"]


def test_it_measures_functions_outside_tests_and_migrations_only(tmp_path):
    files = {
        "research/a.py": function_of(4),
        "tests/test_a.py": function_of(30),
        "research/migrations/0001_initial.py": function_of(40),
        "docs/picture.png": b"\x89PNG\xff\xfe",
    }
    assert guards.check_tree(repository(tmp_path, files)) == ([], [4])


@pytest.mark.parametrize(
    ("lengths", "found"), [([10] * 20, False), ([11] * 20, True), ([5] * 17 + [31] * 3, True), ([], False)]
)
def test_it_refuses_functions_that_are_long_as_a_whole(lengths, found):
    assert bool(guards.check_spread(lengths)[1]) is found


@pytest.mark.parametrize(("text", "code"), [("x = 1\n", 0), (function_of(61), 1)])
def test_it_exits_one_when_there_is_a_fault(tmp_path, text, code):
    assert guards.main(repository(tmp_path, {"research/a.py": text})) == code
