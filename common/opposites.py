"""Words of four languages that turn a statement round, bind it or limit it.

An entry of OPPOSITES is two sides of one matter, of ROLES of one relation; ``*`` stands for any ending. All words
are folded as in ``wording``: without accents, umlauts in two letters.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from common.wording import NOT

OPPOSITES = """
allow* permit* authoris* authoriz* erlaub* gestatt* bewillig* zulaess* statthaft* autoris* autorizz* permett*
  permess* recevable* admissible* ammissibil* ammess* | forbid* forbad* prohibit* ban banned bans verbot*
  verbiet* untersag* interdi* viet* proibi*
increas* rose rise rises rising risen grew grow* climb* surg* expand* erhoeh* stieg* steig* gestiegen zugenommen
  zunahm* wuchs* gewachsen anstieg augment* hauss* accru aument* crebb* crescit* cresc* | decreas* fell fall
  falls fallen drop* declin* shrank shrink* shrunk reduc* sank sinken gesunken reduz* verringer* gesenkt senkt*
  rueckgang* zurueckging* zurueckgegangen abgenommen abnahm* diminu* baiss* recul* redui* ridott* riduc* scese
  scesi calat* calo cala
higher hoeher* superieur* superior* maggior* larger greater groesser* exceed* ueberst* depass* | lower
  niedriger* tiefer* inferieur* inferior* minore minori smaller kleiner* unterschr*
more mehr davantage | less fewer weniger moins meno
before bevor vor avant prima | after nachdem nach apres dopo
against gegen contre contro | for fuer pour
won wins win gewann gewonnen gagne* vinto vince | lost lose loses verlor* verloren perdu* perd perso perde
profit* gewinn* benefice* utile utili | loss losses verlust* perte* perdit*
upheld uphold* grant* gutgeheissen gutheiss* gutzuheissen admis* admet admett* accolt* accogli* accept* annehm*
  annahm* angenommen accett* zugestimmt zustimm* stimm* approv* genehmig* approuv* agreed agrees gewaehr*
  gutheiss* accord* concess* | dismiss* reject* rejet* abgewiesen abweis* abzuweisen respint* respinge* refus*
  verweiger* denied denies deny ablehn* abgelehnt lehnt* rifiut* disapprov* oppos*
valid* gueltig* wirksam* valable* efficac* binding verbindlich* | void nichtig* nul nulle nuls nulles nullo
  nulli annul*
begin* began begun start* beginn* begann begonnen commenc* debut* inizi* cominci* | ended ends end ending
  finish* ceas* endet* endig* beend* fini* cess*
bought buy buys purchas* kauft* kaufen gekauft achet* compr* acquist* erwarb* erworben | sold sell sells selling
  verkauf* veraeusser* vend vendu* vende vendono vendett* venduto
public* oeffentlich* pubblic* | private* privat* confidential* vertraulich* confidentiel* riservat* secret*
convict* guilty schuldig* verurteil* condamn* condann* coupable* colpevol* | acquit* freigesproch* freispr*
  assolt* assolv* innocent* unschuldig*
confirm* bestaetig* conferm* affirm* bejah* | overturn* revers* aufgehoben aufheb* aufhob* aufhebt aufzuheben annull*
  verneint* nie nient revok* widerruf* revoqu* revoc* cass* quash*
timely rechtzeitig* fristgerecht* tempestiv* | late verspaetet* tardi* belated*
includ* einschliess* eingeschlossen inclu* compris* umfass* | exclud* exclu* ausschliess* ausgeschlossen
  ausgenommen esclu* esclud*
first erste* premier* primo prima | last letzt* dernier* ultim*
north* noerdlich* nord* settentr* | south* suedlich* sued* sud meridion*
east* oestlich* osten est orient* | west* westlich* ouest ovest occident*
import* einfuehr* | export* ausfuehr* esport*
majorit* mehrheit* maggioranz* | minorit* minderheit* minoranz*
temporar* voruebergehend* provisoir* provvisor* befristet* limited | permanent* dauerhaft* definitiv* definitif*
  dauernd* unlimited
gross brutto brut brute lordo lorda | net netto nette
intentional* vorsaetzlich* intentionnel* intenzional* deliberat* wilful* | negligen* fahrlaessig* accidental*
open* offen* ouvert* apert* | closed close closes geschlossen ferme* chius*
present anwesend* | absent abwesend* assent*
solvent* zahlungsfaehig* solvable* solvibil* | bankrupt* insolvent* zahlungsunfaehig* insolvable* konkurs*
  faillit* fallit* fallimen*
