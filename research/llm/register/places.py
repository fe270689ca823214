"""Jurisdictions as people write them and as the register does ("US-DE", "Germany", "uk")."""

import re

_CODE = re.compile(r"[A-Z]{2}(-[A-Z0-9]{1,3})?")

_NAMES = {
    "AT": "austria österreich autriche",
    "AU": "australia australien",
    "BE": "belgium belgien belgique",
    "BM": "bermuda",
    "BR": "brazil brasilien",
    "CA": "canada kanada",
    "CH": "switzerland schweiz suisse svizzera",
    "CN": "china",
    "CY": "cyprus zypern",
    "CZ": "czechia tschechien",
    "DE": "germany deutschland allemagne germania",
    "DK": "denmark dänemark",
    "ES": "spain spanien españa",
    "FI": "finland finnland",
    "FR": "france frankreich",
    "GB": "uk england britain vereinigtes-königreich united-kingdom great-britain scotland",
    "GG": "guernsey",
    "GR": "greece griechenland",
    "HK": "hong-kong hongkong",
    "HU": "hungary ungarn",
    "IE": "ireland irland",
    "IN": "india indien",
    "IT": "italy italien italia",
    "JE": "jersey",
    "JP": "japan",
    "KY": "cayman cayman-islands",
    "LI": "liechtenstein",
    "LU": "luxembourg luxemburg",
    "MT": "malta",
    "NL": "netherlands niederlande nederland holland",
    "NO": "norway norwegen",
    "PL": "poland polen polska",
    "PT": "portugal",
    "RO": "romania rumänien",
    "SE": "sweden schweden",
    "SG": "singapore singapur",
    "SK": "slovakia slowakei",
    "TR": "turkey türkei türkiye",
    "US": "usa america united-states united-states-of-america vereinigte-staaten",
    "US-DE": "delaware",
    "ZA": "south-africa südafrika",
}
_BY_NAME = {name: code for code, names in _NAMES.items() for name in names.split()}


def jurisdiction_code(hint: str) -> str:
    """The register's code for a hint, "" when it is none that we know."""
    text = hint.strip()
    by_name = _BY_NAME.get("-".join(text.casefold().replace(".", "").split()))
    if by_name:
        return by_name
    return text.upper() if _CODE.fullmatch(text.upper()) else ""


def fits(jurisdiction: str, wanted: str) -> bool:
    """Whether a record's jurisdiction is the wanted one: a country includes its subdivisions."""
    return jurisdiction == wanted or jurisdiction.partition("-")[0] == wanted
