"""The words of a statute citation in four languages, and the abbreviations that belong to other countries."""

import re

SUFFIX = r"(?:bis|ter|quater|quinquies|sexies|septies|octies|novies|decies|undecies|duodecies)"
NUMBER = (
    rf"\d{{1,4}}(?:{SUFFIX}(?![A-Za-zäöü])|[a-h]?\s{SUFFIX}(?![A-Za-zäöü])(?!\s*+\d|\s++(?:Art|und\s++mit|zu)\b)|(?!ff|ss|seg|[fs]\.)(?:[a-z]{SUFFIX}|[a-z]{{1,2}})"
    r"(?![A-Za-zäöüéèà])|[A-Z](?=\s++(?:al\.|lett?\.|Abs\.|lit\.|cpv\.|ch\.|par|letter|[A-Z]{2}))|\s(?=[a-df-n]\s++(?:Abs\.|al\.|cpv\.))[a-df-n])?"
)
_GAP = r"\s*+"
ABS = r"(?:Abs(?:\.|atz(?:es)?|ätzen?)?|[Aa]l\.|[Aa]linéas?|cpv\.?|capovers[oi]|[Pp]ar(?:a|as)?\.|paragraphs?|paragraphes?|paragrafi|§{1,2})"
PAR = ("par", "para", "§", "§§", "paragraphe", "paragraphes")
LIT = r"(?:lit(?:t?\.|era)?|Lit\.|[Bb]st\.|[Bb]uchst(?:\.|aben?)|let(?:t?\.|tres?)|letter[ea]s?|letters?)"
ZIFF = r"(?:Ziff(?:\.|ern?)|[Cc]h\.|chiffres?|cifr[ae]|Nrn?\.|nn?\.|n[o°]s?\.?(?=\s*+\d)|num(?:eri|ero|ber|éros?|\.)|ciff\.|points?(?=\s++\(?\d))"
SATZ = r"(?:(?:Halb)?[Ss]atz|HS|phr(?:\.|ases?)|fras[ei]|sentences?|per(?:\.|iod[oi]))"
ORDINALS = {
    "1": r"1(?:re|ère|er|a|°|\.)|premi(?:ère|er)|prim[ao]|erste[rn]?|first",
    "2": r"2(?:e|ème|de|nde|a|°|\.)|(?:deux|second)(?:ième|e|o|a)?|erste[rn]? Halbsatz(?!.)|zweite[rn]?|second",
    "3": r"3(?:e|ème|a|°|\.)|troisième|terz[ao]|dritte[rn]?|third",
    "4": r"4(?:e|ème|a|°|\.)|quatrième|quart[ao]|vierte[rn]?|fourth",
    "5": r"5(?:e|ème|a|°|\.)|cinquième|quint[ao]|fünfte[rn]?|fifth",
}
ORDINAL = "|".join(f"(?P<o{n}>{pattern})" for n, pattern in ORDINALS.items())
ORDINAL_ANY = "(?:" + "|".join(ORDINALS.values()) + "|letzte[rn]?|dernière|ultim[ao])"
LINK = (
    r"(?:i\.\s?V\.\s?m\.|iVm\b|in\s++Verbindung\s++mit|en\s++(?:lien|relation|liaison|corrélation|combinaison)\s++avec"
    r"|combinée?s?\s++(?:avec|à|aux?)|lue?s?\s++en\s++(?:lien|relation|combinaison)\s++avec"
    r"|in\s++(?:relazione|combinazione|combinato\s++disposto|correlazione|unione|congiunzione)\s++con|in\s++conjunction\s++with|cum\b|i\.r\.c\.)"
)
JOIN = (
    r"(?:,\s*+(?:insbesondere|insb\.|namentlich|notamment|en\s++particulier|in\s++particolare|segnatamente|und|sowie|et|ainsi\s++que|ou|e|ed|nonché|and|or|oder|resp\.|bzw\.|i\.V\.m\.)?(?=\s)|,|;"
    r"|(?:und|u\.|et|ed?|and|sowie|wie\s++auch|ainsi\s++que|nonché|oder|od\.|ou|o|or|resp\.|respektive|respectivement|rispettivamente|bzw\."
    r"|beziehungsweise|&|\+)(?=\s|\d)|/(?=\s?\d))"
)
ART = r"(?:a|alt\s++)?(?:[Aa]rt(?:t|s)?\.|ART\.|[Aa]rtikeln?s?|[Aa]rticles?|[Aa]rticol[oi])\s*+"
OF = r"(?:der|des|dem|vom|von|du|de\s++la|de\s++l['’]|de|del|della|delle|dello|dell['’]|dei|of\s++the|of)(?:\s++|(?<=['’]))"
STATUTE_WORD = re.compile(
    r"(?i:gesetz|verordnung|verfassung|konvention|übereinkommen|abkommen|reglement|prozess|ordnung|beschluss|konkordat|dekret|recht\b|pakt"
    r"|\bloi|ordonnance|\bcode\b|convention|règlement|constitution|arrêté|accord|concordat|statut|décret|tarif|pacte"
    r"|legge|ordinanza|codice|convenzione|regolamento|costituzione|decreto|accordo|\bact\b|ordinance|treaty)"
)
FOREIGN = frozenset(
    "BGB HGB GmbHG AktG InsO GG ABGB UGB öStPO dStGB dStPO dZPO VwGO BetrVG KSchG SGB"  # noqa: SIM905
    " EStG UStG AO BDSG TMG TDDDG WpHG KWG GWB BImSchG BNatSchG StVO FamFG ArbGG SGG VwVfG BauGB MarkenG UrhG EnWG UmwG KStG GewStG ASVG AußStrG dBGB dHGB öABGB EGBGB ZVG BVerfGG AMLD UCC FRCP USC U.S.C CPI-FR EG".split()
)
"""Codes of Germany, Austria, France, Italy and the United States, which are not read; those of the European Union are."""
FOREIGN_AFTER = re.compile(
    r"[\s,(]{1,3}(?:fran[cç]ais|fr\.|italien|italian[oa]|allemand|deutsche[nrs]?|tedesc[oa]|autrichien|österreichische|France\b|Frankreich|Francia\b|Deutschland|Germany|Allemagne|Germania|Itali[ae]n?\b|Italy|Österreich|Autriche|Austria|Liechtenstein|frances[ei]|espagnol|belge|de\s++l['’]UE"
    r"|German|French|Italian|Austrian|US\b)"
)
FOREIGN_BEFORE = re.compile(
    r"(?:deutschen|österreichischen|französischen|italienischen|liechtensteinischen|German|French|Italian|Austrian)\s"
)
NOT_CODES = frozenset(
    "VO BGE ATF DTF BVGE ATAF DTAF TPF SR RS AS RO RU BBl FF EU UE CE CEE EWG EEC EWR EEE SEE UNO ONU USA CHF EUR USD AG SA GmbH NR SP II III IV VI VII VIII IX XI"  # noqa: SIM905
    " XII BSK BK ZK CR KUKO SHK OFK OK PC CHK TF BGer BVGer TAF BStGer OGer KGer VGer EGMR EuGH CJUE EDA EJPD DFJP SEM SJ JdT FINMA IV"
    " AHV SUVA AGB AVB CGA GAV CCT ZH BE LU UR SZ OW NW GL ZG FR SO BS BL SH AR AI SG GR AG TG TI VD VS NE GE JU PDF MM PP HS TVA MWST IVA".split()
)
OF_THE_CONFEDERATION = frozenset(
    [
        "OR",
        "ZGB",
        "StGB",
        "StPO",
        "ZPO",
        "BV",
        "BGG",
        "SchKG",
        "CC",
        "CO",
        "CP",
        "CPC",
        "CPP",
        "LTF",
        "LP",
        "LEF",
        "EMRK",
        "CEDH",
        "CEDU",
    ]
)
"""Acts that no canton has besides the Confederation: a canton a blank behind them is another matter."""
CANTONS = frozenset("ZH BE LU UR SZ OW NW GL ZG FR SO BS BL SH AR AI SG GR AG TG TI VD VS NE GE JU".split())  # noqa: SIM905
