"""German cases tell who does it to whom in whatever order; what stands in front of a sentence is no actor."""

from common.entailment import compare
from tests.cases import cases


@cases(
    ("claim", "passage"),
    [
        ("Der Verkäufer schuldet dem Käufer den Preis.", "Dem Verkäufer schuldet der Käufer den Preis"),
        ("Die Klägerin schuldet der Beklagten Zins.", "Der Klägerin schuldet die Beklagte Zins"),
        ("Der Vormund erteilt dem Mündel Auskunft.", "dem Vormund erteilt das Mündel Auskunft"),
        ("Der alte Vormund erteilt einem Mündel Rat.", "Dem alten Vormund erteilt ein Mündel Rat"),
        ("Der Darleiher hat der Borgerin Geld zu zahlen.", "hat die Borgerin dem Darleiher Geld zu zahlen"),
        ("Der Hund beisst den Briefträger.", "Den Hund beisst der Briefträger"),
        ("La cliente a trompé la banque.", "La banque a trompé la cliente"),
        ("The fund sued the bank.", "The bank sued the fund"),
        ("The fund sued the bank.", "The fund was sued by the bank"),
        ("The bank was sued by a fund.", "a fund was sued by the bank"),
        ("Il fondo paga una rendita alla cassa.", "la cassa paga una rendita al fondo"),
        ("Die Mutter verklagt das Kind.", "Das Kind verklagt die Mutter"),
        ("Seine Tante beerbt diese Nichte.", "Seiner Tante beerbt diese Nichte"),
    ],
)
def test_a_noun_in_another_case_does_not_do_the_same(claim, passage):
    assert compare(claim, passage)[0] != "said"


@cases(
    ("claim", "passage"),
    [
        ("Der Verkäufer schuldet dem Käufer die Ware.", "Dem Käufer schuldet der Verkäufer die Ware"),
        ("Der Verkäufer verklagte den Käufer.", "Den Käufer verklagte der Verkäufer"),
        ("The fund sued the bank.", "the bank was sued by the fund"),
        ("La banque a trompé la cliente.", "dans le contrat, la banque a trompé la cliente"),
        ("Il fondo paga una rendita alla cassa.", "alla cassa il fondo paga una rendita"),
        ("Alpha acquired Beta in Zurich.", "In Zurich Alpha acquired Beta"),
        ("Alpha acquired Beta in January.", "In January Alpha acquired Beta"),
        ("Alpha kaufte Beta Ende März.", "Ende März kaufte Alpha Beta"),
        ("Die Gesellschaft beschäftigte Ende 2022 Mieter.", "Ende 2022 beschäftigte die Gesellschaft Mieter"),
        ("Northgate acquired 51 per cent of Lowell.", "In May Northgate acquired 51% of Lowell"),
        ("Der Mieter kündigte den Vertrag.", "der Mieter kündigte den Vertrag fristlos"),
    ],
)
def test_another_order_with_the_same_cases_says_the_same(claim, passage):
    assert compare(claim, passage) == ("said", "")


@cases(
    ("claim", "passage"),
    [
        ("Alpha acquired Beta in Zurich.", "In Zurich Beta acquired Alpha"),
        ("Alpha sold the house to Beta.", "Beta sold the house to Alpha"),
        ("The director from Alpha sued Beta.", "The director from Beta sued Alpha"),
        ("The director of Alpha sued a partner of Beta.", "The director of Beta sued a partner of Alpha"),
    ],
)
def test_a_phrase_in_front_hides_no_other_actor(claim, passage):
    assert compare(claim, passage)[0] == "otherwise"
