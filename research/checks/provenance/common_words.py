"""Capitalised words that name nobody: offices, laws and times in four languages."""

import re

from entities.names.keys import words_of

ABBREVIATED = 4
_COMMON = frozenset(
    word
    for line in """
    the a an its his her their this that these those it he she they we you i in on at by of for from with
    under after
    before since until while when where if as and or but so not no all both each some many most more other
    such only
    also however moreover furthermore according despite although because during between among within
    without about
    over against through per via there here what which who whose why how is are was were has have had does
    did will
    would can could may might must should new old first second third last next current former see note
    der die das den dem des ein eine einer eines einem einen er sie es ihr ihre ihrer ihren ihrem sein
    seine seiner im
    in am an auf aus bei beim bis durch fur gegen mit nach ohne seit uber um unter von vom vor wahrend
    wegen zu zum zur
    zwischen und oder aber auch als wie wenn weil da dass dies diese dieser dieses jede alle beide kein
    keine nicht nur
    noch so hier dort laut gemass insgesamt zudem ferner jedoch dabei damit daher darum demnach somit ebenso
    le la les l un une des du de d au aux il elle ils elles on ce cette ces cet son sa ses leur leurs dans
    en sur sous
    par pour avec sans chez apres avant depuis pendant selon entre vers et ou mais donc or ni car si que
    qui quoi dont
    quand comme ainsi aussi en outre toutefois cependant notamment afin lors aucun aucune tous toutes
    il lo la i gli le un uno una l di a da in con su per tra fra del dello della dei degli delle al allo
    alla ai agli
    alle dal dallo dalla nel nello nella nei nelle sul sullo sulla e o ma anche se che chi cui quando come
    cosi inoltre
    tuttavia secondo dopo prima durante senza non ogni tutti tutte questo questa questi queste suo sua suoi
    loro alla
    january february march april may june july august september october november december monday tuesday
    wednesday
    thursday friday saturday sunday januar februar marz mai juni juli oktober dezember montag dienstag
    mittwoch
    donnerstag freitag samstag sonntag janvier fevrier mars avril juin juillet aout septembre octobre
    novembre decembre
    lundi mardi mercredi jeudi vendredi samedi dimanche gennaio febbraio marzo aprile maggio giugno luglio
    agosto
    settembre ottobre dicembre lunedi martedi mercoledi giovedi venerdi sabato domenica anfang mitte ende
    jan feb mar
    apr jun jul aug sep sept oct okt nov dec dez spring summer autumn winter fall today heute gestern
    court courts supreme federal high appeal appeals district circuit constitutional tribunal commission
    commissions
    council parliament ministry minister ministers department office agency authority authorities board
    bureau bank
    central national international european union europe state states united kingdom nations republic
    confederation
    government public private civil criminal commercial administrative financial market markets supervisory
    supervision
    regulatory regulation regulations regulator directive directives act acts code codes law laws ordinance
    constitution
    treaty convention agreement protocol article articles section chapter paragraph circular guideline
    guidelines rule
    rules case judgment decision register registry registrar companies company house trade business tax
    taxes revenue
    customs securities exchange stock capital insurance banking bankruptcy insolvency debt enforcement
    obligations data
    protection privacy services service digital artificial intelligence competition consumer consumers general
    prosecutor attorney secretary treasury president vice chairman chair chief executive operating officer
    director
    directors managing manager partner partners founder member members committee assembly senate congress
    house lords
    commons city town canton cantons county district region province street road avenue square university
    institute
    school faculty college museum hospital world bank fund funds group holding holdings foundation
    association society
    federation institution organisation organization team network report reports annual quarterly summary
    overview
    conclusion background introduction analysis findings sources key main major risk risks north south east
    west
    northern southern eastern western central upper lower great swiss german french italian austrian
    british english
    american european russian chinese japanese indian spanish dutch belgian luxembourg liechtenstein
    switzerland germany
    france italy austria britain england america usa uk eu us uno oecd internet online email web
    bundesgericht bundesrat bundesverwaltungsgericht bundesstrafgericht bundesamt bundesgesetz
    bundesverfassung
    bundesanwaltschaft obergericht kantonsgericht handelsgericht bezirksgericht landgericht oberlandesgericht
    amtsgericht amtsgerichts gericht gerichts gerichtshof verordnung gesetz gesetzes gesetzbuch
    obligationenrecht zivilgesetzbuch
    strafgesetzbuch richtlinie abkommen vertrag kanton kantons kantone gemeinde stadt land bund staat
    staaten republik
    regierung ministerium amt behorde aufsicht finanzmarktaufsicht eidgenossische eidgenossischen
    eidgenossisches
    schweizerische schweizerischen schweizerisches schweizer deutsche deutschen deutscher deutsches
    osterreichische
    europaische europaischen europaischer europaisches franzosische italienische schweiz deutschland
    osterreich
    frankreich italien europa handelsregister handelsregisters register artikel absatz ziffer prozent
    million millionen
    milliarde milliarden franken euro dollar aktie aktien gesellschaft gesellschaften aktiengesellschaft
    verwaltungsrat
    verwaltungsrates verwaltungsrats vorstand aufsichtsrat geschaftsleitung geschaftsfuhrer
    geschaftsfuhrung prasident
    prasidentin vizeprasident mitglied mitglieder direktor vorsitzender vorsitzende stiftung verein gruppe
    konzern firma
    unternehmen bank kasse versicherung sitz herr frau person personen mitarbeitende mitarbeiter jahr jahre
    monat tag
    quartal geschaftsjahr universitat hochschule institut strasse platz quelle quellen tabelle abbildung
    kapitel
    tribunal cour conseil federal federale federaux office commission autorite autorites loi lois code
    ordonnance
    reglement directive constitution convention accord traite canton commune ville etat etats republique
    confederation
    gouvernement ministere ministre departement registre commerce societe societes union europeenne
    europeen suisse
    suisses france allemagne italie autriche francais francaise banque nationale assurance assurances
    administration
    president presidente directeur directrice secretaire membre membres parlement assemblee senat procureur
    ministere
    public surveillance marches financiers universite ecole rue place fondation association groupe
    tribunale corte consiglio federale ufficio commissione autorita legge leggi codice ordinanza
    regolamento direttiva
    costituzione convenzione accordo trattato cantone comune citta stato stati repubblica confederazione
    governo
    ministero ministro dipartimento registro commercio societa unione europea svizzera svizzero germania
    francia italia
    austria banca nazionale assicurazione amministrazione presidente direttore direttrice segretario membro
    membri
    parlamento assemblea senato procura vigilanza mercati finanziari universita scuola via piazza fondazione
    associazione gruppo amministratore delegato signora signor fonte fonti
    """.splitlines()
    for word in line.split()
)
_GERMAN = re.compile(r"\b(?:der|die|das|und|ist|sind|nicht|mit|von|wird|wurde|eine?r?|dem|den|zu|auf|für)\b")


def is_common(word: str) -> bool:
    """Whether a single word names nobody. Short words in capitals are abbreviations."""
    if word.isupper() and 1 < len(word) <= ABBREVIATED:
        return True
    return all(part in _COMMON for part in words_of(word))


def is_german(text: str) -> bool:
    """Whether the text is German, where nouns are capitalised."""
    words = max(1, len(text.split()))
    return len(_GERMAN.findall(text)) * 12 >= words
