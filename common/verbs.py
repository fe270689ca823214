"""German verbs that a sentence takes apart: “nahm um 4 Millionen zu” is “zunahm”, and no “nahm ab”."""

import re

_VERBS = """nahm nahmen nimmt nehmen stieg stiegen steigt steigen ging gingen geht gehen hob hoben hebt heben wies
    wiesen weist weisen lehnte lehnten lehnt lehnen stimmte stimmten stimmt stimmen trat traten tritt treten
    loeste loesten loest schloss schlossen schliesst schliessen sagte sagten sagt reichte reichten reicht
    reichen hiess hiessen heisst heissen liess liessen laesst setzte setzten setzt setzen zog zogen zieht
    ziehen gab gaben gibt geben fiel fielen faellt fallen legte legten legt legen stellte stellten stellt
    stellen baute bauten baut bauen hielt hielten haelt halten sprach sprachen spricht sprechen stand standen
    steht stehen teilte teilten teilt zeigte zeigten zeigt zeigen klaerte klaerten klaert fuehrte fuehrten
    fuehrt brach brachen bricht schrieb schrieben rief riefen machte machten macht meldete fand fanden findet
    holte kaufte wandte wendet rechnete bildete richtete fasste zahlte wich lud luden laedt bot boten bietet
    griff griffen warf warfen trug trugen traegt schob schoben schlug schlugen schlaegt kehrte liefert
    lieferte nutzte band sah sahen erkannte leitete leitet ordnete ordnet kam kamen kommt fuegte fuegt lehrte"""
_PARTS = "statt zu ab auf aus an ein bei gut um vor weg zurueck fest mit nach frei"
_APART = re.compile(
    rf"\b({'|'.join(_VERBS.split())})\b((?:[^.,;:()]|(?<=\d)\.){{0,200}}?)\s({'|'.join(_PARTS.split())})(?=\s*(?:[.,;:)]|$)|\s(?:und|oder)\b)"
)


def whole_verbs(folded: str) -> str:
    """A folded text with such verbs in one word."""
    return _APART.sub(r"\3\1\2", folded)
