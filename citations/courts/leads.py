"""The words in front of a cantonal docket that name its court and its canton, in German, French and Italian."""

import re
from typing import NamedTuple

CANTON_NAMES: dict[str, str] = {
    "ZH": "Zürich|Zurich|Zurigo|Zürcher|zürcherischen?|zurichois",
    "BE": "Bern-Mittelland|Bern|Berne|Berna|Berner|bernischen?|bernois",
    "LU": "Luzern|Lucerne|Lucerna|Luzerner|luzernischen?|lucernois",
    "UR": "Uri|Urner",
    "SZ": "Schwyz|Schwytz|Svitto|Schwyzer",
    "OW": "Obwalden|Obwald|Obvaldo|Obwaldner",
    "NW": "Nidwalden|Nidwald|Nidvaldo|Nidwaldner",
    "GL": "Glarus|Glaris|Glarona|Glarner",
    "ZG": "Zug|Zoug|Zugo|Zuger",
    "FR": "Freiburg|Fribourg|Friburgo|Freiburger|fribourgeoise?",
    "SO": "Solothurn|Soleure|Soletta|Solothurner",
    "BS": "Basel-Stadt|Bâle-Ville|Basilea Città|Basilea-Città|Basler",
    "BL": "Basel-Landschaft|Baselland|Bâle-Campagne|Basilea Campagna|Basilea-Campagna|Baselbieter",
    "SH": "Schaffhausen|Schaffhouse|Sciaffusa|Schaffhauser",
    "AR": "Appenzell Ausserrhoden|Appenzell A\\.Rh\\.|Appenzell Rhodes-Extérieures|Appenzello Esterno|Ausserrhoder",
    "AI": "Appenzell Innerrhoden|Appenzell I\\.Rh\\.|Appenzell Rhodes-Intérieures|Appenzello Interno|Innerrhoder",
    "SG": "St\\.\\s?Gallen|Sankt Gallen|Saint-Gall|San Gallo|St\\.\\s?Galler",
    "GR": "Graubünden|Grisons|Grigioni|Grischun|Bündner",
    "AG": "Aargau|Argovie|Argovia|Aargauer|argovien",
    "TG": "Thurgau|Thurgovie|Turgovia|Thurgauer",
    "TI": "Tessin|Ticino|Tessiner|ticinese|tessinoise?",
    "VD": "Waadt|Vaud|vaudoise?|Waadtländer",
    "VS": "Wallis|Valais|Vallese|Walliser|valaisan(?:ne)?",
    "NE": "Neuenburg|Neuchâtel|neuchâteloise?|Neuenburger",
    "GE": "Genf|Genève|Ginevra|Genfer|genevoise?",
    "JU": "Jura|Giura|jurassien(?:ne)?",
}
COURT_WORDS: tuple[tuple[str, str], ...] = (
    ("OGer", r"Obergerichts?|OGer|OG"),
    ("SVGer", r"Sozialversicherungsgerichts?|SozVersGer|SVGer|SVG(?:er)?"),
    ("VersGer", r"Versicherungsgerichts?|VersGer|VGE-SV"),
    ("VGer", r"Verwaltungsgerichts?|VGer|VGr|VerwGer|VG|VGE"),
    ("KGer", r"Kantonsgerichts?|KGer|KGE|KGVS|KG"),
    ("AppGer", r"Appellationsgerichts?|AppGer|AGE"),
    ("HGer", r"Handelsgerichts?|HGer"),
    ("BezGer", r"Bezirksgerichts?|BezGer|BGZ|Regionalgerichts?|RegGer"),
    ("StRG", r"Steuerrekursgerichts?|StRG"),
    ("BRGer", r"Baurekursgerichts?|BRGer|BRG"),
    ("StrGer", r"Strafgerichts?|StrGer"),
    ("ZivGer", r"Zivilgerichts?|ZivGer"),
    ("CJ", r"Cour de justice|CJ"),
    ("CDAP", r"CDAP|Cour de droit administratif et public"),
    ("TC", r"Tribunal cantonal|TC|ATC"),
    ("TA", r"Tribunal administratif|TA"),
    ("TPI", r"Tribunal de première instance|TPI"),
    ("CEF", r"Camera di esecuzione e fallimenti|CEF"),
    ("TCA", r"Tribunale cantonale delle assicurazioni|S?TCA"),
    ("TRAM", r"Tribunale cantonale amministrativo|S?TRAM"),
    ("I CCA", r"I CCA|prima Camera civile"),
    ("II CCA", r"II CCA|seconda Camera civile"),
    ("III CCA", r"III CCA"),
    ("CARP", r"CARP"),
    ("CRP", r"CRP"),
    ("CDT", r"CDT|Camera di diritto tributario"),
    ("TA", r"Tribunale d['’]appello"),
)
_ANY_COURT = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(rf"(?P<c{i}>{words})" for i, (_, words) in enumerate(COURT_WORDS))
    + r")(?!\w)"
)
_ANY_CANTON = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(rf"(?P<{code}>{names}|{code})" for code, names in CANTON_NAMES.items())
    + r")(?![\w-])"
)
JUDGMENT = re.compile(
    r"(?:Urteile?n?s?|Entscheide?n?s?|Beschl(?:uss|üsse)n?(?:es)?|Verfügung|arrêts?|Arrêts?|décisions?|ordonnance|jugement|sentenz[ae]|Sentenz[ae]"
    r"|decision[ei]|Verfahren|cause|causa)\b|\binc\."
)
_BREAK = re.compile(r";|\.\s+(?=[A-ZÄÖÜ][a-zäöü]{3,})(?!\w{0,20}(?:[kK]ammer|[aA]bteilung)\b)|\n\s*\n")
WINDOW = 110


class Lead(NamedTuple):
    """What the words in front of a docket say; ``start`` is where they begin."""

    court: str = ""
    canton: str = ""
    start: int = -1

    def __bool__(self) -> bool:
        return bool(self.court or self.canton)


def read_lead(before: str, offset: int) -> Lead:
    """The last court and the last canton in ``before``, the text in front of a docket that begins at ``offset`` + its length."""
    cut = 0
    for stop in _BREAK.finditer(before):
        if not before[: stop.end()].rstrip().endswith(("St.", "A.Rh.")):
            cut = stop.end()
    window = before[cut:]
    court = _last(_ANY_COURT, window)
    canton = _last(_ANY_CANTON, window)
    starts = [found.start() for found in (court, canton) if found]
    if not starts:
        return Lead()
    name = COURT_WORDS[int((court.lastgroup or "c0")[1:])][0] if court else ""
    begin = min(starts)
    judgment = _last(JUDGMENT, window[:begin])
    if judgment and begin - judgment.end() < 12:
        begin = judgment.start()
    return Lead(name, (canton.lastgroup or "") if canton else "", offset + cut + begin)


def _last(pattern: re.Pattern[str], window: str) -> re.Match[str] | None:
    found = None
    for found in pattern.finditer(window):  # noqa: B007 - the last one counts
        pass
    return found
