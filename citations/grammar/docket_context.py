"""Is a number a docket? What stands in front may say that it is a room, an invoice or a model; and a docket of the Federal
Supreme Court names one of its chambers.
"""

import re

from citations.courts.leads import JUDGMENT
from citations.grammar.scan import Scan
from citations.pinpoints import read_pinpoints

_GERMAN = (
    "raum räume räumen zimmer zimmern saal säle büro büros halle stock etage gebäude rechnung rechnungen offerte offerten angebot bestellung"
    " bestellungen auftrag aufträge lieferschein vertrag vertrags vertrages police ticket ordner ordners mappe schrank regal platz parzelle"
    " artikel modell typ typs version serie konto formular code marke projekt projekts inventar gerät motor maschine fahrzeug kennzeichen los charge"
    " postfach gate tor lager muster teil norm plan beilage protokoll quittung mahnung gutschrift buchung reservation schein antrag referenz ref"
    " box haus wohnung kunde kunden kundin mieter mieterin gegenstand objekt position material bauteil schlüssel schliessfach spind"
    " abo abonnement karte ausweis baugesuch anmeldung patentanmeldung gutachten bericht memo notiz sitzung kurs modul klasse"
)
_FRENCH = (
    "salle bureau local facture offre commande contrat police classeur billet parcelle article modèle version compte formulaire projet bâtiment réf"
    " réf. référence pièce plan ticket quittance lot série véhicule bulletin livraison dépôt casier armoire clé client cliente appartement étage"
    " machine appareil moteur marque code carte abonnement rapport procès-verbal annexe porte"
)
_ITALIAN = (
    "sala ufficio locale stanza aula fattura offerta ordine contratto polizza particella articolo modello versione conto modulo progetto edificio rif"
    " riferimento lotto veicolo bolletta armadio chiave cliente appartamento piano macchina apparecchio motore marca codice tessera"
    " rapporto verbale allegato porta"
)
_ENGLISH = (
    "room hall office suite invoice offer quote quotation contract policy binder folder locker model version account form project building"
    " reference item part serial batch vehicle ticket plot gate bill receipt code brand customer client apartment floor machine device engine card"
    " report minutes annex exhibit door po shipment parcel license licence patent"
)
_THINGS = frozenset(f"{_GERMAN} {_FRENCH} {_ITALIAN} {_ENGLISH}".split())
_ENDINGS = tuple(thing for thing in _GERMAN.split() if len(thing) > 5 or thing in ("raum", "saal"))
"""With these German compounds end: ``Sitzungsraum``. ``Urteil`` is no ``Teil``."""
_NUMBERS = frozenset("nr nrn no nos nummer nummern n° nº n numéro numero number numbers num id #".split())  # noqa: SIM905
_AND = re.compile(r"\s*+(?:,|;|und|et|e|ed|and|sowie|oder|ou|or|bis|-|–|/|&)\s*+")
_OLD = re.compile(r"1[APSI]|2[API]|4[CPI]|5[CPI]|6[APSI]")
_PRESENT = re.compile(r"1[B-G]|2[B-G]|4[ADEFG]|5[ADEFG]|6[BDEFG]|8[C-G]|9[C-G]|1[1-6][TXY]")
_SEVENTH = re.compile(r"7[BDEFG]")
_BEFORE_2007 = re.compile(r"[124-8][A-HPSTXYZNI]")
_NEW_SEVENTH = 2022
"""The second criminal division works since 2023 and took over what had come in the year before. The chamber for debt collection had its
number until 2007; in between nobody had it."""
_LAST_OLD = 2007
"""Until then cases were still entered in the old registers."""


def is_of_something_else(scan: Scan, start: int, end: int) -> bool:
    """``Raum A-123/2020``, ``facture n° A-77/2020 et A-78/2020``."""
    listed = scan.other >= 0 and start - scan.other < 12 and _AND.fullmatch(scan.text, scan.other, start)
    if not listed and not _is_a_thing(scan.before(start, 40)):
        return False
    scan.other = end
    return True


def is_introduced(scan: Scan, start: int, end: int) -> bool:
    """``A-199/2018`` is written by many: a court, a consideration, a small word or a sign must stand beside it."""
    before = scan.text[max(0, start - 90) : start]
    if _COURT.search(before) or read_pinpoints(scan.text, end)[0] or _COURT.search(scan.text, end, end + 60):
        return True
    named = _WORD_BEFORE.search(before)
    if not named:
        return True
    word = named[1].lower()
    if word in SMALL_WORDS or word.endswith(_PROCEEDINGS) or len(named[0]) == len(before):
        return True
    scan.other = end
    return False


_COURT = re.compile(
    r"(?i:bundesverwaltungsgericht|bvger|\bTAF\b|bvge\b|tribunal administratif|tribunale amministrativo|administrative court|[A-F][-‑]\d{1,5}/(?:19|20)\d\d\s?,)"
    r"|" + JUDGMENT.pattern
)
_WORD_BEFORE = re.compile(r"([^\W\d_]+)\.?(?:\s(?:Nrn?\.?|n[°ºo]s?\.?|no\.|numéro|numero))?\s$")
_PROCEEDINGS = tuple(
    "urteil urteils entscheid entscheids beschluss verfügung verfahren gericht gerichts sache akte akten geschäft dossier dossiers"  # noqa: SIM905 - a table
    " affaire cause causa procédure procedura incarto case proceedings rechtsprechung".split()
)
SMALL_WORDS = frozenset(  # that may stand in front of a docket
    "vgl siehe s auch ferner sowie und oder in im aus nach gemäss laut zu zum zur von vom der die das des dem den bei mit etwa so anders"  # noqa: SIM905 - a table
    " cf voir v aussi et ou dans selon d du de la le les à par notamment vedi cfr anche e ed o nel nella del della secondo il per see also and"
    " or the under of from by both eg ebenso zuletzt insb insbesondere jüngst bereits contra dagegen dazu statt nr no n".split()
)


def _is_a_thing(before: str) -> bool:
    """Does the last word, or the one that a word for "number" stands behind, name something that has numbers?"""
    named = [word.strip('.:,„«"“()') for word in before.lower().split()[-3:]]
    while len(named) > 1 and (not named[-1] or named[-1] in _NUMBERS):
        named.pop()
    word = named[-1] if named else ""
    for number in ("-nr", "snr", "nr", "snummer", "nummer"):
        word = word.removesuffix(number)
    return word in _THINGS or word.endswith(_ENDINGS)


def chamber(prefix: str, year: int) -> str | None:
    """The sign behind the chamber, ``_`` since 2007 and ``.`` in the old registers; None when no court has the chamber."""
    if year < _LAST_OLD:
        return "." if _BEFORE_2007.fullmatch(prefix) else None
    if year == _LAST_OLD and (_OLD.fullmatch(prefix) or prefix == "7B"):
        return "."
    if _SEVENTH.fullmatch(prefix):
        return "_" if year >= _NEW_SEVENTH else None
    return "_" if _PRESENT.fullmatch(prefix) else None


def is_said_to_be_a_decision(scan: Scan, start: int) -> bool:
    """``Urteil``, ``arrêt``, ``BGer`` in front."""
    before = scan.text[max(0, start - 40) : start]
    return bool(JUDGMENT.search(before) or _SUPREME.search(before))


_SUPREME = re.compile(
    r"Bundesgericht|BGer\b|Tribunal fédéral|Tribunale federale|\bTF\b|Supreme Court|[Jj]udge?ments?\b"
)
