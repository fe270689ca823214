"""Letters of other alphabets that look like Latin ones: ``Аllianz`` with a Cyrillic A is not ``Allianz``.

The pairs are those of Unicode's table of confusable characters (UTS 39) that look alike in common typefaces, for the
alphabets that names of companies and tokens are faked with: Cyrillic, Greek and Armenian.
"""

import unicodedata

_LIKE = dict(
    zip(
        "АВЕКМНОРСТХУІЈЅԌԜавекмнорстхуіјѕԁһԛԝɡΑΒΕΖΗΙΚΜΝΟΡΤΥΧανοριօսոհց",
        "ABEKMHOPCTXYIJSGWaBeKMHopcTxyijsdhqwgABEZHIKMNOPTYXavopiounhg",
        strict=True,
    )
)
_TABLE = str.maketrans(_LIKE)


def latin_reading(name: str) -> str:
    """The name as it looks to a reader of Latin letters, or an empty text when it has no such letters.

    A name of which some letters remain foreign (``Газпром``) is a name of its own alphabet and looks like nothing.
    """
    composed = unicodedata.normalize("NFKC", name)
    reading = composed.translate(_TABLE)
    if reading == composed or not all(_is_latin(letter) for letter in reading if letter.isalpha()):
        return ""
    return reading


def _is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")
