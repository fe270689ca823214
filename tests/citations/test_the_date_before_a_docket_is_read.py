"""Zürich writes the date in front of the docket: it is kept, and stays outside of the citation's own words."""

from citations.extract import extract
from tests.cases import cases


@cases(
    ("text", "date"),
    [
        ("VGr, 3. Mai 2023, VB.2021.00456, E. 2.1", "2023-05-03"),
        ("OGer ZH vom 3. Mai 2021, LB200012, E. 3", "2021-05-03"),
        ("Tribunal cantonal VD, 5 mai 2022, AC.2021.0101", "2022-05-05"),
        ("Urteil vom 12.04.2021 (4A_12/2020) E. 3", "2021-04-12"),
        ("eingereicht am 3. Mai 2023; vgl. 4A_12/2020", None),
    ],
)
def test_it_keeps_the_date_in_front_of_a_docket(text: str, date: str | None):
    (mention,) = extract(text)
    assert mention.data.get("date_before") == date
    assert mention.date is None


def test_the_date_behind_a_docket_comes_first():
    (mention,) = extract("Urteil vom 3. Mai 2021, 4A_12/2020 vom 4. Mai 2021")
    assert mention.date == "2021-05-04"
    assert "date_before" not in mention.data
