"""What a question of law is about, in four languages, found without a model."""

from datetime import date

from research.engine.legal.interpretation import period, understand
from research.engine.legal.language import language_of
from research.engine.legal.places import CANTONS, find_cantons
from research.engine.legal.terms import concepts, find_concepts, named
from tests.cases import cases

TODAY = date(2026, 11, 21)

# question, language, domain, key terms, cantons
QUESTIONS = [
    ("Was sind die Voraussetzungen für Mängelhaftung im Werkvertrag?", "de", "contract", ["Mängelhaftung", "Werkvertrag"], []),
    ("Wann verjähren Mängelrechte beim Kaufvertrag?", "de", "contract", ["Mängelrechte", "Kaufvertrag"], []),
    ("Ist eine fristlose Kündigung während der Krankheit zulässig?", "de", "employment", ["fristlose Kündigung"], []),
    ("Missbräuchliche Kündigung: Praxis des Obergerichts Zürich", "de", "employment", ["missbräuchliche Kündigung"], ["ZH"]),
    ("Haftung des Verwaltungsrats nach Art. 754 OR", "de", "company", ["Verwaltungsrat", "Art. 754 OR"], []),
    ("Kündigungsschutz des Mieters im Kanton Bern", "de", "tenancy", ["Kündigungsschutz"], ["BE"]),
    ("Wie wird der Kindesunterhalt nach der Scheidung berechnet?", "de", "family", ["Kindesunterhalt", "Scheidung"], []),
    ("Pflichtteil und Testament in der Erbengemeinschaft", "de", "succession", ["Pflichtteil", "Testament"], []),
    ("Untersuchungshaft nach Art. 221 StPO", "de", "criminal_procedure", ["Untersuchungshaft", "Art. 221 StPO"], []),
    ("Steuerdomizil zwischen Zug und Zürich", "de", "tax", ["Steuerdomizil"], ["ZG", "ZH"]),
    ("Wegrecht im Grundbuch, Kanton AG", "de", "property", ["Wegrecht", "Grundbuch"], ["AG"]),
    ("Provisorische Rechtsöffnung und Schuldanerkennung", "de", "debt_enforcement", ["provisorische Rechtsöffnung"], []),
    ("Baubewilligung ausserhalb der Bauzone im Wallis", "de", "planning", ["Baubewilligung", "Bauzone"], ["VS"]),
    ("Familiennachzug einer Drittstaatsangehörigen", "de", "migration", ["Familiennachzug"], []),
    ("IV-Rente bei Depression", "de", "social_insurance", ["IV-Rente"], []),
    ("OGer ZH Praxis Konkurrenzverbot", "de", "employment", ["Konkurrenzverbot"], ["ZH"]),
    ("Geldwäscherei durch Unterlassen", "de", "criminal", ["Geldwäscherei"], []),
    ("Hat die AG Anspruch auf rechtliches Gehör?", "de", "administrative", ["rechtliches Gehör"], []),
    ("Quelles sont les conditions de la garantie des défauts dans le contrat d'entreprise?", "fr", "contract", ["garantie des défauts", "contrat d'entreprise"], []),
    ("Licenciement abusif: jurisprudence vaudoise depuis 2018", "fr", "employment", ["licenciement abusif"], ["VD"]),
    ("Résiliation du bail à Genève pour loyer impayé", "fr", "tenancy", ["résiliation du bail", "loyer"], ["GE"]),
    ("mainlevée provisoire selon l'art. 82 LP", "fr", "debt_enforcement", ["mainlevée provisoire", "Art. 82 SchKG"], []),
    ("Droit d'être entendu: art. 29 al. 2 Cst.", "fr", "administrative", ["droit d'être entendu", "Art. 29 Abs. 2 BV"], []),
    ("Escroquerie et astuce (art. 146 CP)", "fr", "criminal", ["escroquerie", "Art. 146 StGB"], []),
    ("Conditions du regroupement familial, canton de Vaud", "fr", "migration", ["regroupement familial"], ["VD"]),
    ("Rente d'invalidité et méthode mixte", "fr", "social_insurance", ["rente d'invalidité"], []),
    ("Permis de construire en droit fribourgeois", "fr", "planning", ["permis de construire"], ["FR"]),
    ("Autorité parentale et garde de l'enfant dans le canton du Jura", "fr", "family", ["autorité parentale"], ["JU"]),
    ("Responsabilité du détenteur de véhicule automobile", "fr", "road_traffic", ["responsabilité du détenteur"], []),
    ("Secret bancaire et rétrocessions", "fr", "finance", ["secret bancaire", "rétrocessions"], []),
    ("Quali sono le condizioni della garanzia per i difetti nel contratto d'appalto?", "it", "contract", ["garanzia per i difetti", "contratto d'appalto"], []),
    ("Licenziamento immediato: giurisprudenza ticinese", "it", "employment", ["licenziamento immediato"], ["TI"]),
    ("Sfratto del conduttore in Ticino", "it", "tenancy", ["sfratto"], ["TI"]),
    ("rigetto dell'opposizione art. 80 LEF", "it", "debt_enforcement", ["rigetto dell'opposizione", "Art. 80 SchKG"], []),
    ("Contributo di mantenimento dopo il divorzio", "it", "family", ["contributo di mantenimento", "divorzio"], []),
    ("licenza edilizia fuori dalla zona edificabile nei Grigioni", "it", "planning", ["licenza edilizia", "zona edificabile"], ["GR"]),
    ("assicurazione invalidità e rendita d'invalidità", "it", "social_insurance", ["assicurazione invalidità"], []),
    ("Zürich cantonal court practice on employment termination", "en", "employment", ["employment termination"], ["ZH"]),
    ("BGE on construction contract defects", "en", "contract", ["construction contract", "defects"], []),
    ("What is the limitation period for liability for defects in a contract for work?", "en", "contract", ["limitation period", "liability for defects", "contract for work"], []),
    ("Unfair dismissal in Geneva since 2019", "en", "employment", ["unfair dismissal"], ["GE"]),
    ("Directors' liability under Swiss law", "en", "company", ["directors' liability"], []),
    ("Is unlawfully obtained evidence admissible in criminal proceedings?", "en", "criminal_procedure", ["unlawfully obtained evidence", "criminal proceedings"], []),
    ("Abuse of a dominant position before 2012", "en", "competition", ["abuse of a dominant position"], []),
    ("Recognition of foreign judgments in Basel", "en", "private_international", ["recognition of foreign judgments"], ["BS"]),
]  # fmt: skip


