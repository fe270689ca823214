"""Texts made to be slow to read: what grammars look for, repeated without the end they wait for.

Each atom begins or continues something (``Art. ``, ``, ``, ``E. 3``), so that a repetition of one, two or three of them
is a list that never ends, a name that never closes or an anchor at every place.
"""

import itertools
import random
from collections.abc import Iterator

ATOMS = (
    "Art. 1", "art. 1a ", "Abs. 1 ", "lit. a ", "al. 2 ", "cpv. 3", "Ziff. 4 ", "Satz 1 ", "1re phrase ",
    "§ 3 ", "i.V.m. ", " und ", ", ", "; ", " et ", " e ", "-", "– ", "(", ")", "[", "(1)", " ff.", " ss",
    "bis ", "1 ", "12", "2020", "0 1", "BGE 1", "BGE 145 III 229", "bge ", "ATF ", " III ", "146 IV 1",
    "E. 3", "E. 3.2.", "consid. 4c", "S. 12", "p. 3 s.", "4A_1", "_1", "4A_1/", "/2020", "/20", "//20",
    "I 402/0", "A-1", "C-1/1", "12345/09", "SK.2019.", ".2020.1", "VB.2020.", "LB2300", "ZK 14 1",
    "100 2021 ", "20", "ATA/1", "ATA/1/", "CREP 3 juin 2020", "HC / 2020 / ", "CC 1", "Obergericht ",
    "Tribunal cantonal ", "Nidwalden ", " NW ", "Urteil vom 3. Mai 2020", "nicht publ. ",
    "mit Hinweisen auf ", "a.a.O.", "op. cit., ", "ibid. ", "ebenda", "BSK ", "BSK OR I-", "Muster",
    "Muster/", "Muster, ", "Basler Kommentar", "Kommentar, ", "N 1", "N. 3 zu ", "3. Aufl. 2020",
    "JdT 2019 ", "ZBl 1", "BBl ", "ECLI:CH:", "10.1000/", "arXiv:", "arXiv:2101.", "- 3/9 -", " Seite 3",
    "\n", "  ", "\t", "a", "A", "Ä", "’", ".", "der ", "vom ", "OR", "Bundesgesetz über ", "de la loi ",
    "deutschen ", "aArt. 2", "Vor Art. ", "VPB 1", "TPF 2010 ", "BVGE 2011/", "MKGE 1", "BRGE I", "PE22.00",
    "E. 3 des ", "des Urteils ", "consid. 4 de l'", "arrêt du ", "C-311/18, ", "Rn. 80 ", "Aufl. 2019, ",
    "MUSTER/", " 3. ", "éd. ", "Rz. 1", "ASA 80 ", "AJP/PJA ", "Jusletter ", "ATA / 1 / ", "(1)(2)", "point (",
    "O2022_", "­", "a-\n", "- 7 -\n", "lll ", "l4O", "alt ", "anc. ", "c und d", ", 235",
)  # fmt: skip


def repeated(pieces: tuple[str, ...], length: int) -> str:
    """``length`` characters of the pieces one after the other."""
    unit = "".join(pieces)
    return (unit * (length // len(unit) + 1))[:length]


def patterns(count: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Every atom alone, then pairs and triples drawn with the seed, ``count`` of them."""
    yield from ((atom,) for atom in ATOMS)
    draw = random.Random(seed)  # noqa: S311 - texts, no secrets
    for width in itertools.islice(itertools.cycle((2, 3)), count):
        yield tuple(draw.choice(ATOMS) for _ in range(width))
