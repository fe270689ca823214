"""Whole numbers from one to ninety-nine in English, German, French and Italian, Swiss and Belgian words among them."""

import re

from common.wording import folded

UNITS = (
    "one ein eine un une uno una",
    "two zwei deux due",
    "three drei trois tre",
    "four vier quatre quattro",
    "five fünf cinq cinque",
    "six sechs sei",
    "seven sieben sept sette",
    "eight acht huit otto",
    "nine neun neuf nove",
    "ten zehn dix dieci",
    "eleven elf onze undici",
    "twelve zwölf douze dodici",
    "thirteen dreizehn treize tredici",
    "fourteen vierzehn quatorze quattordici",
    "fifteen fünfzehn quinze quindici",
    "sixteen sechzehn seize sedici",
    "seventeen siebzehn dix-sept diciassette",
    "eighteen achtzehn dix-huit diciotto",
    "nineteen neunzehn dix-neuf diciannove",
)
TENS = (
    "twenty zwanzig vingt venti",
    "thirty dreissig dreißig trente trenta",
    "forty vierzig quarante quaranta",
    "fifty fünfzig cinquante cinquanta",
    "sixty sechzig soixante sessanta",
    "seventy siebzig septante settanta",
    "eighty achtzig huitante ottanta",
    "ninety neunzig nonante novanta",
)
_LINK = re.compile(r"[- ]+(?:et[- ]+)?")


def _compounds() -> dict[str, int]:
    """Folded, with a hyphen between words: twenty-one, einundzwanzig, soixante-onze, ventuno."""
    found: dict[str, int] = {}
    english, german, french, italian = (
        [folded(words.split()[place]) for words in UNITS] for place in (0, 1, -2, -1)
    )
    french[0] = "un"
    for number, words in enumerate(TENS, start=2):
        en, de, *_, fr, it = map(folded, words.split())
        for unit in range(1, 10):
            value = 10 * number + unit
            ending = italian[unit - 1] if unit != 1 else "uno"
            found[f"{en}-{english[unit - 1]}"] = found[f"{german[unit - 1]}und{de}"] = value
            found[f"{fr}-{french[unit - 1]}"] = value
            found |= {f"{fr}-une": value} if unit == 1 else {}
            found[(it[:-1] if ending[0] in "uo" else it) + ending] = value
    found |= {f"soixante-{word}": 60 + unit for unit, word in enumerate(french, start=1)}
    found |= {f"quatre-vingt-{word}": 80 + unit for unit, word in enumerate(french, start=1)}
    return found | {"quatre-vingt": 80, "quatre-vingts": 80, "octante": 80}


_VALUES = {
    **{folded(word): unit for unit, words in enumerate(UNITS, start=1) for word in words.split() if unit > 1},
    **{folded(word): 10 * ten for ten, words in enumerate(TENS, start=2) for word in words.split()},
    **_compounds(),
}
PATTERN = "|".join(
    word.replace("-", "[- ](?:et[- ])?") for word in sorted(_VALUES, key=lambda word: (-len(word), word))
)
"""A number in folded words; "one" is not among them, as it is an article too."""


def value_of(words: str) -> int:
    """The value of folded words that the pattern has matched."""
    return _VALUES[_LINK.sub("-", words)]
