"""Legal forms as they stand in company names.

Spellings of one line mean the same form, so that "Aktiengesellschaft" agrees with "AG" and disagrees with "GmbH".
Facts from the names in use; accents and dots are taken away before comparing, so each spelling stands here once.
"""

# form: spellings, separated by commas
_TABLE = """
ag: ag, aktiengesellschaft
gmbh: gmbh, mbh, gesellschaft mit beschränkter haftung, ges mbh, gesmbh, gesellschaft mbh
ug: ug, unternehmergesellschaft, ug haftungsbeschränkt, unternehmergesellschaft haftungsbeschränkt
kg: kg, kommanditgesellschaft
kgaa: kgaa, kommanditgesellschaft auf aktien
ohg: ohg, offene handelsgesellschaft
gbr: gbr
ev: ev, eingetragener verein
eg: eg, eingetragene genossenschaft
ek: ek, eingetragener kaufmann, eingetragene kauffrau
se: se, societas europaea
sce: sce, societas cooperativa europaea
eeig: eeig, european economic interest grouping, ewiv, europäische wirtschaftliche interessenvereinigung
co: co, company
ltd: ltd, limited, private limited company, ltée, limitée
ltd by guarantee: company limited by guarantee, limited by guarantee
dac: dac, designated activity company, designated activity co
unlimited: unltd, unlimited company
pvt ltd: pvt ltd, private limited, pvt limited
pty ltd: pty ltd, pty limited, proprietary limited
pte ltd: pte ltd, pte limited
plc: plc, public limited company, public company limited, public company limited by shares
llp: llp, limited liability partnership, rllp, registered limited liability partnership
lllp: lllp, limited liability limited partnership
llc: llc, limited liability company, lc
pllc: pllc, professional limited liability company
lp: lp, limited partnership
inc: inc, incorporated
corp: corp, corporation
professional corporation: professional corporation
na: national association
sa: sa, société anonyme, sociedad anónima, sociedade anónima, sociedade anônima, società anonima
sas: sas, sasu, société par actions simplifiée, société par actions simplifiée unipersonnelle
sarl: sarl, sàrl, société à responsabilité limitée, ste à responsabilité limitée
sca: sca, société en commandite par actions
scs: scs, société en commandite simple
scsp: scsp, société en commandite spéciale
senc: senc, senc rl, sencrl, société en nom collectif à responsabilité limitée
snc: snc, société en nom collectif, società in nome collettivo
sci: sci, société civile immobilière
sc: société civile
gie: gie, groupement d'intérêt économique
sicav: sicav, société d'investissement à capital variable
sicaf: sicaf
sif: sif
raif: raif
fcp: fcp, fonds commun de placement
fcpi: fcpi
fcpr: fcpr
spa: spa, società per azioni
srls: srls, società a responsabilità limitata semplificata
srl: srl, società a responsabilità limitata, societate cu răspundere limitată, sociedad de responsabilidad limitada
sagl: sagl, società a garanzia limitata
sapa: sapa, società in accomandita per azioni
sgr: sgr, società di gestione del risparmio
scarl: scarl, scpa
cooperativa: società cooperativa, società cooperativa sociale, soc coop, società cooperativa per azioni
bv: bv, besloten vennootschap, besloten vennootschap met beperkte aansprakelijkheid
bvba: bvba, sprl
nv: nv, naamloze vennootschap
vof: vof, vennootschap onder firma
cv: cv, commanditaire vennootschap
coop: coöperatie, coöperatief, coop ua, coöperatie ua
sl: sl, slu, sociedad limitada, sociedad limitada unipersonal
sau: sau, sociedad anónima unipersonal
sgiic: sgiic
sa de cv: sa de cv, sociedad anónima de capital variable
sab de cv: sab de cv
s de rl de cv: s de rl de cv, srl de cv
lda: lda, ltda, limitada
sgps: sgps
eireli: eireli
ab: ab, aktiebolag, aktiebolaget
abp: abp, publ, publikt aktiebolag
hb: handelsbolag
as: as, aksjeselskap, aktieselskab, anonim şirketi
asa: asa, allmennaksjeselskap
aps: aps, anpartsselskab
ks: ks, kommanditselskab
ans: ans, ansvarlig selskap
ivs: ivs
oy: oy, osakeyhtiö
oyj: oyj, julkinen osakeyhtiö
hf: hf, ehf, hlutafélag
ou: oü, osaühing
aktsiaselts: aktsiaselts
uab: uab, uždaroji akcinė bendrovė
sia: sia, sabiedrība ar ierobežotu atbildību
sp zoo: sp zoo, sp z oo, spzoo, spółka z ograniczoną odpowiedzialnością, spółka z oo, spółka zoo
sp k: spk, sp k, spółka komandytowa
spolka akcyjna: spółka akcyjna
sro: sro, spol sro, společnost s ručením omezeným, spoločnosť s ručením obmedzeným
akciova: akciová společnost, akciová spoločnosť
jsa: jsa, jednoduchá spoločnosť na akcie
kft: kft, korlátolt felelősségű társaság
zrt: zrt, zártkörűen működő részvénytársaság
nyrt: nyrt, nyilvánosan működő részvénytársaság
kd: komanditno društvo, komanditna družba
doo: doo, družba z omejeno odgovornostjo, društvo s ograničenom odgovornošću, društvo sa ograničenom odgovornošću
dd: dd, delniška družba, dioničko društvo
ad: ad, akcionarsko društvo, ead
ood: ood, eood
sae: sae
ae: ae
epe: epe
ike: ike
ooo: ooo, obshchestvo s ogranichennoy otvetstvennostyu, общество с ограниченной ответственностью
pao: pao, oao, zao, ao, jsc, pjsc, joint stock company, публичное акционерное общество, акционерное общество
tov: tov, товариство з обмеженою відповідальністю
limited sirketi: limited şirketi, ltd şti
kk: kk, kabushiki kaisha, kabushiki gaisha, 株式会社
yk: yk, yugen kaisha, yugen gaisha, 有限会社
co ltd: 股份有限公司, 股份公司, 有限公司, 有限责任公司, 有限責任公司
jusik hoesa: jusik hoesa, 주식회사
yuhan hoesa: yuhan hoesa, 유한회사
บริษัท: บริษัท, จำกัด, จํากัด, จำกัด มหาชน, public company ltd
gk: gk, godo kaisha
tbk: tbk
pt: pt
np: np, národní podnik
bhd: bhd, berhad, sdn bhd
stiftung: stiftung
stichting: stichting
fondation: fondation
anstalt: anstalt, est, establishment
"""