@cases(("question", "language", "domain", "terms", "cantons"), QUESTIONS)
def test_it_finds_language_domain_terms_and_cantons(question, language, domain, terms, cantons):
    found = understand(question, "", TODAY)
    assert found.language == language
    assert found.domains[0] == domain
    said = found.as_json()["keyTerms"]
    assert [term for term in terms if term not in said] == []
    assert sorted(found.cantons) == sorted(cantons)
    assert found.is_searchable


@cases(
    ("question", "federal"),
    [
        ("Zürich cantonal court practice on employment termination", False),
        ("Kantonale Praxis zum Mietzins in Basel", False),
        ("Kantonale Praxis zum Mietzins in Basel und BGE dazu", True),
        ("Missbräuchliche Kündigung im Kanton Bern", True),
        ("Kantonale Praxis zum Mietzins", True),
    ],
)
def test_the_federal_supreme_court_counts_unless_cantons_alone_are_asked_for(question, federal):
    assert understand(question, "", TODAY).federal is federal


@cases(
    ("text", "since", "until"),
    [
        ("seit 2013", "2013-01-01", None),
        ("depuis 2018", "2018-01-01", None),
        ("dal 2015", "2015-01-01", None),
        ("since 2019", "2019-01-01", None),
        ("zwischen 2010 und 2015", "2010-01-01", "2015-12-31"),
        ("entre 2010 et 2015", "2010-01-01", "2015-12-31"),
        ("from 2010 to 2015", "2010-01-01", "2015-12-31"),
        ("2010-2015", "2010-01-01", "2015-12-31"),
        ("in den letzten 5 Jahren", "2021-01-01", None),
        ("ces 10 dernières années", "2016-01-01", None),
        ("the last 3 years", "2023-01-01", None),
        ("bis 2012", None, "2012-12-31"),
        ("vor 2012", None, "2011-12-31"),
        ("avant 2012", None, "2011-12-31"),
        ("BGE 142 III 239", None, None),
        ("Art. 2010 OR", None, None),
    ],
)
def test_the_time_that_is_meant(text, since, until):
    found = tuple(day.isoformat() if day else None for day in period(text, TODAY))
    assert found == (since, until)


@cases(
    ("text", "codes"),
    [
        ("Kanton Zürich", ["ZH"]),
        ("zürcherische Praxis", ["ZH"]),
        ("Bern und Genf", ["BE", "GE"]),
        ("Basel-Landschaft", ["BL"]),
        ("canton de Bâle-Campagne", ["BL"]),
        ("Basler Kommentar", []),
        ("Berner Konvention", []),
        ("St. Gallen", ["SG"]),
        ("Zug um Zug", []),
        ("im Zug der Revision", []),
        ("Obergericht Zug", ["ZG"]),
        ("Kanton AG", ["AG"]),
        ("die AG haftet", []),
        ("VGer ZH VB.2021.00456", ["ZH"]),
        ("KANTON BERN", ["BE"]),
        ("MANGEL IM WERK SO GE BE", []),
        ("droit neuchâtelois", ["NE"]),
        ("Appenzell Ausserrhoden", ["AR"]),
    ],
)
def test_cantons_are_named_in_many_ways(text, codes):
    assert find_cantons(text) == codes