maximum maximal* massim* hoechst* | minimum minimal* minim* mindest*
old alt alte alten ancien* vecchi* | new neu neue neuen nouve* nuov*
high hoch hohe hohen eleve* alto alta | low niedrig tief tiefe bas basse basso bassa
strong stark* fort* | weak schwach* faible* debol*
true wahr vrai* vero vera richtig* right correct* zutreffend* | false falsch* faux fausse falso falsa unrichtig*
  wrong incorrect*
income einkommen einnahm* recett* entrat* | expens* ausgab* depens* usc* spes* aufwand*
asset* aktiven vermoegen actif* attiv* | liabilit* passiven schulden passif* passiv*
join* beitr* beigetreten adher* aderi* | left leave leaves austritt* ausgetreten quitt* lasci*
appoint* ernannt* ernenn* nomm* nomin* hired eingestellt engag* assunt* | remov* abberuf* entlass* revoqu*
  dismiss* fired licenzi* licenc* congedi*
succeed* erfolgreich* reuss* riusc* | fail* gescheitert scheiter* echou* fallisc*
lawful* legal* rechtmaessig* licite* lecit* | unlawful* illegal* rechtswidrig* widerrechtlich* illicit* illecit*
punctual* puenktlich* ponctuel* puntual* | unpunctual* unpuenktlich* late verspaetet* tardi* retard* belated*
young* jung* jeune* giovan* | elderly aged bejahrt* betagt* age agee ages anzian*
healthy gesund* sain saine sains sana sano sani | ill sick krank* malad* ammalat* malat*
good gut gute guten guter gutes bon bonne bons buono buona buoni | bad schlecht* mauvais* cattiv*
rich reich* riche* ricc* | poor arm arme armen armer pauvre* povero povera poveri
early frueh fruehzeitig* tot precoce* presto | late spaet* tard tardif* tardiv* tardi
alone allein* seul seule seuls sole single solo sola einzig* | joint* jointly together gemeinsam* ensemble
  conjoint* congiunt* insieme
quick* fast schnell* rasch* rapid* veloc* | slow* langsam* lent*
admit* admett* gesteh* gestand* gestanden gesteht avou* confess* acknowledg* anerkenn* anerkannt* reconn*
  riconosc* | den* bestreit* bestritt* leugn* nie nier nient niait negat* nega nego negano contest*
grant* issue* erteil* delivr* octroy* rilasci* conced* concess* | revok* withdr* entzog* entzieh* entzogen*
  entzug* retir* revoqu* revoc*
hire* hired engag* anstell* angestellt* embauch* assunt* assum* | fire* fired laid dismiss* entlass* licenci*
  licenz*
borrow* ausleih* emprunt* | lend* lent verleih* pret* presta prestato
arriv* ankam* ankomm* angekommen | depart* abreis* abgereist* abfahr*
enter* betrat* betret* entr* | exit* verliess* sort* usci* usc*
accept* annahm* angenommen* accept* accett* | declin* refus* ablehn* abgelehn* rifiut*
praise* congratulat* lob* gelobt felicit* lod* | criticis* kritisier* critiqu* critic* blame* tadel* blam*
complete* full* fully vollstaendig* ganz* complet* entier* entierement integral* integr* | partial* partly
  teilweise partiel* partiellement parzial*
certain* sure sicher* gewiss* certain* certo certa | doubtful* uncertain* unsicher* ungewiss* zweifelhaft*
  incertain* incert* dubbi*
proven prov* bewies* bewiesen* nachgewiesen* prouv* dimostrat* provat* | unproven unbewiesen* disprov* widerleg*
  refut* confutat*
kept keep* einhalt* eingehalten* respect* observ* rispett* complied comply | breach* violat* verletz* verstoss*
  verstoess* enfreint* viol*
extend* verlaenger* erstreck* prolong* prorog* | shorten* verkuerz* abgekuerzt* raccourci* abreg* accorci*
  abbrevi*
