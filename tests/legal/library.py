"""Decisions in our own words: no court has ever said what stands here."""

from tests.court_server import hit

BGE = ("CH", "CH_BGE", "CH_BGE_004")
FIRST = hit(
    "BGE 130 III 362",
    """Sachverhalt
A. Der Besteller nahm das Dach im Frühjahr ab.
Erwägungen:
4.
4.1 Beim Werkvertrag hat der Besteller das Werk nach der Ablieferung zu prüfen, sobald es nach dem Geschäftsgang tunlich ist.
4.2 Die Mängelhaftung im Werkvertrag setzt voraus, dass das Werk vom Vertrag abweicht und der Besteller den Mangel rechtzeitig rügt (Art. 367 Abs. 1 OR; BGE 118 II 142 E. 3b).
4.3 Wer die Rüge versäumt, hat das Werk genehmigt.
""",
    identifier="CH_BGE_004_BGE-130-III-362_2004",
    places=BGE,
    date="2004-01-01",
    abstract="Werkvertrag; Mängelhaftung. Voraussetzungen der Mängelhaftung des Unternehmers (E. 4).",
)
SECOND = hit(
    "4A_231/2016",
    """Erwägungen:
2.
2.1 Nach der Rechtsprechung trifft den Unternehmer die Mängelhaftung aus Werkvertrag auch ohne Verschulden (BGE 130 III 362 E. 4.2).
2.2 Ob die Mängelrüge am zehnten Tag noch rechtzeitig war, kann offen bleiben, da die Beschwerdegegnerin sie gelten liess.
2.3 Die in BGE 118 II 142 vertretene Auffassung wurde mit der Änderung der Rechtsprechung in BGE 130 III 362 aufgegeben.
""",
    date="2016-07-12",
    title="Bundesgericht I. Zivilrechtliche Abteilung 12.07.2016 4A_231/2016 Werkvertrag Mängelhaftung",
)
FRENCH = hit(
    "4A_51/2007",
    """Considérant en droit:
4.
4.1 Dans le contrat d'entreprise, la garantie des défauts suppose que l'ouvrage ne soit pas conforme à ce que les parties ont convenu (ATF 130 III 362 consid. 4.2).
""",
    date="2007-09-11",
    language="fr",
    title="Tribunal fédéral 11.09.2007 4A_51/2007 contrat d'entreprise garantie des défauts",
)
ZURICH = hit(
    " LB170012",
    """Erwägungen:
3.
3.1 Die missbräuchliche Kündigung eines Arbeitsvertrags gibt dem Arbeitnehmer eine Entschädigung; die Kündigung bleibt gültig.
3.2 Eine Kündigung des Arbeitsverhältnisses aus wirtschaftlichen Gründen ist nicht missbräuchlich (Urteil 4A_19/2015 vom 20. Mai 2015).
""",
    places=("ZH", "ZH_OG", "ZH_OG_001"),
    date="2018-03-05",
    title="Zürich Obergericht 05.03.2018 LB170012 Kündigung des Arbeitsverhältnisses",
)
ARTICLE = hit(
    "BGE 141 III 106",
    """Erwägungen:
5.
5.1 Durch den Werkvertrag nach Art. 363 OR verpflichtet sich der Unternehmer zur Herstellung eines Werkes gegen eine Vergütung.
""",
    identifier="CH_BGE_004_BGE-141-III-106_2015",
    places=BGE,
    date="2015-01-01",
    abstract="Art. 363 OR; Werkvertrag.",
)
DECISIONS = (FIRST, SECOND, FRENCH, ZURICH, ARTICLE)
