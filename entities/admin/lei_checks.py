"""What the register's record, as it was read last, says about the LEI of an entity. A page asks nobody outside."""

from collections.abc import Iterable
from datetime import date

from entities.gleif.checking import check_claims
from entities.gleif.claims import Claim
from entities.gleif.records import Record, parse_record
from entities.gleif.verification import LeiReport
from entities.models import Entity, LeiRecord


class KeptRecords:
    """The records that memory keeps, in the place of a register."""

    def __init__(self) -> None:
        self.as_of = ""

    def records(self, leis: Iterable[str]) -> dict[str, Record]:
        """Those of these LEIs that were read before."""
        found = {}
        for row in LeiRecord.objects.filter(lei__in=list(leis)):
            self.as_of = row.as_of
            found[row.lei] = parse_record(
                {"id": row.lei, "type": "lei-records", "attributes": row.attributes}
            )
        return found


def check_kept_record(entity: Entity, *, today: date) -> tuple[LeiReport, LeiRecord] | None:
    """The checks of the entity's LEI, name and jurisdiction against its record; None when there is no record."""
    record = LeiRecord.objects.filter(lei=entity.lei).first() if entity.lei else None
    if record is None:
        return None
    claim = Claim(entity.lei, entity.name, entity.jurisdiction or None)
    [report] = check_claims([claim], register=KeptRecords(), today=today)
    return report, record