# Forms that stand before the name. Few: at the front "AS" or "SE" is mostly part of the name itself.
_LEADING = """
ag sa ab oy uab sia ooo pao stiftung stichting fondation fcp sicav sci sarl sas scsp gie bv nv spa srl doo tov ao pt
"""

# The same in full: only so long can they be nothing else.
LEADING_IN_FULL = (
    "общество с ограниченной ответственностью",
    "публичное акционерное общество",
    "акционерное общество",
    "товариство з обмеженою відповідальністю",
    "društvo sa ograničenom odgovornošću",
    "društvo s ograničenom odgovornošću",
    "uždaroji akcinė bendrovė",
)

# Short forms of other scripts and the Latin ones that they stand for.
NATIVE = {
    "(株)": "kk",
    "(有)": "yk",
    "(주)": "jusik hoesa",
    "(유)": "yuhan hoesa",
    "ՍՊԸ".casefold(): "llc",
    "შპს": "llc",
}
NATIVE |= {'בע"מ': "ltd", "בע״מ": "ltd", "ش.م.م": "llc"}

# Forms that are written or translated alike: "S.A." is a spółka akcyjna too, and a ООО calls itself LLC in English.
ABROAD = (
    frozenset(("sa", "spolka akcyjna")),
    frozenset(("as", "akciova")),
    frozenset(("sa", "ae")),
    frozenset(("llc", "ltd", "ooo")),
    frozenset(("llc", "ltd", "tov")),
    frozenset(("llc", "ltd", "ood")),
    frozenset(("ltd", "co", "co ltd", "kk")),
    frozenset(("ltd", "co", "co ltd", "yk")),
    frozenset(("ltd", "co", "co ltd", "jusik hoesa")),
    frozenset(("ltd", "co", "co ltd", "yuhan hoesa")),
    frozenset(("ltd", "co", "บริษัท")),
)

# Words that are as alike as if one were misspelled, and mean another place.
NO_SLIPS = (
    *(("northern", "southern"), ("eastern", "western"), ("austria", "australia"), ("austrian", "australian")),
    *(("ireland", "iceland"), ("slovakia", "slovenia"), ("iran", "iraq"), ("international", "national")),
    *(("inbound", "outbound"), ("gambia", "zambia")),
)

# What registers add to the name of a company that is being wound up.
WINDING_UP = (
    *(
        "in Liquidation",
        "in Liq.",
        "in Abwicklung",
        "in Nachlassliquidation",
        "in Konkurs",
        "under liquidation",
    ),
    *(
        "en liquidation",
        "in liquidazione",
        "en liquidación",
        "em liquidação",
        "in liquidatie",
        "in vereffening",
    ),
    *(
        "i likvidation",
        "under likvidation",
        "under avvikling",
        "under konkurs",
        "i konkurs",
        "selvitystilassa",
    ),
    *(
        "w likwidacji",
        "w upadłości",
        "v likvidaci",
        "v likvidácii",
        "u likvidaciji",
        "v likvidaciji",
        "v stečaji",
    ),
    *("u stečaju", "felszámolás alatt", "végelszámolás alatt", "likvideerimisel", "в ликвидации"),
    "υπό εκκαθάριση",
)
# Only behind a legal form: elsewhere it may be part of the name, as of an "Institute of Excellence in Administration".
WINDING_UP_BEHIND_FORM = ("i.L.", "i. Liq.", "in administration", "in receivership")

# Endings of one word with what the company does: "Versicherungsaktiengesellschaft".
GLUED = (
    "aktiengesellschaft",
    "aktiebolag",
    "aktiebolaget",
    "aktieselskab",
    "株式会社",
    "有限会社",
    "股份有限公司",
    "有限责任公司",
    "有限責任公司",
    "股份公司",
    "有限公司",
    "주식회사",
    "유한회사",
)
# The same at the front, where no blank divides it from the name.
GLUED_BEFORE = ("株式会社", "有限会社", "주식회사", "บริษัท")
TABLE: dict[str, tuple[str, ...]] = {
    form: tuple(spelling.strip() for spelling in spellings.split(","))
    for form, _, spellings in (line.partition(":") for line in _TABLE.strip().splitlines())
}
LEADING = (*_LEADING.split(), *GLUED_BEFORE)
# Words that a group of companies shares, and that people leave out or add.
GENERIC = frozenset(
    ("group", "groupe", "gruppe", "gruppo", "grupo", "groep", "holding", "holdings", "the", "co", "company")
)