alive lebend* vivant* viv* | dead tot tote toten mort morte morts morto morta deceased verstorben* decede*
safe* sicher* sur sure surs sicuro sicura | dangerous* gefaehrlich* danger* pericol*
empty leer leere leeren vide vides vuot* | full voll volle vollen plein* pieno piena
heavy schwer* lourd* pesant* | light* leicht* leger* legger*
inside* innerhalb interieur* intern* | outside* ausserhalb exterieur* extern* estern*
left link* gauche sinistr* | right* rechts droite destr*
up aufwaerts oben haut | down abwaerts unten
day tag tags jour giorno | night nacht nuit notte
friend* freund* ami amis amico amici | enem* feind* ennemi* nemic*
win* gewonn* gewann* gagn* vinse vinto | los* verlor* perd* pers*
accus* angeklag* anklag* incolp* | acquit* freigesproch* acquitt* assolt*
"""
ROLES = """
seller* vendor* verkaeufer* vendeur* vendeuse* venditor* venditric* | buyer* purchaser* kaeufer* acheteur*
  acheteuse* acquereur* compratore compratori acquirent*
landlord* lessor* vermieter* bailleur* bailleresse* locator* locatric* | tenant* lessee* mieter* locataire*
  conduttor* conduttric* inquilin*
employer employers arbeitgeber* employeur* employeuse* datore datrice datori | employee employees worker*
  arbeitnehmer* angestellt* travailleur* employe employes salarie* lavorator* lavoratric* dipendent*
creditor* glaeubiger* creancier* creanciere* creditric* | debtor* schuldner* debiteur* debitric* debitor*
plaintiff* claimant* klaeger* demandeur* demanderesse* attore attori attrice attrici | defendant* beklagte*
  defendeur* defenderesse* convenut*
appellant* petitioner* beschwerdefuehr* berufungsklaeger* recourant* appelant* ricorrent* rekurrent* |
  respondent* beschwerdegegner* berufungsbeklagt* intime intimee intimes intimees opponent* resistent*
  rekursgegner*
contractor* unternehmer* entrepreneur* appaltator* appaltatric* | customer* client* kunde kunden kundin
  besteller* maitre committent* cliente clienti
auftraggeber* mandant* mandante mandanti principal | agent* beauftragt* mandataire* mandatari*
parent mutter muttergesellschaft* | subsidiar* tochter tochtergesellschaft* toechter filiale* controllat*
lender* darlehensgeber* kreditgeber* preteur* mutuant* | borrower* darlehensnehmer* kreditnehmer* emprunteur*
  mutuatar*
insurer* versicherer* assureur* assicurator* versicherung* | insured policyholder* versicherte*
  versicherungsnehmer* assure assuree assures assicurat*
licensor* lizenzgeber* | licensee* lizenznehmer*
donor* schenker* donateur* | donee* beschenkt* donatair*
victim* opfer victime* vittim* geschaedigt* lese* | offender* perpetrator* taeter* auteur* autore autori
husband ehemann mari marito | wife ehefrau femme epouse moglie
father vater pere padre | mother mere madre
heir heirs erbe erben heritier* erede eredi | testator* erblasser* defunt* disponent*
guarantor* buerge* garant* fideiussor* caution* | hauptschuldner*
shareholder* aktionaer* actionnaire* azionist* | director* verwaltungsrat* administrateur* amministrator* board
doctor* arzt aerzt* medecin* medico medici | patient* pazient*
teacher* lehrer* enseignant* insegnant* | pupil* student* schueler* eleve* alliev*
company firm corporation gesellschaft* firma unternehmen societe* entreprise* societa impresa azienda ditta ditte |
  canton* kanton* cantone cantoni state staat* etat stato bund confederation confederazione
