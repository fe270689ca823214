"""Fetching a file of any size to disk, through the breaker and the pace of its source.

Unlike ``exchange`` this follows redirects, because publishers send to signed addresses of a store. Keys do not travel
along, and the way never leads from HTTPS to HTTP, nor from a host with a name to a bare address.
"""

from collections.abc import Callable, Mapping
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import SplitResult, urljoin, urlsplit

import requests
import urllib3

from common.outside.client import Client, fault_of
from common.outside.deadline import was_late, within
from common.outside.exchange import CONNECT_SECONDS, HEADERS, Reply, session
from common.outside.faults import SourceFault, code_of
from common.outside.trust import authorities

REDIRECTS = 3
CHUNK = 1 << 16
Report = Callable[[int, int], None]


def download(
    client: Client,
    path: str,
    target: Path,
    *,
    params: Mapping[str, str] | None = None,
    report: Report = lambda done, total: None,
) -> Path:
    """The file at a path below the client's address, as ``target``; a file that breaks off leaves nothing there.

    At most ``client.max_body`` bytes. ``report`` is told bytes done and in all, 0 where the source does not say.

    Raises:
        SourceFault: it did not arrive whole after the tries that may help.
    """
    if client.missing:
        raise SourceFault(client.name, "not_set_up", f"is not set up: set {' and '.join(client.missing)}")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part")

    def once(seconds: float) -> Path:
        try:
            with within(seconds):
                _fetch(client, path, part, dict(params or {}), seconds, report)
            return part.replace(target)
        except (requests.Timeout, urllib3.exceptions.TimeoutError):
            raise SourceFault(client.name, "timeout") from None
        except urllib3.exceptions.ProtocolError:
            raise SourceFault(client.name, "incomplete", "broke off before the file was whole") from None
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
            if was_late(error):
                raise SourceFault(client.name, "timeout") from None
            raise SourceFault(client.name, "network", f"cannot be reached ({type(error).__name__})") from None
        finally:
            part.unlink(missing_ok=True)

    return client.traffic.call(
        client.name, once, rate=client.rate, patience=client.patience, address=client.base_url
    )


def _fetch(
    client: Client, path: str, part: Path, params: dict[str, str], seconds: float, report: Report
) -> None:
    url = f"{client.base_url.rstrip('/')}/{path.lstrip('/')}"
    query: dict[str, str | int] = {**client.query, **params}
    headers = {**HEADERS, "Accept": "*/*", **client.headers}
    for _ in range(REDIRECTS + 1):
        with session().get(
            url,
            params=query,
            headers=headers,
            timeout=(min(CONNECT_SECONDS, seconds), seconds),
            allow_redirects=False,
            stream=True,
            verify=authorities(),
        ) as response:
            if response.is_redirect:
                url = _next(client.name, response.url, response.headers["Location"])
                query, headers = (
                    {},
                    {key: value for key, value in headers.items() if key not in client.headers},
                )
                continue
            if response.status_code != 200:
                reply = Reply(response.status_code, response.headers, b"")
                raise fault_of(client.name, code_of(response.status_code), reply)
            _write(client, response, part, report)
            return
    raise SourceFault(client.name, "unreadable", f"redirects more than {REDIRECTS} times")


def _next(name: str, here: str, location: str) -> str:
    try:
        url = urljoin(here, location)
        before, after = urlsplit(here), urlsplit(url)
        allowed = (
            after.scheme in ("https", before.scheme) and after.scheme in ("http", "https") and after.hostname
        )
        if allowed and (after.hostname == before.hostname or not _is_bare(after)):
            return url
    except ValueError:
        pass
    raise SourceFault(name, "unreadable", "redirects to an address that is not followed")


def _is_bare(address: SplitResult) -> bool:
    try:
        ip_address(address.hostname or "")
    except ValueError:
        return address.hostname == "localhost"
    return True


def _write(client: Client, response: requests.Response, part: Path, report: Report) -> None:
    stated = int(response.headers.get("Content-Length") or 0)
    done = 0
    with part.open("wb") as file:
        while chunk := response.raw.read1(CHUNK, decode_content=True):
            file.write(chunk)
            done += len(chunk)
            report(done, stated)
            if done > client.max_body:
                raise SourceFault(client.name, "unreadable", f"sent more than {client.max_body:,} bytes")
    if stated and not response.headers.get("Content-Encoding") and done != stated:
        raise SourceFault(client.name, "incomplete", f"sent {done:,} of {stated:,} bytes")
