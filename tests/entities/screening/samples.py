"""Small files in the published formats of the lists. Nobody in them is real."""

from pathlib import Path

OFAC = """<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>{date}</Publish_Date><Record_Count>{count}</Record_Count></publshInformation>
{entries}
</sdnList>
"""
OFAC_PERSON = """  <sdnEntry>
    <uid>7001</uid><firstName>Sergey Pavlovich</firstName><lastName>KARELOV</lastName><sdnType>Individual</sdnType>
    <remarks>Made up.</remarks>
    <programList><program>TESTPROGRAM</program></programList>
    <idList>
      <id><uid>1</uid><idType>Passport</idType><idNumber>51 4472</idNumber><idCountry>Russia</idCountry></id>
      <id><uid>2</uid><idType>Gender</idType><idNumber>Male</idNumber></id>
    </idList>
    <akaList>
      <aka><uid>3</uid><type>a.k.a.</type><category>strong</category><lastName>KARELOFF</lastName><firstName>Sergei</firstName></aka>
      <aka><uid>4</uid><type>a.k.a.</type><category>weak</category><lastName>GREY FOX</lastName></aka>
    </akaList>
    <nationalityList><nationality><uid>5</uid><country>Russia</country><mainEntry>true</mainEntry></nationality></nationalityList>
    <dateOfBirthList>
      <dateOfBirthItem><uid>6</uid><dateOfBirth>03 Mar 1972</dateOfBirth><mainEntry>true</mainEntry></dateOfBirthItem>
      <dateOfBirthItem><uid>7</uid><dateOfBirth>circa 1971</dateOfBirth><mainEntry>false</mainEntry></dateOfBirthItem>
    </dateOfBirthList>
  </sdnEntry>"""
OFAC_COMPANY = """  <sdnEntry>
    <uid>7002</uid><lastName>NORTHERN AMBER TRADING LLC</lastName><sdnType>Entity</sdnType>
    <programList><program>TESTPROGRAM</program></programList>
    <akaList><aka><uid>8</uid><type>f.k.a.</type><category>strong</category><lastName>AMBER EXPORT OOO</lastName></aka></akaList>
    <addressList><address><uid>9</uid><city>Kaliningrad</city><country>Russia</country></address></addressList>
  </sdnEntry>"""
OFAC_VESSEL = """  <sdnEntry>
    <uid>7003</uid><lastName>SEA LANTERN</lastName><sdnType>Vessel</sdnType>
    <idList><id><uid>10</uid><idType>Vessel Registration Identification</idType><idNumber>IMO 9000001</idNumber></id></idList>
    <vesselInfo><vesselFlag>Panama</vesselFlag></vesselInfo>
  </sdnEntry>"""

UN = """<?xml version="1.0" encoding="UTF-8"?>
<CONSOLIDATED_LIST dateGenerated="{date}">
<INDIVIDUALS><INDIVIDUAL>
  <DATAID>99001</DATAID><VERSIONNUM>1</VERSIONNUM>
  <FIRST_NAME>ABD AL-KARIM</FIRST_NAME><SECOND_NAME>YUSUF</SECOND_NAME><THIRD_NAME>AL-HADDADI</THIRD_NAME>
  <UN_LIST_TYPE>Testing</UN_LIST_TYPE><REFERENCE_NUMBER>TEi.001</REFERENCE_NUMBER><LISTED_ON>2011-05-06</LISTED_ON>
  <NAME_ORIGINAL_SCRIPT>عبد الكريم يوسف الحدادي</NAME_ORIGINAL_SCRIPT>
  <NATIONALITY><VALUE>Syrian Arab Republic</VALUE></NATIONALITY>
  <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Abdulkarim Haddadi; Abd el-Kerim Yousef</ALIAS_NAME></INDIVIDUAL_ALIAS>
  <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>Abu Salim</ALIAS_NAME></INDIVIDUAL_ALIAS>
  <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1960</FROM_YEAR><TO_YEAR>1963</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
  <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1961-02-03</DATE></INDIVIDUAL_DATE_OF_BIRTH>
  <INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT><NUMBER>N00112</NUMBER><ISSUING_COUNTRY>Syrian Arab Republic</ISSUING_COUNTRY></INDIVIDUAL_DOCUMENT>
</INDIVIDUAL></INDIVIDUALS>
<ENTITIES><ENTITY>
  <DATAID>99002</DATAID><FIRST_NAME>GREEN CRESCENT WELFARE SOCIETY</FIRST_NAME>
  <UN_LIST_TYPE>Testing</UN_LIST_TYPE><REFERENCE_NUMBER>TEe.002</REFERENCE_NUMBER>
  <ENTITY_ALIAS><QUALITY>a.k.a.</QUALITY><ALIAS_NAME>GCWS</ALIAS_NAME></ENTITY_ALIAS>
  <ENTITY_ALIAS><QUALITY>f.k.a.</QUALITY><ALIAS_NAME>Crescent Relief</ALIAS_NAME></ENTITY_ALIAS>
  <ENTITY_ADDRESS><COUNTRY>Iran (Islamic Republic of)</COUNTRY></ENTITY_ADDRESS>
</ENTITY></ENTITIES>
</CONSOLIDATED_LIST>
"""

