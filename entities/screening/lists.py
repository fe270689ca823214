"""The lists that Dossier knows: who publishes them, where, how they are read, and what a whole file holds at least."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from entities.models.screening import OfficialList
from entities.screening import eu, ofac, seco, uk, un
from entities.screening.records import Entry
from entities.screening.told import Told

MEGABYTE = 1_000_000
LARGEST = 250 * MEGABYTE


@dataclass(frozen=True)
class ListKind:
    """One list: ``setting`` holds its base URL, ``path`` leads from there to the file, ``key`` is the setting of a key.

    ``bytes`` and ``entries`` are the least that a whole file has, well below what was seen of each list.
    """

    list: OfficialList
    publisher: str
    setting: str
    path: str
    read: Callable[[Path, Told], Iterator[Entry]]
    bytes: int
    entries: int
    key: str = ""

    @property
    def label(self) -> str:
        return str(self.list.label)

    @property
    def base_url(self) -> str:
        return str(getattr(settings, self.setting, "") or "")

    @property
    def missing(self) -> tuple[str, ...]:
        """The settings that its download needs and that are not set."""
        return tuple(name for name in (self.setting, self.key) if name and not getattr(settings, name, ""))


KINDS: Mapping[str, ListKind] = {
    kind.list.value: kind
    for kind in (
        ListKind(
            OfficialList.OFAC_SDN,
            "OFAC, US Treasury",
            "OFAC_BASE_URL",
            "SDN.XML",
            ofac.read,
            5 * MEGABYTE,
            5_000,
        ),
        ListKind(
            OfficialList.OFAC_CONSOLIDATED,
            "OFAC, US Treasury",
            "OFAC_BASE_URL",
            "CONSOLIDATED.XML",
            ofac.read,
            100_000,
            100,
        ),
        ListKind(
            OfficialList.UN,
            "UN Security Council",
            "UN_SANCTIONS_BASE_URL",
            "resources/xml/en/consolidated.xml",
            un.read,
            500_000,
            500,
        ),
        ListKind(
            OfficialList.EU,
            "European Commission",
            "EU_SANCTIONS_BASE_URL",
            "files/xmlFullSanctionsList_1_1/content",
            eu.read,
            5 * MEGABYTE,
            2_000,
            key="EU_SANCTIONS_TOKEN",
        ),
        ListKind(
            OfficialList.UK,
            "FCDO",
            "UK_SANCTIONS_BASE_URL",
            "UK-Sanctions-List.csv",
            uk.read,
            5 * MEGABYTE,
            2_000,
        ),
        ListKind(
            OfficialList.SECO,
            "SECO",
            "SECO_BASE_URL",
            "pages/downloadXmlGesamtliste.xhtml",
            seco.read,
            5 * MEGABYTE,
            2_000,
        ),
    )
}
QUERIES: Mapping[str, Mapping[str, str]] = {
    OfficialList.SECO.value: {"lang": "en", "action": "downloadXmlGesamtlisteAction"}
}
