"""Words of four languages of one kind, a kind a line, folded as in ``wording``; ``*`` stands for any ending.

A model that says that a word of one line renders a word of another is not believed; within a line it may. The words of
a line are near each other and not always the same: rules alone conclude nothing from them (for that is SAME in
``opposites``).
"""

from common.opposites import Table

KINDS = """
revenue* turnover umsatz* fatturato
contract* agreement agreements vertrag* vereinbarung* contrat contrats contractuel* convention* contratto contratti
  accordo accordi
judgment* judgement* urteil* jugement* arret arrets sentenza sentenze ruling* verdict*
decision* entscheid* verfuegung* decisione decisioni beschluss* beschluesse* order orders
damage damages schaden schadens schadenersatz dommage dommages danno danni harm loss losses verlust* prejudice
deadline* frist* delai* termine termini period
amount* betrag* betrug* betraegt montant* ammont* montai* sum summe* somme* somma sommi
employ* employment work works worked working arbeit* beschaeftig* travaill* emploie* emploi* lavor* impieg* occup*
  staff* personal personnel workforce belegschaft personale dipendent*
founded established gegruendet gruend* gegruend* fonde* fondat* constituee constitue costituit* incorporated
headquarter* headquartered seat sitz siege sede based etabli* domicil* ansaessig*
people persons person personen personnes persone mitarbeit* staff
job jobs position positions post posts stelle stellen arbeitsplatz* arbeitsplaetze poste postes emploi* posto posti
fee fees gebuehr* emolument* taxe taxes tassa tasse honorar* honorair* onorari*
tax taxes steuer* impot* imposta imposte fiscal* fiskal*
plant plants factory factories fabrik* werk werke usine* fabbrica fabbriche stabiliment* mill mills muehle*
building* gebaeude* immeuble* edifici* batiment* house haus haeuser maison* casa
flat flats apartment* wohnung* logement* appartement* appartament* alloggi*
lease leases tenancy miete mietvertrag* bail baux locazione locazioni
rent rents mietzins* loyer* pigion* canone
sublet* sublease* unterverm* unterviermiet* untermiet* sous sublocazion* sublocar* subloc*
own owns owned besitz* besass* gehoer* eigentuem* eigentum* possed* proprietair* propriet* detien* detenu*
  appartien* apparten* proprietari*
use uses used benutz* gebrauch* nutz* utilis* utilizz* usa usano
return* returned zurueckgeb* rueckgab* restitu* hand back
condition order state zustand etat stato
pay pays paid paying payment payments zahl* bezahl* gezahlt entricht* paie paient paye payee payer payent paiement*
  verser verse versent pagare paga pagano pagato pagamento versare versato versa
owe owes owed schuld* geschuldet dovut*
price prices preis* prix prezzo prezzi
cost costs kosten frais cout couts coute costi costo spese
expense* aufwand* depens* ausgab*
interest zins zinsen verzugszins* interet* interess* interessi
salary salaries wage wages pay lohn lohnes loehne gehalt* salaire* remuneration* salario salari stipendi*
  verguetung* retribuzion*
holiday* vacation* leave ferien urlaub* vacances vacanze
notice kuendigungsfrist* preavis preavviso fristlos
terminat* kuendig* gekuendigt resili* denonc* disdett* disdir* rescind* resciss* rescis* recession* disdic* beendig*
  rupture rompre widerruf*
dismiss* entlass* licenc* licenzi* congedi* renvoy* renvoi
hire* hired hiring recruit* einstell* eingestellt engag* embauch* assunt* assum*
appoint* ernann* ernenn* nomm* nomin* bestell* design* elected gewaehlt
resign* zurueckgetret* ruecktritt* demission* dimission* dimesso
chair chairman chairwoman chairperson president* praesident* presidente presidenti vorsitz*
board verwaltungsrat* conseil consiglio
ceo geschaeftsfuehr* directeur direttore
shareholder* aktionaer* actionnaire* azionist*
partner* gesellschafter* associe associes associee soci socio
share shares stock aktie aktien action actions azione azioni anteil* parts quota quote
merger* merg* fusion* fusionn* fusione fusionar* verschmelz*
acqui* uebernahm* uebernommen takeover* rachat reprise repris rilev*
suppl* deliver* liefer* beliefer* livr* fournit fourni fournissent forni* consegn* uebergab* uebergeb*
goods merchandise ware waren marchandis* merce merci
thing things sache sachen chose choses cosa cose object objekt* objet* oggett*
defect* fault faults mangel maengel* maengeln fehler defaut* vice vices difett* vizi vizio
check checks checked examin* inspect* pruef* untersuch* verifi* esamin* control* kontroll*
notify notif* report reports reported anzeig* angezeigt anzuzeigen meld* gemeldet signal* avis* annonc* communiqu*
  comunic* mitteil* mitgeteilt inform* renseign* mitzuteilen
immediate* sofort* unverzueglich* umgehend* immediat* subito promptly prompt aussitot unmittelbar* once delay
know knows known bekannt* wusst* weiss kenn* kannt* connu* connai* sait savait noto nota noti note sapeva sa conosc*
sign signs signed unterzeichn* unterschr* unterschrieben signe signes signee signent sottoscri* firma* firmato
  firmata
conclud* abgeschlossen abschluss* geschlossen schloss schliess* conclu* conclus* stipul*
void nichtig* nul nulle nulles nullo nulla nullity nullite nullita
contest* challeng* anfecht* angefochten attaqu* impugn* bestreit* bestritten dispute*
appeal* recours rekurs* beschwerde* berufung* ricorso ricorsi gravame appello appel recourir
claim claims action klage* begehren rechtsbegehren demande* pretention* forderung* azione petizione pretesa pretese
  request* gesuch* requete* istanza richiest* domanda antrag*
file files filed lodge* lodged eingereicht einreich* reicht depos* deposit* inoltr* present* introdui* introdotto
  submit* erhob* erheb* erhoben interjet* interpost*
admiss* zulaess* recevab* ammissib*
dismiss* reject* abgewies* abweis* rejet* debout* respin*
grant* gutgeheiss* gutheiss* admet* admis* accol* accog* uphold* upheld allow*
annul* aufgehob* aufheb* aufhob* hob casse* cass* overturn* quash* annull* auf hob
confirm* bestaetig* conferm*
remit* zurueckgewies* rueckweis* renvoi renvoy* rinvi*
suspend* sistier* sospen* suspens* aussetz* ausgesetzt stay stayed
proceeding* verfahren* procedur* prozess* proces procedimento procedimenti trial trials
hearing* verhandlung* audience* udienz* debat*
hear hears heard anhoer* angehoert entend* sentir* sentit* sente
judge judges richter* juge juges giudice giudici
court courts gericht gerichts gerichte tribunal tribunaux tribunale tribunali cour cours corte corti
authorit* behoerde* autorit*
office amt aemter bureau ufficio
police polizei polizia
witness* zeuge zeugen zeugin temoin* testimon* teste testi
expert* gutacht* sachverstaendig* perit*
evidence proof beweis* preuve* prova prove
child children minor minors kind kinder kindes minderjaehrig* enfant* mineur* minore minori minorenn* figli*
parent parents eltern genitor*
custody obhut sorge garde custodia affidament*
maintenance alimony unterhalt* entretien mantenimento alimenti
marriage* ehe heirat* mariage* matrimoni*
divorce* scheidung* divorz* geschieden
estate succession* erbschaft* nachlass* heredit* eredit* successioni
will testament* testamento
debt debts schuld schulden dette dettes debito debiti
liable liability haft* haftbar* haftung* respons* repond* rispond* rispose verantwort* accountable
bear bears bore borne trag* traeg* getragen support* sopport*
compensat* indemni* entschaedig* risarc* replac* ersetz* ersatz* repar* dedommag* reimburs*
repair* instandsetz* reparatur* reparat* ripar* reparation*
sue sues sued klagt* verklag* assign* actionn* convenir*
limitation* prescription* verjaehr* prescri* prescrizion*
right rights recht rechte anspruch* ansprueche droit droits diritto diritti entitle* entitled berechtig* claim*
  zusteh* stehen pretend*
duty duties obligation* pflicht* devoir* obblig* verpflicht*
law laws act acts statute* gesetz* loi lois legge leggi
article* artikel* articol*
rule rules regel* regle regles regola regole vorschrift* disposition* disposizion* bestimmung*
licen* bewilligung* konzession* autorisation* autorizzazion* permit* permission* permess* genehmigung*
penalt* fine fines busse bussen geldbusse* amende* multa multe strafe* peine* pena pene sanction*
arrest* verhaft* festgenomm*
theft diebstahl vol furto steal* stole*
fraud* betrug* escroquerie truff*
bank banks banken banque banques banca banche
loan* credit* kredit* darlehen* pret prets prestito prestiti mutuo
account accounts konto konten compte comptes conto conti
insurance versicherung* assurance* assicurazion*
accident* unfall* unfaell* infortun* incident*
client* kunde kunden customer* cliente clienti mandant*
disclos* offenleg* bekanntgeb* divulgu* divulg* rivel* preisgeb*
data daten donnees dati information* informat*
keep keeps kept aufbewahr* behalt* behielt conserv* retain* store* stored speicher*
build* built bau* gebaut construi* costrui* construct* errich*
sell sells sold verkauf* vend* verkauft veraeusser*
buy buys bought kauf* kauft acheter achete* achat* compr* acquist* purchas* erwerb* erwarb*
close* closed shut shuts schloss geschlossen schliess* ferme* fermer fermeture chiu*
open* eroeffn* ouvr* ouvert* apert* apri* inaugur*
cut cuts abbau* abgebaut supprim* suppress* eliminat* streich* gestrichen tagli* abolish* soppress*
start* begin* began begun beginn* begann comm* commenc* inizi* debut*
end ends ended ende endet fin fine finish* conclusion
month* monat* mois mese mesi
make makes made produc* manufactur* herstell* hergestellt produ* produz* produi* fabriqu* fabbric*
watch watches uhr uhren montre montres orologi*
car cars vehicle* auto autos fahrzeug* voiture* vehicul* automobil* veicol*
land grundstueck* parcel* parzelle* terrain* terreno terreni fondo immobil* liegenschaft*
see sees saw seen sah sieht gesehen voir vu vue vit visto vede vide beobacht* observ*
say says said sagt* gesagt dit disait dichiar* declar* erklaer*
plan plans planned beabsicht* intend* projet* envisag* intende geplant
need needs braucht brauch* benoetig* besoin bisogno requir* erforder* exig* richied*
receiv* erhalt* erhielt bekomm* bekam recu recoi* recev* riceve* ricevut* obtain* obtien* obten* otten*
give gives gave given gib* gab gegeben donn* dare dato
send* sent schick* gesandt versandt senden sandte envoy* invi* sped*
buyer* purchaser* erwerber* kaeufer* acheteu* acquereur* compratori compratore
profit* gewinn* benefice* utile utili
loss losses verlust* perte* perdit*
increas* erhoeh* augment* aument* rais* zugenomm* zunahm*
proper ordnungsgemaess* gut guten gutem good bon bonne buono buona
important* good wichtig* justes grave gravi giusta giusti
cause grund gruende gruenden motif motifs motiv* reason* ragion*
training ausbildung* formation formazione weiterbildung*
school* schule* ecole* scuola scuole
hospital* spital* krankenhaus* hopital* hopitaux ospedal*
state canton cantons kanton* cantone cantoni
town city cities stadt staedte ville villes citta
country land pays paese paesi
year* jahr* annee* annuel* anno anni annual*
"""
kinds_of = Table(k=KINDS).of
"""Which lines a folded word stands in."""