EU = """<?xml version="1.0" encoding="UTF-8"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="{date}" globalFileId="1">
<sanctionEntity designationDetails="" unitedNationId="" euReferenceNumber="EU.9001.01" logicalId="9001">
  <remark>Made up.</remark>
  <regulation programme="TST" publicationDate="2014-03-17"/>
  <subjectType code="person" classificationCode="P"/>
  <nameAlias firstName="Olha" middleName="" lastName="Marchenko-Test" wholeName="Olha Marchenko-Test" nameLanguage="" strong="true" logicalId="1"/>
  <nameAlias firstName="" middleName="" lastName="" wholeName="Ольга Марченко-Тест" nameLanguage="UK" strong="true" logicalId="2"/>
  <nameAlias firstName="" middleName="" lastName="" wholeName="Olya" nameLanguage="EN" strong="false" logicalId="3"/>
  <citizenship countryIso2Code="UA" countryDescription="UKRAINE"/>
  <birthdate circa="false" calendarType="GREGORIAN" birthdate="1980-07-09" dayOfMonth="9" monthOfYear="7" year="1980"/>
  <birthdate circa="true" calendarType="GREGORIAN" year="1981"/>
  <identification number="AB 123456" identificationTypeCode="passport" identificationTypeDescription="National passport" countryIso2Code="UA"/>
</sanctionEntity>
<sanctionEntity euReferenceNumber="" logicalId="9002">
  <subjectType code="enterprise" classificationCode="E"/>
  <nameAlias wholeName="Harbour Test Shipping" strong="true" logicalId="4"/>
  <address city="Limassol" countryIso2Code="CY"/>
</sanctionEntity>
</export>
"""

UK_HEAD = (
    "Last Updated,Unique ID,OFSI Group ID,UN Reference Number,Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Name type,"
    "Alias strength,Title,Name non-latin script,Non-latin script type,Non-latin script language,Regime Name,"
    "Designation Type,Other Information,Address Country,Date Designated,D.O.B,Nationality(/ies),Passport number,IMO number"
)
UK = """Report Date: {date}
{head}
01/02/2026,TST0001,1,,TESTOV,Viktor,Ilyich,,,,Primary Name,,Mr,Виктор Ильич Тестов,Cyrillic,Russian,Testing,Individual,Made up,Russia,24/02/2022,dd/mm/1965,Russia,"(1) 701234 (2) 709999",
01/02/2026,TST0002,2,,TEST STAR,,,,,,Primary Name,,,,,,Testing,Ship,,,24/02/2022,,,,9000002
01/02/2026,TST0001,1,,TESTOFF,Victor,,,,,Alias,Low quality a.k.a,,,,,Testing,Individual,,Belarus,24/02/2022,01/04/1965,Russia,,
"""

SECO = """<?xml version="1.0" encoding="UTF-8"?>
<swiss-sanctions-list list-type="full-en" date="{date}">
<sanctions-program ssid="100"><program-name lang="eng">Test ordinance</program-name><sanctions-set ssid="101" lang="eng">Annex 1</sanctions-set></sanctions-program>
<target ssid="5001" sanctions-set-id="101"><individual sex="male"><identity ssid="1" main="true">
  <name ssid="2" name-type="primary-name" quality="good">
    <name-part order="2" name-part-type="family-name"><value>Testenko</value><spelling-variant lang="rus" script="Cyrl">Тестенко</spelling-variant></name-part>
    <name-part order="1" name-part-type="given-name"><value>Ihor</value><spelling-variant lang="rus" script="Cyrl">Игорь</spelling-variant></name-part>
  </name>
  <name ssid="3" name-type="alias" quality="low"><name-part order="1" name-part-type="whole-name"><value>Gosha</value></name-part></name>
  <nationality><country iso-code="UA">Ukraine</country></nationality>
  <day-month-year year="1970" month="5"/>
  <address ssid="4" place-id="201"/>
  <identification-document ssid="5" document-type="passport"><number>ET700</number><issuer code="UA">Ukraine</issuer></identification-document>
</identity></individual>
<modification modification-type="listed" publication-date="2014-04-01" effective-date="2014-04-02"/>
<modification modification-type="amended" publication-date="2016-01-01" effective-date="2016-01-02"><removed><individual><identity><name name-type="alias"><name-part order="1" name-part-type="whole-name"><value>Innocent Namesake</value></name-part></name></identity></individual></removed></modification>
</target>
<target ssid="5002"><sanctions-set-id>101</sanctions-set-id><entity><identity ssid="6" main="true">
  <name ssid="7" name-type="primary-name" quality="good"><name-part order="1" name-part-type="whole-name"><value>Gone Test GmbH</value></name-part></name>
</identity></entity>
<modification modification-type="listed" publication-date="2014-04-01" effective-date="2014-04-02"/>
<modification modification-type="de-listed" publication-date="2019-04-01" effective-date="2019-04-02"/>
</target>
<place ssid="201"><location>Minsk</location><country iso-code="BY">Belarus</country></place>
</swiss-sanctions-list>
"""


def ofac(*entries: str, date: str = "09/23/2026", count: int | None = None) -> str:
    """An OFAC file; three entries unless others are given."""
    told = entries or (OFAC_PERSON, OFAC_COMPANY, OFAC_VESSEL)
    return OFAC.format(date=date, count=len(told) if count is None else count, entries="\n".join(told))


def un(date: str = "2026-09-28T00:00:00.000Z") -> str:
    return UN.format(date=date)


def eu(date: str = "2026-08-05T16:00:05.000+02:00") -> str:
    return EU.format(date=date)


def uk(date: str = "10-Jul-2026") -> str:
    return UK.format(date=date, head=UK_HEAD)


def seco(date: str = "2026-09-28") -> str:
    return SECO.format(date=date)


FILES = {"ofac-sdn": ofac, "ofac-consolidated": ofac, "un": un, "eu": eu, "uk": uk, "seco": seco}


def written(folder: Path, text: str, name: str = "list.xml") -> Path:
    """The text as a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