prosecutor* staatsanwalt* procureur* procurator* ministere | accused beschuldigt* prevenu* imputat*
supplier* lieferant* fournisseur* fornitor* | consumer* konsument* verbraucher* consommateur* consumator*
trustee* treuhaender* fiduciaire* | beneficiar* beguenstigt* beneficiair*
"""
SAME = """
revenue* turnover umsatz* fatturato
contract* vertrag* contrat contrats contratto contratti
judgment* judgement* urteil* jugement* arret arrets sentenza sentenze ruling
damage damages schaden schadens schadenersatz dommage dommages danno danni
deadline* frist* delai* termine termini
amount* betrag* betrug* betraegt montant* ammont* montai*
employ* employment work works worked working arbeit* beschaeftig* travaill* emploie* lavora* lavorano impieg*
founded established gegruendet gruend* gegruend* fonde* fondat* constituee constitue costituit*
headquarter* seat sitz siege sede
people persons personen personnes persone
court courts gericht gerichts gerichte tribunal tribunaux tribunale tribunali
judge judges richter richterin juge juges giudice giudici
appeal appeals recours rekurs beschwerde beschwerden ricorso ricorsi gravame
heir heirs erbe erben heritier heritiers heritiere eredi erede
debt debts dette dettes debito debiti
rent rents mietzins mietzinses loyer loyers pigione pigioni
goods merchandise ware waren marchandise marchandises merce merci
witness witnesses zeuge zeugen zeugin temoin temoins testimone testimoni
factory factories fabrik fabriken usine usines fabbrica fabbriche
pay pays paid bezahl* paie paient payer payee payes pagare pagato pagata paga pagano
cost costs kosten frais couts costi spese
interest zins zinsen verzugszins
signed unterzeichnet unterschrieben signe signee signes firmato firmata sottoscritto sottoscritta
concluded abgeschlossen conclu conclue conclus concluso conclusa conclusi
merger mergers fusion fusionen fusions fusione fusioni
liable haftet haften haftbar repond repondent rispondono risponde responsable responsables responsabile responsabili
shareholder shareholders aktionaer* actionnaire actionnaires azionista azionisti
authority authorities behoerde behoerden autorite autorites autorita
salary salaries wage wages lohn loehne salaire salaires remuneration salario salari
minor minors minderjaehrige minderjaehrigen mineur mineurs mineure minore minorenne minorenni
client clients kunde kunden kundin cliente clienti
"""
_DENIALS_WORDS = """nichts niemand rien personne nessuno niente ni nobody nothing hardly kaum guere lacks lack fehlt
    fehlen mangelt manque manquent manca mancano unable"""
DENIALS = (NOT - {"ne"}) | frozenset(_DENIALS_WORDS.split())  # "ne" has its "pas" beside it
_NOT_DOING_WORDS: Mapping[str, str] = {  # verbs and words that deny what stands beside them
    "omits": r"fail|omit|omis|omess|neglect|unterl(?:iess|ass)|versaeum",
    "refuses": r"refus|declin|weiger|verweiger|rifiut",
    "stops": r"ceas|cess(?!ion)",
    "prevents": r"prevent|verhinder|empech|imped",
    "waives": r"verzicht|renonc|rinunci|waiv",
    "is wrong": r"fals|wrong|incorrect|mistak|erron|unrichtig|unzutreffend|faelsch|falsch|unrecht|tort|faux|fauss",
}
_CANCELLING_WORDS: Mapping[str, str] = {  # a former director is none
    "former": r"ex(?=[- ])|former|ehemalig|frueher|ancien|previous|vorherig|bisherig|precedent|anterieur|anterior",
    "deputy": r"vice(?=[- ])|deputy|acting|stellvertret",
    "to be": r"designat|candidate|potential|moeglich|eventuel|would be|supposed",
    "alleged": r"alleged|so called|fake|honorary|purported|sogenannt|mutmasslich|presum|presunt",
    "for another": r"behalf|namens|au nom|a nome",
}
_NOT_DOING = {name: re.compile(rf"(?<!\w)(?:{words})\w*") for name, words in _NOT_DOING_WORDS.items()}
_CANCELLING = {name: re.compile(rf"(?<!\w)(?:{words})\w*") for name, words in _CANCELLING_WORDS.items()}


def not_done(folded: str) -> set[str]:
    """In which ways a text says that something is not done."""
    return {name for name, words in _NOT_DOING.items() if words.search(folded)}


def cancelled(folded: str) -> set[str]:
    """In which ways a text says that somebody or something is not quite what it is called."""
    return {name for name, words in _CANCELLING.items() if words.search(folded)}


_MUST = """must shall obliged required obligation obligations muss muessen musste mussten verpflichtet pflicht pflichten
    soll sollen doit doivent devra devront oblige obligee faut deve devono dovra dovranno
    obbligato obbligata dovere mandatory zwingend compulsory obligatoire obbligatorio need needs"""
_MAY = """may might can could kann koennen konnte konnten koennte darf duerfen durfte peut peuvent pouvait
    pourra pourrait
    puo possono poteva potra potrebbe optional freiwillig facultatif facoltativo cannot"""
MODALS: Mapping[str, frozenset[str]] = {
    "must": frozenset(_MUST.split()),
    "may": frozenset(_MAY.split()),
    "should": frozenset(
        ("should", "ought", "sollte", "sollten", "devrait", "devraient", "dovrebbe", "dovrebbero")
    ),
}
MAX_ENDING = 7  # letters; what goes on longer is another word, as compounds are
QUANTIFIERS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")
    for name, pattern in {
        "at least": r"at least|(?:no|not) (?:less|fewer) than|mindestens|wenigstens|nicht weniger als|au"
        r" moins|pas moins de|almeno"
        r"|non meno di|(?:au|als|come) minimum|minimum|minimal",
        "at most": r"at most|(?:no|not) more than|up to|not exceeding|hoechstens|maximal|nicht mehr als|bis"
        r" zu|au plus|au maximum"
        r"|pas plus de|al massimo|al piu|non piu di|jusqu.a|fino a|maximum",
        "more than": r"more than|over(?= \d)|above|exceed\w*|mehr als|ueber(?= \d)|plus de(?= \d)|piu di"
        r"|oltre|besser als",
        "less than": r"(?:less|fewer) than|under(?= \d)|below|weniger als|unter(?= \d)|moins de|meno di",
        "about": r"about|around|approximately|roughly|circa|ca\.?|rund|etwa|ungefaehr|environ|pres de|quasi"
        r"|nearly|almost|fast|knapp",
        "only": r"only|solely|exclusively|nur|lediglich|ausschliesslich|seulement|uniquement|exclusivement"
        r"|solo|soltanto|solamente"
        r"|unicamente|esclusivamente|allein",
        "all": r"all|every|each|any|both|entire|whole|always|alle[rnsm]?|saemtlich\w*|jede[rnsm]?|beide\w*"
        r"|ganze[nsrm]?|immer|stets"
        r"|jederzeit|tous|toutes|toute?|chaque|toujours|tutt[iaoe]|ogni|ciascun\w*|sempre|everyone|jedermann"
        r"|chacun",
        "some": r"some(?! \d)|several|certain|partly|partially|in part|sometimes|occasionally|einige[rnsm]?"
        r"|manche\w*|gewisse[rnsm]?"
        r"|mehrere\w*|teilweise|zum teil|manchmal|certaine?s|quelques|plusieurs|partiellement|en partie"
        r"|parfois|alcun[ie]|talun[ie]"
        r"|qualche|parzialmente|in parte|talvolta|various|verschiedene\w*",
        "most": r"most|die meisten|meistens?|la plupart|la maggior parte|usually|often|oft|haeufig|souvent"
        r"|spesso|in der regel"
        r"|generally|en regle generale|di regola|grundsaetzlich|en principe|in principle|di principio|mostly"
        r"|half|haelfte|moitie|meta",
        "few": r"few|wenige[nr]?|peu de|poch[ie]|rarely|selten|rarement|raramente",
    }.items()
}
EXCLUDE_EACH_OTHER = frozenset(
    frozenset(pair)
    for pair in (
        ("all", "some"), ("all", "most"), ("all", "few"), ("most", "few"), ("most", "some"), ("at least", "at most"),
        ("more than", "less than"), ("at least", "less than"), ("at most", "more than"), ("only", "all"),
    )
)  # fmt: skip
NEEDED = frozenset(("all", "only", "most", "few", "at least", "at most", "more than", "less than"))
LIMITING = frozenset(("some", "most", "few", "at most", "at least", "more than", "less than", "about"))
CONDITION = re.compile(
    r"(?<!\w)(?:if|unless|provided|except|subject to|wenn|falls|sofern|soweit|ausser|es sei denn"
    r"|vorausgesetzt|vorbehaeltlich|nur wenn"
    r"|si|s.ils?|a moins|sauf|pourvu|a condition|sous reserve|se|qualora|purche|salvo|a meno|a condizione|in"
    r" case|when|in dem fall"
    r"|en cas|in caso|lorsque?|once|sobald nicht)(?!\w)"
)
CONDITIONS = frozenset("if wenn falls sofern si se qualora lorsque when".split())  # noqa: SIM905 - a table
UNLESS = re.compile(
    r"(?<!\w)(?:unless|except|es sei denn|ausser|a moins|sauf|a meno|salvo|even if|auch wenn|selbst wenn|meme"
    r" si|anche se)(?!\w)"
)
SAID_BY_SOMEBODY = re.compile(
    r"(?<!\w)(?:claim(?:s|ed|ing)?(?= (?:that|to|the|it|he|she|they|in))|alleg\w+|argu(?:es?|ed|ing)"
    r"|contend\w*|assert\w*|maintain(?:s|ed)? that"
    r"|sa(?:ys|id)|believ\w+|denie[sd]|expect\w*|plan(?:s|ned)?|intend\w*|announc\w*|propos\w*|forecast\w*"
    r"|would|will|rumou?r\w*"
    r"|probabl[ye]\w*|perhaps|possibl[ye]|presumabl\w*|reportedly|suspect\w*|suppos\w*"
    r"|geltend|behaupte\w*|angeblich\w*|ruegt|meint|vermutlich|wahrscheinlich|moeglicherweise|vielleicht"
    r"|voraussichtlich|plant|beabsichtigt"
    r"|erwartet|zufolge|sei|seien|habe|werde|koenne|muesse|duerfe|wuerde\w*|haette\w*|waere\w*|beantragt\w*"
    r"|verlangt\w*"
    r"|soutien\w+|pretend\w*|valoir|allegu\w*|affirm\w*|probablement|peut-etre|prevoit|envisage|serait|aurait"
    r"|seraient|auraient|reproch\w*"
    r"|sosti\w+|valere|allega|asseri\w*|probabilmente|forse|prevede|intende|sarebbe\w*|avrebbe\w*|lamenta\w*"
    r"|(?:according to|selon|d.apres|secondo|laut|nach auffassung|nach ansicht|a detta)(?! (?:(?:la|the|le"
    r"|les|l|der|dem|des|il|i|gli|lo) ?)?"
    r"(?:loi|law|legge|gesetz|statute|act|art|jurisprudence|giurisprudenza|rechtsprechung|register|registre"
    r"|registro|pieces|case law|contract"
    r"|contrat|contratto|vertrag|report|rapport|bericht)))(?!\w)"
)


Matter: TypeAlias = tuple[str, int]
"""A matter or relation, and a side of it."""


_IZE = re.compile(r"iz(e|ed|es|ing|ation)$")


class Table:
    """Which matters a word is about; ``*`` stands for at most MAX_ENDING letters, and the longest beginning counts."""

    def __init__(self, **tables: str) -> None:
        self._known: dict[str, frozenset[Matter]] = {}
        for kind, table in tables.items():
            for number, line in enumerate(re.split(r"\n(?! )", table.strip())):
                for side, words in enumerate(line.split("|")):
                    for word in words.split():
                        known = self._known.get(word, frozenset())
                        self._known[word] = known | {(f"{kind}{number}", side)}
        self.of = lru_cache(maxsize=20_000)(self._find)
        self.every = lru_cache(maxsize=20_000)(self._all)

    def _find(self, word: str) -> frozenset[Matter]:
        if word in self._known:
            return self._known[word]
        if (unfolded := _IZE.sub(r"is\1", word)) != word:  # an entreprise is no English verb
            return self._find(unfolded)
        return next((self._known[start] for start in _starts(word) if start in self._known), frozenset())

    def _all(self, word: str) -> frozenset[Matter]:
        """By every beginning, the short ones too."""
        spelt = {word, _IZE.sub(r"is\1", word)}
        found = (self._known.get(start) for one in spelt for start in (one, *_starts(one)))
        return frozenset[Matter]().union(*filter(None, found))


def _starts(word: str) -> Iterator[str]:
    return (f"{word[:length]}*" for length in range(len(word), max(2, len(word) - MAX_ENDING - 1), -1))


matters_of = Table(o=OPPOSITES, r=ROLES, s=SAME).of
"""Which matters and relations a folded word is about, and which side of each it takes."""


def against(ours: Iterable[Matter], theirs: Container[Matter]) -> bool:
    """Whether one takes the other side of a matter that both are about."""
    return any((matter, 1 - side) in theirs for matter, side in ours)


def role_of(matters: Iterable[Matter]) -> str:
    """The relation and the side in it that a word names, or an empty text."""
    return next((f"{matter}/{side}" for matter, side in sorted(matters) if matter[0] == "r"), "")
