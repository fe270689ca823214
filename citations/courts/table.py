"""Which cantonal court writes which docket: canton, court, form, prefixes; a fact table read once.

Forms: ``dot`` PREFIX.2020.7, ``dot4`` PREFIX.2020.0007, ``dot5`` PREFIX.2020.00007, ``zh`` LB230045, ``sp2``
PREFIX 20 7, ``sp4`` PREFIX 2020 7, ``slash`` PREFIX 2020/7, ``slash2`` PREFIX 20/007, ``ge`` ATA/7/2020,
``ju`` CC 7/2020, ``sh`` 60/2020/7. A ``!`` in front of the form says that the docket counts only with a word
of the court or its canton in front of it.
"""

from functools import lru_cache
from typing import NamedTuple

_TABLE = """
ZH VGer dot5 VB SB SR PB AN VK VW RG EG
ZH SVGer dot5 IV UV AB EL AL KV BV AH ZL EO UE KK OH VV BV SU
ZH StRG dot ST DB GR QS WE
ZH OGer zh LA LB LC LD LE LF LY LZ NB NC ND NE NF NG NH NL NP NQ NR NX PA PB PC PD PE PF PG PN PP PQ PS RA RB RC RD RE RG RH RT RU RV RZ SB SE SF SR SU SW UA UB UE UF UG UH UK UR US VB VG VR VO VU KD
ZH HGer zh HG HE HP HA
ZH BezGer zh CG CB CP CE CV CU FE FV FP FB FF FO FK FA FS GG GC GB GA DG DB DC DA DH ER ES ET EB EQ EE EK EM EN EO EU EV EZ AN AF AG AH AA AB AD MB MD MF MG MJ MM KP BG BN BV BO BE BM BF
BE OGer sp2 ZK SK BK ABS KES AK
BE OGer sp4 ZK SK BK ABS KES AK
BE HGer sp2 HG
BE VGer !sp4 100 200
BE VGer dot 100 200
GE CJ ge ATA ATAS ACJC ACPR AARP DCSO DAS CAPH ACST AIDSO ACC DAAJ OCPR ACAPH AJC PS PC PM PP A C P
GE TAPI ge JTAPI DITAI
GE TPI ge JTPI OTPI JTBL
GE TP ge JTDP JTCO
BS AppGer dot BES SB BEZ VD ZB HB AUS DGS DGV KE
BS SVGer dot UV IV AH KV BV EL AL ZV SV
VD CDAP dot4 AC GE PE PS FI CR BO MPU EF DIV FO IP LA RE VG
TI I§CCA dot 11
TI II§CCA dot 12 10
TI III§CCA dot 13
TI CEF dot 14 15
TI CCC dot 16
TI CARP dot 17
TI CRP dot 60
TI CDP dot 9
TI TRAM dot 52 50
TI TPC dot 72 71
TI TCA dot 30 31 32 33 34 35 36 37 38 39 41 42
TI CDT dot 80
AG HGer dot HOR HSU HBE
AG OGer dot ZVE ZOR ZSU ZBE ZSO SST SBK SBE XBE KBE KBV ZGE
AG VGer dot WBE WPR WKL WNR
AG SVGer dot VBE VKL VSI VRS
SG KGer dot BO FO FS RF KES BF FE
SG HGer dot HG HO
SG AK dot AK
SG VersGer slash UV IV EL BV AHV KV ALV FZ EO
SG VGer !slash B K
FR TC !sp4 101 102 103 104 105 106 501 502 503 601 602 603 604 605 606 607 608
GR KGer sp2 ZK1 ZK2 SK1 SK2 KSK ERZ SBK
GR OGer sp2 ZR1 ZR2 SR1 SR2 VR1 VR2 VR3
GR VGer !sp2 U S V R A
SO OGer dot STBER ZKBER BKBES ZKBES SCBES ZKEIV BKAUS STREV ZKREV
SO VGer dot VWBES VWKLA
SO VersGer dot VSBES VSKLA
SO StGer dot SGSTA SGNEB
VS TC !sp2 C1 C2 C3 P1 P2 P3 A1 A2 A3 S1 S2 S3
NE TC dot CACIV CPEN CDP CMPEA ARMC ARMP CCIV CPP CASSO CCC
JU TC ju CC ADM CP CPR CPP AS CA
LU KGer sp2 1A 1B 1C 1E 1F 1H 2A 2C 2K 2M 2N 3A 3B 3C 3H 4M 4O 4P 5V 5Q 7H 7U 7W 7R
ZG OGer sp4 Z1 Z2 Z3 S1 S2 BZ BA BS GV VA
ZG VGer !sp4 V S A F
SZ KGer sp4 BEK ZK1 ZK2 STK GPR KG RK1 RK2 SRK
SZ VGer !sp4 I II III
TG OGer dot ZBR ZBO ZBS SBR SBO SBS SW BR BS KES
TG VGer dot VG VV
SH OGer sh 10 40 50 51 60 61 62 63 64 66 93 95
AR OGer sp2 O1Z O2Z O1S O2S O1V O2V O3V O4V ERV ERZ ERS
AI KGer !ai K KE KV V KZ
GL OGer dot5 OG OS OZ
GL VGer dot5 VG
UR OGer sp2 OG§Z OG§V OG§S OG§BI
OW OGer slash2 ZG BZ AB SK AS
OW OGer sp2 SK
OW VGer !slash2 B V
NW OGer sp2 ZA SA BAS VA BAZ
BL KGer !sp2 400 410 420 430 460 470 490 810 720 725 715 710 730
"""


class Court(NamedTuple):
    """Who writes a docket: ``needs_lead`` when the docket alone could be anything."""

    canton: str
    name: str
    needs_lead: bool

    @property
    def label(self) -> str:
        """``VGer ZH``, the head of the canonical form."""
        return f"{self.name} {self.canton}"


@lru_cache(maxsize=1)
def table() -> dict[tuple[str, str], tuple[Court, ...]]:
    """Courts by (form, prefix)."""
    found: dict[tuple[str, str], tuple[Court, ...]] = {}
    for line in _TABLE.strip().splitlines():
        canton, name, form, *prefixes = line.split()
        court = Court(canton, name.replace("§", " "), form.startswith("!"))
        for prefix in prefixes:
            key = (form.lstrip("!"), prefix.replace("§", " "))
            if court not in found.get(key, ()):
                found[key] = (*found.get(key, ()), court)
    return found


def courts_of(form: str, prefix: str) -> tuple[Court, ...]:
    """The courts that write dockets of this form with this prefix."""
    return table().get((form, prefix), ())
