"""What names and legal forms say about an entity.

The register states neither UCITS nor AIF nor what a company does. Where a name or a legal form says it, it is used;
everywhere else the answer is "other" or nothing.
"""

import re

from research.jsontext import JsonObject

# ISO 20275 legal form codes
SICAV_FORMS = frozenset({"UDY2", "8EHB", "XJOT"})  # Luxembourg, Spain, Switzerland
FCP_FORMS = frozenset({"AIR5"})  # Luxembourg
AIF_FORMS = frozenset({"EX8U", "HBQK"})  # India: Alternative Investment Fund and its sub-schemes

_MANAGES_FUNDS = re.compile(
    r"global investors|(asset|fund|investment) manage(ment|rs?)|management company|mutual fund trustee|"
    r"fondsleitung|fonds ?management|kapital(verwaltung|anlage)|\b(kvg|kag)\b|investmentgesellschaft|"
    r"vermögensverwaltung|soci[eé]t[eé] de gestion|gestion d.actifs|"
    r"gestora|gestión de activos|gestão de (ativos|fundos)|\bsgiic\b|\bsgr\b|gestione del risparmio|"
    r"alapkezelő|towarzystwo (funduszy|emerytalne)|správcovsk|investiční společnost|"
    r"fondsforvaltning|fonder ab|vermogensbeheer|portföy|administrare a (fondurilor|investi[tț]iilor)",
    re.IGNORECASE,
)
_MAY_MANAGE = re.compile(
    r"\b(investors?|invest|investments?|advisors?|advisers?|capital (partners|management)|fonds|funds|partners|"
    r"private equity|real estate|alternatives?)\b",
    re.IGNORECASE,
)
_INVESTMENT_MANAGER = re.compile(
    r"global investors|asset management|investment management|investment managers?|asset managers?|"
    r"capital management|investment advis[oe]rs?|global advis[oe]rs",
    re.IGNORECASE,
)
_UCITS = re.compile(r"\b(ucits|ogaw|opcvm|oicvm)\b", re.IGNORECASE)
_AIF = re.compile(r"\b(aif|raif|eltif|fiaa)\b", re.IGNORECASE)
_STRUCTURES = (
    ("sicav", re.compile(r"\bsicav\b", re.IGNORECASE)),
    ("fcp", re.compile(r"\bfcp\b|fonds? communs? de placement", re.IGNORECASE)),
    ("oeic", re.compile(r"\b(oeic|icvc)\b|open[- ]ended investment company", re.IGNORECASE)),
    ("unit_trust", re.compile(r"\bunit trust\b", re.IGNORECASE)),
)
_PARTNERSHIP = re.compile(
    r"\b(kg|ohg|l\.?p\.?|llp|scs|scsp|s\.c\.s\.?p?\.?|limited partnership|c\.?v\.?)$", re.IGNORECASE
)
_CORPORATION = re.compile(
    r"\b(se|ag|plc|inc|corp|corporation|aktiengesellschaft|s\.?a|s\.?p\.?a|n\.?v|ltd|limited|gmbh|b\.?v|ab|asa|a/s|oyj?|"
    r"s\.?à ?r\.?l|sarl|kgaa|sas|llc|co)\.?$",
    re.IGNORECASE,
)
_HOLDING = re.compile(r"\bholdings?\b|\bbeteiligungs", re.IGNORECASE)


def manager_likelihood(record: JsonObject) -> int:
    """2 if the name is that of a fund manager, 1 if it may be, else 0. Funds never manage funds."""
    name = str(record.get("name", ""))
    if record.get("category") == "FUND":
        return 0
    if _MANAGES_FUNDS.search(name):
        return 2
    return 1 if _MAY_MANAGE.search(name) else 0


def named_like_investment_manager(record: JsonObject) -> bool:
    return record.get("category") != "FUND" and bool(_INVESTMENT_MANAGER.search(str(record.get("name", ""))))


def fund_type(record: JsonObject) -> str:
    """A value of the schema. "other" if the register does not tell."""
    name = str(record.get("name", ""))
    if _UCITS.search(name):
        return "ucits"
    return "aif" if _AIF.search(name) or record.get("legal_form") in AIF_FORMS else "other"


def fund_structure(record: JsonObject) -> str:
    """A value of the schema. Empty if neither name nor legal form tells."""
    form, name = record.get("legal_form"), str(record.get("name", ""))
    if form in SICAV_FORMS:
        return "sicav"
    if form in FCP_FORMS:
        return "fcp"
    text = f"{name} {record.get('legal_form_text', '')}"
    return next((structure for structure, pattern in _STRUCTURES if pattern.search(text)), "")


def entity_type(record: JsonObject) -> str:
    """holding_company, corporation or partnership by the name. Empty if it does not tell."""
    name = str(record.get("name", "")).strip(" .")
    if record.get("category") == "FUND":
        return "other"
    if _HOLDING.search(name):
        return "holding_company"
    if _PARTNERSHIP.search(name):
        return "partnership"
    return "corporation" if _CORPORATION.search(name) else ""
