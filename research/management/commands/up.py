"""``manage.py up``: web server, worker, beat and the server for agents on one machine, together."""

import math
import socket
import threading
import time
from collections.abc import Callable
from importlib.util import find_spec

from django.conf import settings
from django.core.checks import ERROR
from django.core.management import call_command
from django.core.management.base import CommandParser

from common.commands.base import Options, Refusal
from common.program import typed
from research.management.base import ResearchCommand
from research.management.commands.demo import prepare
from research.management.one_at_a_time import alone
from research.management.processes import GRACE_SECONDS, Code, Group, Service, python, stop_on_signals
from research.services.people import ensure_admin
from research.services.system_checks import models_can_be_asked

SLOW_SECONDS = 15.0
LOOK_SECONDS, RELOAD_GRACE_SECONDS = 0.7, 3.0


class Command(ResearchCommand):
    help = "Migrate, sync the macros, and run web server, worker, beat and the MCP server until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--mcp-port",
            type=int,
            help="where agents are answered (default: the port after --port; 0: nowhere)",
        )
        parser.add_argument(
            "--reload",
            action="store_true",
            default=settings.DEBUG,
            help="start everything anew when code changes (default: when DOSSIER_DEBUG is set)",
        )
        parser.add_argument("--json", action="store_true", help="print JSON, one document a line")
        parser.set_defaults(run=self.up)

    def up(self, options: Options) -> bool:
        host, port = options["host"], options["port"]
        url = f"http://{f'[{host}]' if ':' in host else host}"
        with alone(settings.VAR_DIR, f"{url}:{port}/"):
            self._look_at_models()
            require_free(host, port)
            mcp = mcp_port(host, port, options["mcp_port"])
            self._set_up()
            told = addresses(f"{url}:{port}", f"{url}:{mcp}" if mcp else "")
            group = Group(settings.BASE_DIR, told)
            return self._run(group, services(host, port, mcp), host, port, mcp, reload=options["reload"])

    def _run(
        self, group: Group, wanted: list[Service], host: str, port: int, mcp: int, *, reload: bool
    ) -> bool:
        """Until stopped. What ends before the pages are there ends everything: it would end again."""
        stop, dead = threading.Event(), ""
        stop_on_signals(stop, group.hurry)
        try:
            for service in wanted:
                group.start(service)
            if self._answer_all(group, stop, host, port, mcp):
                if reload:
                    self._reload(group, wanted, stop)
                else:
                    group.keep(wanted, stop, self._restarts)
            elif not stop.is_set():
                dead = group.dead()
        finally:
            killed = group.stop(settings.DOSSIER_DRAIN_SECONDS + GRACE_SECONDS, self._waits)
        return self._report(dead, killed)

    def _answer_all(self, group: Group, stop: threading.Event, host: str, port: int, mcp: int) -> bool:
        """Wait for the pages and say where everything listens; False when something has ended, or was stopped.

        The server for agents may take longer, and may be started again: the pages do not wait for it for ever.
        """
        page, agents = f"{group.environment['DOSSIER_URL']}/", group.environment.get("DOSSIER_MCP_URL", "")
        sentence = f"Dossier is still starting. Its address will be {page}"
        if not answers(host, port, stop, group, lambda: self.answer({"starting": page}, [sentence])):
            return False
        if mcp:
            answers(host, mcp, stop, group, limit=SLOW_SECONDS)
        self.answer(
            {"ready": page, **({"mcp": f"{agents}/mcp"} if agents else {})},
            [("Dossier is ready: ", "SUCCESS"), page, "   (Ctrl-C stops it)"],
            [f"For agents (MCP): {agents}/mcp" if agents else "Agents (MCP) are not served."],
        )
        return True

    def _restarts(self, name: str, code: int, seconds: float) -> None:
        when = f"in {seconds:g} s" if seconds else "now"
        self.answer(
            {"ended": name, "code": code, "again_after": seconds},
            [(f"{name} has ended ({code})", "WARNING"), f"; it is started again {when}"],
        )

    def _waits(self, names: list[str]) -> None:
        sentence = f"Waiting for {' and '.join(names)}: calls in flight have their time."
        self.answer({"waits_for": names}, [sentence, " Ctrl-C again ends them at once."])

    def _look_at_models(self) -> None:
        """A model that nobody can ask is named before the first run comes to it. Raises Refusal."""
        for fault in models_can_be_asked(None):
            told = f"{fault.msg} {fault.hint or ''}".strip()
            if fault.level >= ERROR:
                raise Refusal(told, {"code": "settings"})
            self.answer({"warning": told}, [(told, "WARNING")])

    def _set_up(self) -> None:
        prepare()
        if not settings.WHITENOISE_USE_FINDERS:
            call_command("collectstatic", verbosity=0, interactive=False)
        created = ensure_admin()
        if created:
            name, password = created
            self.answer(
                {"admin": name, "password": password},
                [("The first administrator: ", "WARNING"), f"{name}   password: {password}"],
                [
                    f"It is shown this once; change it after the first login, or by: {typed('changepassword ' + name)}"
                ],
            )

    def _reload(self, group: Group, wanted: list[Service], stop: threading.Event) -> None:
        """Start everything anew when code changes, until stopped. What a mistake ended waits for the next change."""
        code = Code(settings.BASE_DIR)
        self.answer({"reloads": True}, ["Everything starts anew when a file of the code changes."])
        told = ""
        while not stop.wait(LOOK_SECONDS):
            if changed := code.changed():
                self.answer({"changed": changed}, [f"{changed} has changed: starting anew"])
                group.stop(RELOAD_GRACE_SECONDS)
                for service in wanted:
                    group.start(service)
            if (dead := group.dead()) and dead != told:
                self.answer(
                    {"ended": dead},
                    [(f"{dead} has ended", "WARNING"), "; it starts again with the next change"],
                )
            told = dead

    def _report(self, dead: str, killed: list[str]) -> bool:
        for name in killed:
            self.say((f"{name} did not end in time and was killed", "WARNING"))
        if dead:
            raise Refusal(f"{dead} ended before Dossier was ready; everything was stopped")
        self.answer({"stopped": True}, ["stopped"])
        return True


