"""Each case starts a process of its own: settings are read once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHOW = "import json; from config import settings as s; print(json.dumps({%s}, default=str))"


def started(tmp_path, code, **variables):
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    environment = {**kept, "DOSSIER_VAR": str(tmp_path), **variables}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def shown(tmp_path, *names, **variables):
    code = SHOW % ", ".join(f"{name!r}: getattr(s, {name!r}, None)" for name in names)
    done = started(tmp_path, code, DOSSIER_ENV="production", DOSSIER_SECRET_KEY="x" * 60, **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_does_not_start_without_a_secret(tmp_path):
    done = started(tmp_path, "import config.settings", DOSSIER_ENV="production")
    assert done.returncode != 0
    assert "DOSSIER_SECRET_KEY" in done.stderr
    assert not (tmp_path / "secret-key").exists()


def test_it_takes_the_secret_from_a_file(tmp_path):
    (tmp_path / "key").write_text("from a file\n")
    named = {"DOSSIER_SECRET_KEY": "", "DOSSIER_SECRET_KEY_FILE": str(tmp_path / "key")}
    done = started(
        tmp_path, "from config import settings; print(settings.SECRET_KEY)", DOSSIER_ENV="production", **named
    )
    assert done.stdout.strip() == "from a file"


def test_it_asks_for_encryption_and_trusts_no_host_by_itself(tmp_path):
    names = ("SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "DEBUG", "ALLOWED_HOSTS")
    assert shown(tmp_path, *names) == dict(zip(names, (True, True, True, False, []), strict=True))


@pytest.mark.parametrize(
    ("proxies", "header"),
    [("0", None), ("1", ["HTTP_X_FORWARDED_PROTO", "https"]), ("2", ["HTTP_X_FORWARDED_PROTO", "https"])],
)
def test_it_believes_a_forwarded_protocol_only_behind_a_proxy(tmp_path, proxies, header):
    assert shown(tmp_path, "SECURE_PROXY_SSL_HEADER", DOSSIER_PROXIES=proxies) == {
        "SECURE_PROXY_SSL_HEADER": header
    }


def test_it_answers_a_load_balancer_without_encryption(client, settings):
    settings.SECURE_SSL_REDIRECT, settings.SECURE_REDIRECT_EXEMPT = True, [r"^healthz$", r"^readyz$"]
    assert client.get("/healthz").status_code == 200
    assert client.get("/admin/").status_code == 301


def test_its_beat_rings_for_tasks_that_exist(settings):
    from config.celery import app

    app.loader.import_default_modules()  # as a worker does when it starts
    rung = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert rung <= set(app.tasks)
