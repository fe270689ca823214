"""The machine and the settings that are no service: clock, disk, secret key, addresses, people, what documents need."""

import os
import shutil
import time
from datetime import UTC, datetime
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles import finders
from django.core.checks import ERROR, WARNING, run_checks
from django.core.checks.registry import registry
from django.db import DatabaseError, connection

from common.commands.progress import size
from common.outside.exchange import exchange
from common.outside.faults import SourceFault
from common.private import FILES, open_to_others
from common.program import typed
from common.text import counted
from research.browsing.chromium.browser import executable, has_browser
from research.browsing.engines import INSTALL
from research.doctor.findings import Examination, Finding, State
from research.models import Macro
from research.models.states import MacroStatus

MACHINE, ROOM = "Machine", "Settings"
LITTLE, TOO_LITTLE = 2_000_000_000, 200_000_000  # bytes
SKEW = 5.0  # seconds between two clocks that are still the same time
SHORT = 50  # characters of a secret key, as Django counts
UNSAFE = ("django-insecure", "change", "secret", "dossier")
NEW_KEY = "python -c 'import secrets; print(secrets.token_urlsafe(60))' makes a good one; all processes need the same."
SCRIPTS = {
    "Latin": "Zürich",
    "Greek": "Αθήνα",
    "Cyrillic": "Київ",
    "Arabic": "دبي",
    "Hebrew": "חיפה",
    "Chinese, Japanese and Korean": "東京서울北京",
    "Devanagari": "मुंबई",
    "Thai": "กรุงเทพ",
    "Georgian": "თბილისი",
    "Armenian": "Երևան",
}
FONTS = "docs/tasks/write-a-memo.md says which fonts have them. Other formats show every character."
NOT_ASKED = "The database cannot be asked."


def examinations() -> list[Examination]:
    return [
        Examination(MACHINE, "Disk", disk),
        Examination(MACHINE, "Clock", clock),
        Examination(MACHINE, "Documents", documents),
        Examination(MACHINE, "Browser", browser),
        Examination(ROOM, "System checks", system_checks),
        Examination(ROOM, "Secret key", secret_key),
        Examination(ROOM, "Private files", private_files),
        Examination(ROOM, "People", people),
        Examination(ROOM, "Macros", macros),
        Examination(ROOM, "Static files", static_files),
        Examination(ROOM, "Mail", mail),
        Examination(ROOM, "Address", address),
        Examination(ROOM, "Web server", served, outside=True, limit=4.0),
    ]


def disk() -> Finding:
    """Room for the database of SQLite, the queue, and files that are imported."""
    free = shutil.disk_usage(settings.VAR_DIR).free
    told = f"{size(free)} free at {settings.VAR_DIR}."
    if free < TOO_LITTLE:
        return Finding("broken", told, "Make room, or name another folder in DOSSIER_VAR.")
    todo = "The golden copy of the LEI register alone needs some 12 GB." if free < LITTLE else ""
    return Finding("warning" if todo else "ok", told, todo)


def clock() -> Finding:
    """Leases, budgets of time and the audit trail rest on it; all machines have to agree."""
    now = f"It is {datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC here."
    if connection.vendor != "postgresql":
        return Finding("ok", now)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
            skew = float(cursor.fetchone()[0]) - time.time()
    except DatabaseError:
        return Finding("skipped", NOT_ASKED)
    if abs(skew) > SKEW:
        return Finding(
            "broken", f"{now} The database's clock is {skew:+.0f} s apart.", "Run NTP on both machines."
        )
    return Finding("ok", f"{now} The database agrees.")


