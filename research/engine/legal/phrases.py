"""The sentences that code writes in a memo, in all languages of memos."""

from collections.abc import Mapping

PHRASES: Mapping[str, Mapping[str, str]] = {
    "title": {"de": "Rechtsabklärung: {topic}", "fr": "Recherche juridique : {topic}", "it": "Ricerca giuridica: {topic}",
              "en": "Legal research: {topic}"},
    "summary": {
        "de": "Gesucht wurde nach {terms}. {found} Ergebnisse wurden gefunden, {kept} davon berücksichtigt; {verified} von "
              "{cited} Fundstellen sind bestätigt.",
        "fr": "La recherche a porté sur {terms}. {found} résultats ont été trouvés, dont {kept} ont été retenus ; {verified} "
              "des {cited} références sont confirmées.",
        "it": "La ricerca ha riguardato {terms}. Sono stati trovati {found} risultati, di cui {kept} considerati; {verified} "
              "dei {cited} riferimenti sono confermati.",
        "en": "The search was for {terms}. {found} results were found, {kept} of them were considered; {verified} of {cited} "
              "citations are verified.",
    },
    "extractive": {
        "de": "Kein Sprachmodell war beteiligt: Die Feststellungen sind wörtliche Stellen aus den Entscheiden und keine "
              "rechtliche Würdigung.",
        "fr": "Aucun modèle de langue n'a été utilisé : les constatations sont des passages cités mot à mot et non une "
              "appréciation juridique.",
        "it": "Nessun modello linguistico è stato usato: gli accertamenti sono passaggi citati alla lettera e non una "
              "valutazione giuridica.",
        "en": "No language model took part: the findings are passages quoted word for word from decisions, not a legal "
              "assessment.",
    },
    "nothing": {
        "de": "Es wurde nichts gefunden, worauf sich eine Antwort stützen liesse.",
        "fr": "Rien n'a été trouvé sur quoi fonder une réponse.",
        "it": "Non è stato trovato nulla su cui fondare una risposta.",
        "en": "Nothing was found on which an answer could rest.",
    },
    "says": {"de": "{citation} hält wörtlich fest: «{quote}»", "fr": "{citation} retient textuellement : « {quote} »",
             "it": "{citation} afferma testualmente: «{quote}»", "en": "{citation} says, word for word: “{quote}”"},
    "says_nobody": {"de": "In {citation} steht: «{quote}»", "fr": "On lit dans {citation} : « {quote} »",
                    "it": "In {citation} si legge: «{quote}»", "en": "{citation} reads: “{quote}”"},
    "says_party": {
        "de": "{citation} gibt wieder, was eine Partei vorbrachte (keine Erwägung des Gerichts): «{quote}»",
        "fr": "{citation} rapporte ce qu'une partie a soutenu (et non ce que le tribunal retient) : « {quote} »",
        "it": "{citation} riporta quanto una parte ha sostenuto (non quanto il tribunale ritiene): «{quote}»",
        "en": "{citation} reports what a party argued, not what the court held: “{quote}”"},
    "says_lower": {
        "de": "{citation} gibt wieder, was die Vorinstanz erwog: «{quote}»",
        "fr": "{citation} rapporte ce que l'autorité précédente a retenu : « {quote} »",
        "it": "{citation} riporta quanto l'autorità inferiore ha ritenuto: «{quote}»",
        "en": "{citation} reports what the lower court held: “{quote}”"},
    "says_facts": {"de": "Im Sachverhalt von {citation} steht: «{quote}»",
                   "fr": "Les faits de {citation} indiquent : « {quote} »",
                   "it": "I fatti di {citation} indicano: «{quote}»", "en": "The facts of {citation} read: “{quote}”"},
    "says_headnote": {"de": "Die Regeste von {citation} lautet: «{quote}»", "fr": "Le regeste de {citation} indique : « {quote} »",
                      "it": "Il regesto di {citation} indica: «{quote}»", "en": "The headnote of {citation} reads: “{quote}”"},
    "says_ruling": {"de": "Das Dispositiv von {citation} lautet: «{quote}»",
                    "fr": "Le dispositif de {citation} indique : « {quote} »",
                    "it": "Il dispositivo di {citation} indica: «{quote}»", "en": "The ruling of {citation} reads: “{quote}”"},
    "says_open": {
        "de": "{citation} äussert sich dazu, ohne darüber zu entscheiden: «{quote}»",
        "fr": "{citation} s'exprime à ce sujet sans trancher : « {quote} »",
        "it": "{citation} si esprime al riguardo senza decidere: «{quote}»",
        "en": "{citation} speaks of it without deciding it: “{quote}”"},
    "supported": {
        "de": " Weitere Stellen dazu: {others}.", "fr": " Autres passages à ce sujet : {others}.",
        "it": " Altri passaggi al riguardo: {others}.", "en": " More passages on it: {others}."},
    "method": {
        "de": "Gefragt wurden {sources} mit {queries} Suchanfragen in {languages}; {found} Treffer, {distinct} nach dem "
              "Zusammenlegen gleicher, {kept} berücksichtigt. Bestätigt sind {verified} von {cited} Fundstellen, {open} sind "
              "offen, {missing} existieren nicht.",
        "fr": "Ont été interrogés : {sources}, par {queries} requêtes en {languages} ; {found} résultats, {distinct} après "
              "élimination des doublons, {kept} retenus. {verified} des {cited} références sont confirmées, {open} restent "
              "ouvertes, {missing} n'existent pas.",
        "it": "Sono stati interrogati {sources} con {queries} ricerche in {languages}; {found} risultati, {distinct} dopo "
              "l'eliminazione dei doppioni, {kept} considerati. {verified} dei {cited} riferimenti sono confermati, {open} "
              "restano aperti, {missing} non esistono.",
        "en": "Asked were {sources}, with {queries} queries in {languages}: {found} results, {distinct} without duplicates, "
              "{kept} considered. {verified} of {cited} citations are verified, {open} are open, {missing} do not exist.",
    },
    "down": {
        "de": "{source} konnte nicht befragt werden: {reason} Was dort steht, fehlt.",
        "fr": "{source} n'a pas pu être interrogé : {reason} Ce qui s'y trouve manque.",
        "it": "{source} non ha potuto essere interrogato: {reason} Ciò che vi si trova manca.",
        "en": "{source} could not be asked: {reason} What it holds is missing.",
    },
    "all_down": {
        "de": "Keine Quelle hat geantwortet. Dieses Memo enthält nur die Frage und den Suchplan.",
        "fr": "Aucune source n'a répondu. Ce mémo ne contient que la question et le plan de recherche.",
        "it": "Nessuna fonte ha risposto. Questa nota contiene solo la domanda e il piano di ricerca.",
        "en": "No source answered. This memo holds only the question and the plan of the search.",
    },
    "published": {
        "de": "Nicht jeder Entscheid ist veröffentlicht; was nicht gefunden wurde, kann bestehen.",
        "fr": "Toutes les décisions ne sont pas publiées ; ce qui n'a pas été trouvé peut exister.",
        "it": "Non tutte le decisioni sono pubblicate; ciò che non è stato trovato può esistere.",
        "en": "Not every decision is published; what was not found may exist.",
    },
    "period": {"de": "Berücksichtigt wurden Entscheide {period}.", "fr": "Décisions prises en compte : {period}.",
               "it": "Decisioni considerate: {period}.", "en": "Decisions considered: {period}."},
    "no_doctrine": {
        "de": "Literatur ist nicht eingeflossen.", "fr": "La doctrine n'a pas été prise en compte.",
        "it": "La dottrina non è stata considerata.", "en": "Legal literature did not go into this memo."},
    "gap": {"de": "Zu «{term}» wurde keine Stelle gefunden.", "fr": "Aucun passage n'a été trouvé sur « {term} ».",
            "it": "Nessun passaggio è stato trovato su «{term}».", "en": "No passage was found on “{term}”."},
    "part": {"de": "Kein Befund nennt die Wörter dieses Teils der Frage; ob er beantwortet ist, ist zu prüfen: «{part}»",
             "fr": "Aucune constatation ne reprend les mots de cette partie de la question, à vérifier : « {part} »",
             "it": "Nessun accertamento riprende le parole di questa parte della domanda, da verificare: «{part}»",
             "en": "No finding has the words of this part of the question; look whether it is answered: “{part}”"},
    "step_read": {
        "de": "{citation} im Volltext lesen.", "fr": "Lire {citation} en entier.", "it": "Leggere per intero {citation}.",
        "en": "Read {citation} in full."},
    "step_open": {
        "de": "Offene Fundstellen prüfen: {citations}.", "fr": "Vérifier les références ouvertes : {citations}.",
        "it": "Verificare i riferimenti aperti: {citations}.", "en": "Check the citations that are open: {citations}."},
    "step_article": {
        "de": "{citation} und die Kommentierung dazu beiziehen.", "fr": "Consulter {citation} et ses commentaires.",
        "it": "Consultare {citation} e i relativi commenti.", "en": "Consult {citation} and the commentaries on it."},
    "step_again": {
        "de": "Die Suche wiederholen, sobald {sources} wieder antworten.",
        "fr": "Répéter la recherche lorsque {sources} répondront de nouveau.",
        "it": "Ripetere la ricerca quando {sources} risponderanno di nuovo.",
        "en": "Repeat the search when {sources} answer again."},
    "step_conflict": {
        "de": "Prüfen, was nach der Änderung der Praxis gilt ({citations}).",
        "fr": "Vérifier ce qui vaut depuis le changement de jurisprudence ({citations}).",
        "it": "Verificare ciò che vale dopo il cambiamento di giurisprudenza ({citations}).",
        "en": "See what holds since practice changed ({citations})."},
    "terms_by_rules": {
        "de": "Das Sprachmodell gab zur Frage keine brauchbare Antwort; die Suchbegriffe fanden Regeln.",
        "fr": "Le modèle de langue n'a pas donné de réponse utilisable à la question ; les termes ont été trouvés par des règles.",
        "it": "Il modello linguistico non ha dato una risposta utilizzabile; i termini sono stati trovati da regole.",
        "en": "The language model gave no usable answer to the question; the terms were found by rules."},
    "findings_by_rules": {
        "de": "Das Sprachmodell gab zu den Stellen keine brauchbare Antwort.",
        "fr": "Le modèle de langue n'a pas donné de réponse utilisable sur les passages.",
        "it": "Il modello linguistico non ha dato una risposta utilizzabile sui passaggi.",
        "en": "The language model gave no usable answer on the passages."},
    "over_deadline": {
        "de": "Die Zeit des Laufs war um; das Memo enthält, was bis dahin gefunden wurde.",
        "fr": "Le temps de l'exécution était écoulé ; le mémo contient ce qui avait été trouvé jusque-là.",
        "it": "Il tempo dell'esecuzione è scaduto; la nota contiene quanto trovato fino ad allora.",
        "en": "The time of the run was over; the memo holds what was found until then."},
    "over_by_hand": {
        "de": "Der Lauf war vorzeitig zu Ende; eine Person liess das Memo aus dem erstellen, was bis dahin gefunden wurde.",
        "fr": "L'exécution s'était arrêtée avant la fin ; une personne a fait établir le mémo avec ce qui avait été trouvé jusque-là.",
        "it": "L'esecuzione era finita prima del tempo; una persona ha fatto redigere la nota con quanto trovato fino ad allora.",
        "en": "The run had ended before its time; a person had the memo made of what was found until then."},
    "over_refusal": {
        "de": "Das Sprachmodell hat die Antwort verweigert; seinen Teil haben Regeln übernommen.",
        "fr": "Le modèle de langue a refusé de répondre ; des règles ont pris sa place.",
        "it": "Il modello linguistico ha rifiutato di rispondere; regole hanno preso il suo posto.",
        "en": "The language model refused to answer; rules took its place."},
    "over_content_filter": {
        "de": "Der Filter des Anbieters hielt die Antwort des Sprachmodells zurück; seinen Teil haben Regeln übernommen.",
        "fr": "Le filtre du fournisseur a retenu la réponse du modèle de langue ; des règles ont pris sa place.",
        "it": "Il filtro del fornitore ha trattenuto la risposta del modello linguistico; regole hanno preso il suo posto.",
        "en": "The provider's filter withheld the answer of the language model; rules took its place."},
    "over_model": {
        "de": "Vom Sprachmodell war keine Antwort zu haben; seinen Teil haben Regeln übernommen.",
        "fr": "Aucune réponse n'a pu être obtenue du modèle de langue ; des règles ont pris sa place.",
        "it": "Dal modello linguistico non è stato possibile ottenere una risposta; regole hanno preso il suo posto.",
        "en": "No answer was to be had from the language model; rules took its place."},
}  # fmt: skip
LANGUAGE_NAMES: Mapping[str, Mapping[str, str]] = {
    "de": {"de": "Deutsch", "fr": "Französisch", "it": "Italienisch", "en": "Englisch"},
    "fr": {"de": "allemand", "fr": "français", "it": "italien", "en": "anglais"},
    "it": {"de": "tedesco", "fr": "francese", "it": "italiano", "en": "inglese"},
    "en": {"de": "German", "fr": "French", "it": "Italian", "en": "English"},
}


def say(name: str, language: str, **values: object) -> str:
    """A sentence in a language, with its values filled in once."""
    return PHRASES[name][language if language in PHRASES[name] else "en"].format(**values)
