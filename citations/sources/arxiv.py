"""arXiv's API: ``GET /query?id_list=2101.00001v2`` answers with an Atom feed, empty for a number that it has not.

Shape from its public documentation (Atom, RFC 4287); not verified live. It asks for one question in three seconds.
"""

import re
from typing import TYPE_CHECKING

from citations.sources.client import open_client
from citations.sources.works import Work, line
from common.outside.client import TRAFFIC, Traffic
from common.outside.faults import SourceFault
from common.outside.pace import Rate

if TYPE_CHECKING:
    from lxml import etree

NAME = "arxiv"
RATE = Rate(1, 3)
_ATOM = "{http://www.w3.org/2005/Atom}"
_VERSION = re.compile(r"v\d+$")


class Arxiv:
    """``base_url`` is that of the API, for example ``https://export.arxiv.org/api``."""

    def __init__(self, base_url: str, *, traffic: Traffic = TRAFFIC, rate: Rate = RATE) -> None:
        self._client = open_client(NAME, base_url, rate, traffic)

    def work(self, number: str) -> Work | None:
        """The work with this number (``2101.00001v2``, ``hep-th/9901001``); None when arXiv has it not.

        Raises:
            SourceFault: it could not be asked, or its answer is no feed.
        """
        reply = self._client.reply(
            "query", params={"id_list": number, "max_results": 1}, headers={"Accept": "application/atom+xml"}
        )
        for entry in _feed(reply.body).findall(f"{_ATOM}entry"):
            identifier = line(entry.findtext(f"{_ATOM}id"))
            if _same(identifier, number):
                published = line(entry.findtext(f"{_ATOM}published"))
                title = line(entry.findtext(f"{_ATOM}title"))
                return Work(title, f"https://arxiv.org/abs/{number}", published[:4])
        return None


def _feed(body: bytes) -> "etree._Element":
    from lxml import etree  # heavy, and a process that verifies nothing does without

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(body, parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None or root.tag != f"{_ATOM}feed":
        raise SourceFault(NAME, "unreadable", "answered with something that is no feed", status=200)
    return root


def _same(identifier: str, number: str) -> bool:
    """``http://arxiv.org/abs/2101.00001v2`` is 2101.00001, and 2101.00001v2."""
    found = identifier.partition("/abs/")[2]
    return found == number or _VERSION.sub("", found) == number
