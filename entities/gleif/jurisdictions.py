"""Jurisdictions as people write them ("Germany", "uk", "Delaware") and as the register does ("DE", "GB", "US-DE")."""

import re
import unicodedata
from difflib import get_close_matches

# ISO 3166-1 alpha-2 code: names in English, then others in use, separated by commas
_COUNTRIES = """
AD andorra|AE united arab emirates, uae|AF afghanistan|AG antigua and barbuda, antigua|AI anguilla|AL albania
AM armenia|AO angola|AR argentina, argentinien|AS american samoa|AT austria, österreich, autriche
AU australia, australien, australie|AW aruba|AZ azerbaijan|BA bosnia and herzegovina, bosnia|BB barbados
BD bangladesh|BE belgium, belgien, belgique, belgië|BF burkina faso|BG bulgaria, bulgarien|BH bahrain|BI burundi
BJ benin|BM bermuda|BN brunei, brunei darussalam|BO bolivia|BQ bonaire, caribbean netherlands
BR brazil, brasilien, brasil, brésil|BS bahamas, the bahamas|BT bhutan|BW botswana|BY belarus|BZ belize
CA canada, kanada|CD democratic republic of the congo, dr congo|CF central african republic|CG congo
CH switzerland, schweiz, suisse, svizzera|CI ivory coast, côte d'ivoire|CK cook islands|CL chile|CM cameroon
CN china, people's republic of china, prc, chine|CO colombia, kolumbien|CR costa rica|CU cuba|CV cape verde
CW curaçao|CY cyprus, zypern, chypre|CZ czechia, czech republic, tschechien
DE germany, deutschland, allemagne, germania, federal republic of germany|DJ djibouti
DK denmark, dänemark, danemark, danmark|DM dominica|DO dominican republic|DZ algeria|EC ecuador
EE estonia, estland|EG egypt, ägypten|ER eritrea|ES spain, spanien, españa, espagne, spagna|ET ethiopia
FI finland, finnland, finlande, suomi|FJ fiji|FK falkland islands|FO faroe islands
FR france, frankreich, francia|GA gabon
GB united kingdom, uk, great britain, britain, england, england and wales, scotland, wales, northern ireland
GB vereinigtes königreich, grossbritannien, großbritannien, royaume-uni, regno unito
GD grenada|GE georgia|GF french guiana|GG guernsey|GH ghana|GI gibraltar|GL greenland|GM gambia|GN guinea
GP guadeloupe|GQ equatorial guinea|GR greece, griechenland, grèce, hellas|GT guatemala|GU guam|GW guinea-bissau
GY guyana|HK hong kong, hongkong, hong kong sar|HN honduras|HR croatia, kroatien, hrvatska|HT haiti
HU hungary, ungarn, magyarország|ID indonesia, indonesien|IE ireland, irland, irlande|IL israel
IM isle of man|IN india, indien, inde|IQ iraq|IR iran|IS iceland, island|IT italy, italien, italia, italie
JE jersey|JM jamaica|JO jordan|JP japan, japon|KE kenya|KG kyrgyzstan|KH cambodia|KI kiribati|KM comoros
KN saint kitts and nevis, st kitts and nevis, nevis|KP north korea|KR south korea, korea, republic of korea
KW kuwait|KY cayman islands, cayman, the cayman islands|KZ kazakhstan|LA laos|LB lebanon|LC saint lucia, st lucia
LI liechtenstein|LK sri lanka|LR liberia|LS lesotho|LT lithuania, litauen|LU luxembourg, luxemburg, lussemburgo
LV latvia, lettland|LY libya|MA morocco|MC monaco|MD moldova|ME montenegro|MG madagascar|MH marshall islands
MK north macedonia|ML mali|MM myanmar|MN mongolia|MO macao, macau|MQ martinique|MR mauritania|MS montserrat
MT malta, malte|MU mauritius|MV maldives|MW malawi|MX mexico, mexiko, méxico|MY malaysia|MZ mozambique
NA namibia|NC new caledonia|NE niger|NG nigeria|NI nicaragua
NL netherlands, the netherlands, niederlande, nederland, holland, pays-bas|NO norway, norwegen, norge
NP nepal|NR nauru|NZ new zealand, neuseeland|OM oman|PA panama|PE peru|PF french polynesia
PG papua new guinea|PH philippines|PK pakistan|PL poland, polen, polska, pologne|PR puerto rico|PS palestine
PT portugal|PW palau|PY paraguay|QA qatar, katar|RE réunion|RO romania, rumänien|RS serbia, serbien
RU russia, russland, russian federation, russie|RW rwanda|SA saudi arabia, saudi-arabien|SB solomon islands
SC seychelles|SD sudan|SE sweden, schweden, sverige, suède|SG singapore, singapur|SI slovenia, slowenien
SK slovakia, slowakei, slovak republic|SL sierra leone|SM san marino|SN senegal|SO somalia|SR suriname
ST são tomé and príncipe|SV el salvador|SX sint maarten|SY syria|SZ eswatini, swaziland
TC turks and caicos islands|TD chad|TG togo|TH thailand|TJ tajikistan|TL timor-leste|TM turkmenistan|TN tunisia
TO tonga|TR turkey, türkei, türkiye, turquie|TT trinidad and tobago|TV tuvalu|TW taiwan|TZ tanzania|UA ukraine
UG uganda|US united states, usa, us, united states of america, america, vereinigte staaten, états-unis|UY uruguay
UZ uzbekistan|VA vatican city, holy see|VC saint vincent and the grenadines, st vincent
VE venezuela|VG british virgin islands, bvi|VI us virgin islands|VN vietnam, viet nam|VU vanuatu|WS samoa
XK kosovo|YE yemen|ZA south africa, südafrika|ZM zambia|ZW zimbabwe
"""
_SUBDIVISIONS = """
US-AL alabama|US-AK alaska|US-AZ arizona|US-AR arkansas|US-CA california|US-CO colorado|US-CT connecticut
US-DE delaware|US-FL florida|US-HI hawaii|US-ID idaho|US-IL illinois|US-IN indiana|US-IA iowa|US-KS kansas
US-KY kentucky|US-LA louisiana|US-ME maine|US-MD maryland|US-MA massachusetts|US-MI michigan|US-MN minnesota
US-MS mississippi|US-MO missouri|US-MT montana|US-NE nebraska|US-NV nevada|US-NH new hampshire|US-NJ new jersey
US-NM new mexico|US-NY new york|US-NC north carolina|US-ND north dakota|US-OH ohio|US-OK oklahoma|US-OR oregon
US-PA pennsylvania|US-RI rhode island|US-SC south carolina|US-SD south dakota|US-TN tennessee|US-TX texas
US-UT utah|US-VT vermont|US-VA virginia|US-WA washington|US-WV west virginia|US-WI wisconsin|US-WY wyoming
US-DC district of columbia|CA-AB alberta|CA-BC british columbia|CA-MB manitoba|CA-NS nova scotia|CA-ON ontario
CA-QC quebec, québec|AE-DU dubai, difc|AE-AZ abu dhabi, adgm
"""
_CODE = re.compile(r"[A-Z]{2}(-[A-Z0-9]{1,3})?")
# ISO 3166-1 alpha-2, and XK, which registers use for Kosovo
_CODES = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
"""
_TERRITORIES = (
    "GA",
    "AS",
    "GU",
    "MP",
    "PR",
    "UM",
    "VI",
)  # of the USA, beside the states that are named above
_WORDS = re.compile(r"[^\W_]+")


def jurisdiction_code(text: str) -> str:
    """The register's code for what somebody wrote; "" when it is none that we know.

    A place before the country counts where it is a state: "Delaware, USA" is US-DE, "Munich, Germany" is DE. Codes
    are not checked for existence.
    """
    by_name = _BY_NAME.get(_key(text))
    if by_name:
        return by_name
    code = text.strip().upper()
    if _CODE.fullmatch(code):
        return code
    first, _, last = text.rpartition(",")
    country, part = _BY_NAME.get(_key(last), ""), _BY_NAME.get(_key(first), "")
    return part if country and country_of(part) == country else country


def is_jurisdiction(code: str) -> bool:
    """Whether a code is one that there is: of a country, or of a part of one. Of the USA the parts are known."""
    country, dash, part = code.partition("-")
    if country not in _CODES.split() or (dash and not _CODE.fullmatch(code)):
        return False
    return not part or country != "US" or code in _BY_NAME.values() or part in _TERRITORIES


def meant_jurisdictions(text: str) -> list[str]:
    """The codes that a name in words stands for, or one that it is close to."""
    found = jurisdiction_code(text)
    if is_jurisdiction(found):
        return [found]
    near = get_close_matches(_key(text), _BY_NAME, 3, cutoff=0.8)
    return list(dict.fromkeys(_BY_NAME[name] for name in near))


def fits(jurisdiction: str, wanted: str) -> bool:
    """Whether a record's jurisdiction is the wanted one: a country includes its subdivisions."""
    return jurisdiction == wanted or country_of(jurisdiction) == wanted


def country_of(jurisdiction: str) -> str:
    return jurisdiction.partition("-")[0]


def place_names(code: str) -> list[str]:
    """The code itself and the names that are known for it; none for an empty code."""
    return [code, *(name for name, other in _BY_NAME.items() if other == code)] if code else []


def _key(name: str) -> str:
    """Names are compared without accents, points and case: "U.S.A." is "usa"."""
    text = unicodedata.normalize("NFKD", name[:100].replace(".", "").replace("ß", "ss").casefold())
    return " ".join(_WORDS.findall("".join(char for char in text if not unicodedata.combining(char))))


def _names() -> dict[str, str]:
    entries = (entry for table in (_SUBDIVISIONS, _COUNTRIES) for entry in re.split(r"[|\n]", table.strip()))
    return {
        _key(name): code
        for code, _, names in (entry.partition(" ") for entry in entries)
        for name in names.split(",")
    }


_BY_NAME = _names()