def skewed(dates: list[float]) -> Finding:
    """The same against what sources outside say the time is: the middle of ``dates`` in seconds, each less our own."""
    if not dates:
        return Finding("skipped", "No source outside said what time it is.")
    skew = sorted(dates)[len(dates) // 2]
    told = f"Sources outside say that it is {abs(skew):.0f} s {'later' if skew > 0 else 'earlier'}"
    if abs(skew) > 2 * SKEW:
        return Finding("broken", f"{told} than this machine does.", "Run NTP on this machine.")
    return Finding("ok", "It agrees with the clocks of sources outside.")


def documents() -> Finding:
    """In which scripts memos can be set as PDF; every other format takes any character."""
    from research.memo.pdf import (
        can_set,  # typst takes 12 MB, and a web process does without until somebody asks
    )

    lacking = [name for name, sample in SCRIPTS.items() if not can_set(sample)]
    if not lacking:
        return Finding("ok", f"PDF can be set in {', '.join(SCRIPTS)}.")
    told = f"No font has {', '.join(lacking)}: such characters are shown by their number in PDF."
    return Finding("warning", told, FONTS)


def browser() -> Finding:
    """Whether pages that are little without their scripts can be walked."""
    if settings.DOSSIER_BROWSE_ENGINE == "plain":
        return Finding("skipped", "Sites are walked without a browser (DOSSIER_BROWSE_ENGINE).")
    if not (find_spec("playwright") and has_browser()):
        return Finding("skipped", "Sites are walked without their scripts.", f"To change that, {INSTALL}.")
    told = f"Sites are walked with {executable() or 'the Chromium of Playwright'}."
    if os.geteuid() == 0:
        return Finding(
            "warning", f"{told} As root it runs without its sandbox.", "Run workers as another user."
        )
    return Finding("ok", told)


def system_checks() -> Finding:
    """What ``manage.py check`` says."""
    tags = sorted(registry.tags_available() - {"urls"})  # they read every page, which takes seconds
    found = [each for each in run_checks(tags=tags) if each.level >= WARNING]
    if not found:
        return Finding("ok", "They find nothing.")
    state: State = "broken" if any(each.level >= ERROR for each in found) else "warning"
    worst = max(found, key=lambda each: each.level)
    told = " ".join(str(each.msg) for each in found[:3])
    return Finding(state, told, str(worst.hint or f"{typed('check')} says more."))


def secret_key() -> Finding:
    """Sessions, and the links that reset passwords, are as safe as it is."""
    key, state = settings.SECRET_KEY, "broken" if settings.PRODUCTION else "warning"
    if len(key) < SHORT or len(set(key)) < 8 or key.lower().startswith(UNSAFE):
        return Finding(state, "It is short or easy to guess.", f"Set DOSSIER_SECRET_KEY: {NEW_KEY}")  # type: ignore[arg-type]
    file = Path(settings.VAR_DIR) / "secret-key"
    made_here = file.exists() and file.read_text(encoding="utf-8") == key
    if made_here and open_to_others(file):
        return Finding("broken", f"{file} can be read by other users.", f"Run: chmod 600 {file}")
    return Finding("ok", f"Made here, in {file}." if made_here else f"It has {len(key)} characters.")


def private_files() -> Finding:
    """Whether others on this machine may read what is stored: data, keys, heads of the audit trail, what waits."""
    var = Path(settings.VAR_DIR)
    database = settings.DATABASES["default"]
    files = (
        [Path(str(database["NAME"]) + suffix) for suffix in FILES]
        if "sqlite" in str(database["ENGINE"])
        else []
    )
    trail = [Path(settings.DOSSIER_TRAIL_KEY), Path(settings.DOSSIER_TRAIL_HEADS)]
    open_ones = [path for path in (var, *files, *trail) if open_to_others(path)]
    if open_ones:
        named = " ".join(map(str, open_ones))
        return Finding("broken", f"Other users of this machine may read {named}.", f"Run: chmod go= {named}")
    return Finding("ok", "Only their owner may read what is stored here.")


def people() -> Finding:
    """Whether anybody can sign in and give rights to others."""
    try:
        count = get_user_model().objects.filter(is_superuser=True, is_active=True).count()
    except DatabaseError:
        return Finding("skipped", NOT_ASKED)
    if not count:
        todo = f"{typed('up')} makes one when it starts; so does {typed('createsuperuser')}."
        return Finding("warning", "There is no administrator yet.", todo)
    return Finding("ok", f"{counted(count, 'administrator')}.")


def macros() -> Finding:
    """Whether there is anything to ask."""
    try:
        count = Macro.objects.filter(status=MacroStatus.ACTIVE).count()
    except DatabaseError:
        return Finding("skipped", NOT_ASKED)
    if not count:
        return Finding("warning", "There is no question to ask.", f"Run: {typed('macros sync')}")
    return Finding("ok", f"{counted(count, 'question')} can be asked.")


def static_files() -> Finding:
    """In production pages have no style and no scripts before the files are collected."""
    if settings.WHITENOISE_USE_FINDERS:
        found = finders.find("research/admin.css")
        return Finding("ok" if found else "broken", "They are taken from where they lie.")
    if not (Path(settings.STATIC_ROOT) / "research" / "admin.css").exists():
        return Finding(
            "broken", f"{settings.STATIC_ROOT} lacks them.", f"Run: {typed('collectstatic --noinput')}"
        )
    return Finding("ok", f"They are in {settings.STATIC_ROOT}.")


def mail() -> Finding:
    """Dossier itself sends no mail."""
    return Finding(
        "skipped", "Dossier sends no mail; webhooks report events (docs/tasks/receive-webhooks.md)."
    )


def address() -> Finding:
    """Links in webhooks and documents begin with it."""
    url, parts = settings.DOSSIER_URL, urlsplit(settings.DOSSIER_URL)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return Finding("broken", f"DOSSIER_URL is {url!r}, which is no address.", "Set it to: https://HOST")
    if not settings.PRODUCTION:
        return Finding("ok", url)
    if _is_loopback(parts.hostname):
        todo = "Set it to the address that people use, such as https://dossier.example.org"
        return Finding("broken", f"DOSSIER_URL is {url}: links that are sent lead nowhere.", todo)
    if parts.hostname not in settings.ALLOWED_HOSTS and "*" not in settings.ALLOWED_HOSTS:
        told = f"DOSSIER_URL names {parts.hostname}, which DOSSIER_ALLOWED_HOSTS does not hold."
        return Finding("broken", told, f"Add {parts.hostname} to DOSSIER_ALLOWED_HOSTS.")
    if parts.scheme != "https":
        return Finding("warning", f"DOSSIER_URL is {url}.", "People should come by https.")
    return Finding("ok", url)


def served() -> Finding:
    """Whether this very Dossier answers at DOSSIER_URL."""
    url = settings.DOSSIER_URL
    loopback = _is_loopback(urlsplit(url).hostname or "")
    try:
        reply = exchange("The web server", f"{url}/healthz", seconds=3.0)
    except SourceFault as trouble:
        if loopback and not settings.PRODUCTION:
            return Finding(
                "skipped", f"Nobody answers at {url}.", f"It answers as soon as it runs: {typed('up')}"
            )
        todo = "See whether it runs, and look at the proxy and at DNS; it may be reached from elsewhere all the same."
        return Finding("warning", f"{trouble.message[:-1]}, at {url}.", todo)
    if reply.status == 200 and b'"status"' in reply.body:
        return Finding("ok", f"Dossier answers at {url}.")
    return Finding(
        "warning",
        f"Something else answers at {url} (HTTP {reply.status}).",
        "Look at DOSSIER_URL and the proxy.",
    )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
