"""RR-CDF 1.1 and 2.1 in XML: the older has accounting standards and quantities, the newer statuses and deletions."""

import pytest

from entities.gleif.golden.importing import Given, import_file
from entities.models import LeiRelationship
from tests.register_files import MORNING, lei_of

pytestmark = pytest.mark.django_db
XML = """<?xml version="1.0" encoding="UTF-8"?>
<rr:RelationshipData xmlns:rr="http://www.gleif.org/data/schema/rr/2016"{extension}>
<rr:Header><rr:ContentDate>2026-02-10T08:00:00Z</rr:ContentDate>
<rr:FileContent>GLEIF_FULL_PUBLISHED</rr:FileContent><rr:RecordCount>1</rr:RecordCount></rr:Header>
<rr:RelationshipRecords><rr:RelationshipRecord>
<rr:Relationship>
<rr:StartNode><rr:NodeID>{start}</rr:NodeID><rr:NodeIDType>LEI</rr:NodeIDType></rr:StartNode>
<rr:EndNode><rr:NodeID>{end}</rr:NodeID><rr:NodeIDType>LEI</rr:NodeIDType></rr:EndNode>
<rr:RelationshipType>{type}</rr:RelationshipType>
<rr:RelationshipPeriods>
<rr:RelationshipPeriod><rr:StartDate>2018-01-01T00:00:00.000+01:00</rr:StartDate>
<rr:EndDate>2018-12-31T00:00:00.000Z</rr:EndDate><rr:PeriodType>ACCOUNTING_PERIOD</rr:PeriodType></rr:RelationshipPeriod>
<rr:RelationshipPeriod><rr:StartDate>2012-11-29T00:00:00Z</rr:StartDate>
<rr:PeriodType>RELATIONSHIP_PERIOD</rr:PeriodType></rr:RelationshipPeriod>
</rr:RelationshipPeriods>
<rr:RelationshipStatus>{status}</rr:RelationshipStatus>
{more}
</rr:Relationship>
<rr:Registration>
<rr:InitialRegistrationDate>2012-11-29T16:33:00.000Z</rr:InitialRegistrationDate>
<rr:LastUpdateDate>2026-01-05T10:11:12.000Z</rr:LastUpdateDate>
<rr:RegistrationStatus>PUBLISHED</rr:RegistrationStatus>
<rr:NextRenewalDate>2027-01-05T00:00:00Z</rr:NextRenewalDate>
<rr:ManagingLOU>{lou}</rr:ManagingLOU>
<rr:ValidationSources>{sources}</rr:ValidationSources>
<rr:ValidationDocuments>ACCOUNTS_FILING</rr:ValidationDocuments>
<rr:ValidationReference>https://example.org/accounts?year=2024&amp;page=1</rr:ValidationReference>
</rr:Registration>
</rr:RelationshipRecord></rr:RelationshipRecords></rr:RelationshipData>"""
OLD = """<rr:RelationshipQualifiers><rr:RelationshipQualifier>
<rr:QualifierDimension>ACCOUNTING_STANDARD</rr:QualifierDimension><rr:QualifierCategory>IFRS</rr:QualifierCategory>
</rr:RelationshipQualifier></rr:RelationshipQualifiers>
<rr:RelationshipQuantifiers><rr:RelationshipQuantifier>
<rr:MeasurementMethod>ACCOUNTING_CONSOLIDATION</rr:MeasurementMethod><rr:QuantifierAmount>100.00</rr:QuantifierAmount>
<rr:QuantifierUnits>PERCENTAGE</rr:QuantifierUnits></rr:RelationshipQuantifier></rr:RelationshipQuantifiers>"""
VERSIONS = {
    "1.1": {"type": "IS_DIRECTLY_CONSOLIDATED_BY", "status": "ACTIVE", "sources": "FULLY_CORROBORATED", "more": OLD},
    "2.1": {"type": "IS_FUND-MANAGED_BY", "status": "NULL", "sources": "PENDING", "more": ""},
}  # fmt: skip


@pytest.mark.parametrize("version", VERSIONS)
def test_a_relationship_of_either_format_is_imported(folder, version):
    filled = XML.format(extension="", start=lei_of(1), end=lei_of(2), lou=lei_of(9), **VERSIONS[version])
    import_file(folder.text(filled, "rr.xml"), given=Given(publish_date=MORNING))
    found = LeiRelationship.objects.get()
    told = VERSIONS[version]
    assert (found.start, found.end, found.type, found.status) == (
        lei_of(1),
        lei_of(2),
        told["type"],
        told["status"],
    )
    registration = found.attributes["registration"]
    assert registration["corroborationLevel"] == told["sources"]
    assert registration["corroborationReference"].endswith("year=2024&page=1")
    assert found.attributes["relationship"]["periods"] == [
        {"startDate": "2017-12-31T23:00:00Z", "endDate": "2018-12-31T00:00:00Z", "type": "ACCOUNTING_PERIOD"},
        {"startDate": "2012-11-29T00:00:00Z", "type": "RELATIONSHIP_PERIOD"},
    ]