def services(host: str, port: int, mcp: int = 0) -> list[Service]:
    """What runs; the web server is gunicorn where there is one. Without ``mcp``, a port, agents are not served."""
    # it warns whoever is root, as one is in a development container, before anything else is said
    celery = ("-W", "ignore::UserWarning:celery.platforms", "-m", "celery", "--quiet", "-A", "config")
    quiet = ("--without-mingle", "--without-gossip", "-l", "WARNING")
    return [
        Service("web", _web(host, port)),
        Service("worker", python(*celery, "worker", "-P", "threads", "-c", "8", *quiet)),
        Service("beat", python(*celery, "beat", "-l", "WARNING")),
        *([Service("mcp", _mcp(host, mcp))] if mcp else []),
    ]


def addresses(page: str, agents: str) -> dict[str, str]:
    """Links in messages and for agents lead to where the servers are, unless the operator names other addresses."""
    return {"DOSSIER_URL": page, **({"DOSSIER_MCP_URL": agents} if agents else {})}


def require_free(host: str, port: int) -> None:
    """Refuse an address that is taken before anything is started."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, OverflowError) as error:
        raise Refusal(f"Cannot listen on {host}:{port}: {error}. Try --port") from None


def mcp_port(host: str, port: int, wanted: int | None) -> int:
    """The port that was asked for, else the one after the web server's; 0 where that one is taken. Raises Refusal."""
    if wanted is not None:
        if wanted:
            require_free(host, wanted)
        return wanted
    try:
        require_free(host, port + 1)
    except Refusal:
        return 0
    return port + 1


def answers(
    host: str,
    port: int,
    stop: threading.Event,
    group: Group,
    slow: Callable[[], None] | None = None,
    limit: float = math.inf,
) -> bool:
    """Wait until a server takes connections; False when it ended, or was stopped, before it did, or after ``limit``.

    A machine may take its time: after a while, and then again and again, ``slow`` is called.
    """
    tell, end = time.monotonic() + SLOW_SECONDS, time.monotonic() + limit
    while not group.dead() and time.monotonic() < end:
        try:
            socket.create_connection((host, port), timeout=1).close()
            return True
        except OSError:
            if stop.wait(0.1):
                return False
        if slow and time.monotonic() > tell:
            slow()
            tell = time.monotonic() + SLOW_SECONDS
    return False


def _web(host: str, port: int) -> list[str]:
    if find_spec("gunicorn") is None:
        return python("-m", "django", "runserver", "--noreload", f"{host}:{port}")
    bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    threads = ("--workers", "1", "--worker-class", "gthread", "--threads", "16")
    return python(
        "-m",
        "gunicorn",
        "config.wsgi",
        "--bind",
        bind,
        *threads,
        "--no-control-socket",
        "--log-level",
        "warning",
    )


def _mcp(host: str, port: int) -> list[str]:
    return python(
        "-m", "uvicorn", "config.mcp:app", "--host", host, "--port", str(port), "--log-level", "warning"
    )
