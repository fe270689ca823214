"""Pinpoints that stand in front of what they are of: ``E. 3.2 des Urteils 4A_1/2020``, ``consid. 4 de l'arrêt 2C_1/2019``."""

import re

from citations.grammar.dates import DATE
from citations.grammar.scan import Scan
from citations.pinpoints import LABEL, read_pinpoints

_WINDOW = 130
SHORTEST = len("E. 1 in ")
_DIGIT = re.compile(r"[\dIVX]")
_DECISION = (
    r"(?:[A-ZÄÖÜ]?[a-zäöü]{2,20})?(?:[Uu]rteil|[Ee]ntscheid|[Bb]eschl[uü]ss)(?:e?s|en?)?|[Vv]erfügung|[Rr]echtssache|Rs\.|Sache|arrêts?|jugement|décision|ordonnance"
    r"|affaire|cause|sentenz[ae]|decision[ei]?|judge?ments?|rulings?|cases?|order|BGer|BVGer|BStGer|EuGH|EGMR|TF|TAF|CJUE|CourEDH|STF"
)
_COURT = (
    r"(?:Bundes|Ober|Kantons|Verwaltungs|Bundesverwaltungs|Bundesstraf|Bundespatent|Handels|Appellations|Sozialversicherungs|Bezirks|Eidg)[a-z]*\.?"
    r"|(?:Europäischen\s)?Gerichtshof(?:e?s)?|Tribunal|Cour|cantonal|fédéral|administratif|pénal|justice|Tribunale|federale|amministrativo|penale|cantonale|d['’]appello"
    r"|Corte|Federal|Supreme|Administrative|Criminal|Court|Zürich|Bern|Genève|Vaud"
)
_WORD = (
    r"der|des|dem|vom|von|aus|im|in:?|zu[mr]?|seine[sm]|ihre[sm]|diese[sm]|du|des?|à|aux?|dans|la|le|cet|son|sa|un|della|delle|del|nella|nel|di|of|the|its"
    r"|(?:nicht|non|pas)\s++pub\w*\.?|publi\w+|(?:vor)?erwähnte[nm]?|genannte[nm]?|(?:vor)?zitierte[nm]?|angefochtene[nm]?|jüngste[nm]?|neue(?:re)?[nm]|précitée?|récent"
    rf"|cité|citat[ao]|recente|Nr\.|n°|No\.|i\.\s?S\.|rendue?|{_DECISION}|{_COURT}|{DATE}"
)
_GAP = re.compile(
    rf"\s++(?:(?>(?:d|l|dell|nell|dall)['’](?!\s)|(?:{_WORD})(?![\w-])\s?+,?\s*+[(\[]?)){{1,12}}"
)
_FIRST = re.compile(
    r"\s++(?:de[rs]?|dem|vom|von|aus|im|in:?|zu[mr]?|seine[sm]|du|d['’]|à|aux?|dans|della|delle|dell['’]|del|nella|nel|di|of|nicht|non)(?:\s|(?<=['’]))"
)


def pins_before(scan: Scan, start: int) -> list[str]:
    """The pinpoints in front of the work that begins at ``start``, when only words that tie them to it stand between."""
    floor = max(scan.end, start - _WINDOW)
    text = scan.text
    if start - floor < SHORTEST or not _DIGIT.search(text, floor, start):
        return []
    for label in LABEL.finditer(text, floor, start):
        pins, end = read_pinpoints(text, label.start())
        if pins and end < start and _FIRST.match(text, end) and _GAP.fullmatch(text, end, start):
            return pins
    return []
