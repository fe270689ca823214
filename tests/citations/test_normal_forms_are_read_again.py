"""A normal form is a citation: what is read in it is the same work, whatever the language it came from."""

from citations.extract import extract
from citations.mention import Mention
from tests.citations.table import sentences

OF_THEIR_WORDS = ("ambiguous", "back_reference", "no_antecedent", "unknown_chamber")
"""What only the words around it make a citation, or one certain work."""


def stands_alone(mention: Mention) -> bool:
    """Acts of cantons are named by the words around them, a commentary by a margin number behind it."""
    if mention.kind == "doctrine" or (mention.kind == "statute" and not mention.data.get("sr")):
        return False
    return mention.normalized is not None and mention.reason not in OF_THEIR_WORDS


def test_a_normal_form_is_read_as_itself():
    mentions = [mention for sentence in sentences() for mention in extract(sentence.text)]
    names = {(mention.kind, str(mention.normalized)) for mention in mentions if stands_alone(mention)}
    read = {name: [(one.kind, one.normalized) for one in extract(name[1])] for name in names}
    assert len(names) > 500
    assert {name: found for name, found in read.items() if found != [name]} == {}