def test_every_canton_has_a_language_of_its_courts():
    assert len(CANTONS) == 26
    assert all(set(canton.languages) <= {"de", "fr", "it"} for canton in CANTONS.values())


def test_the_language_of_a_canton_is_searched_too():
    assert understand("Unfair dismissal in Geneva", "", TODAY).languages == ("en", "fr")


def test_the_case_adds_terms_behind_those_of_the_question():
    found = understand("Werkvertrag", "Der Besteller hat die Verjährung eingewendet.", TODAY)
    assert found.concepts == ("contract for work", "limitation period")


@cases("question", ["", "   ", "asdf", "???", "12 34", "Wie ist das?", "\x00"])
def test_a_question_about_nothing_is_not_searchable(question):
    assert not understand(question, "", TODAY).is_searchable


def test_words_that_no_table_knows_are_searched_as_they_stand():
    found = understand("Gilt das Bienenschwarmrecht noch?", "", TODAY)
    assert found.terms == ("Bienenschwarmrecht",)
    assert found.domains == ()


def test_hostile_text_is_read_in_no_time():
    found = understand("Art. " * 5_000 + "Werkvertrag " * 5_000, "x" * 100_000, TODAY)
    assert len(found.question) <= 5_000


@cases("concept", concepts(), ids=lambda one: one.name)
def test_every_word_of_the_table_finds_a_concept_of_its_domain(concept):
    for language, names in concept.words.items():
        for name in names:
            found = find_concepts(name)
            assert found, f"{name} ({language})"
    assert named(concept.words["de"][0]) is not None


def test_the_longest_reading_is_meant():
    names = [hit.concept.name for hit in find_concepts("résiliation du contrat de travail")]
    assert names == ["termination of employment"]


@cases(
    ("text", "language"),
    [("Wer haftet für den Schaden?", "de"), ("Qui répond du dommage?", "fr"), ("Chi risponde del danno?", "it"),
     ("Who is liable?", "en"), ("", "de"), ("xyz", "de")],
)  # fmt: skip
def test_the_language_of_a_text(text, language):
    assert language_of(text) == language


@cases(
    ("question", "language"),
    [
        ("Haftung des Verwaltungsrats. Quelles sont les conditions? Quels sont les délais?", "de"),
        (
            "Quelle est la responsabilité du tuteur? Wie haftet der Vormund? Welche Fristen gelten dafür?",
            "fr",
        ),
        ("Chi risponde del danno? Who is liable? Who pays? What does the court say about it?", "it"),
        ("Who is liable? Wer haftet für den Schaden, und wie lange?", "en"),
        ("Wann gilt eine condition suspensive comme réalisée im Mietvertrag?", "de"),
        ("Quelles sont les conditions du Werkvertrag et de la Mängelrüge?", "fr"),
        ("Perché dovrebbe essere punito chi fotografa minorenni?", "it"),
        ("Does Willensmangel or Grundlagenirrtum void a contract?", "en"),
    ],
)
def test_the_memo_is_in_the_first_language_of_the_question(question, language):
    assert understand(question, "", TODAY).language == language


@cases(
    ("question", "terms"),
    [
        ("Inwiefern können Vereine weshalb wessen Bienenstöcke beanspruchen?", ("Verein", "Bienenstöcke", "beanspruchen")),
        ("Braucht jemand für Drohnenflüge überhaupt etwas?", ("Drohnenflüge",)),
        ("Pourquoi faudrait-il que lesquels exploitent des drones?", ("exploitent", "drones")),
        ("Lorsque les influenceurs doivent payer, auxquels leurs abonnés peuvent-ils recourir?",
         ("influenceurs", "payer", "abonnés", "recourir")),
        ("Quanto tempo deve essere conservata la segnaletica?", ("tempo", "conservata", "segnaletica")),
        ("Perché dovrebbero essere puniti quelli che fotografano?", ("puniti", "fotografano")),
        ("Whether and when should somebody who could fly drones?", ("drones",)),
        ("Why would beekeepers whose hives have swarmed need something?", ("beekeepers", "hives", "swarmed")),
    ],
)  # fmt: skip
def test_question_words_are_no_search_terms(question, terms):
    assert understand(question, "", TODAY).terms == terms
