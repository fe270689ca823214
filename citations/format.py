"""Writes one citation in a language, in the courts' own style."""

from typing import Literal, TypeAlias

from citations.grammar.dates import written
from citations.grammar.statutes import TREATIES
from citations.language import COURTS, LABELS, SERIES, sentence, write_pinpoints
from citations.mention import Language, Mention
from citations.statutes import european
from citations.statutes.acts import Act, ActTable, built_in

Style: TypeAlias = Literal["short", "long"]


def format_mention(
    mention: Mention, language: Language, *, style: Style = "short", acts: ActTable | None = None
) -> str:
    """The citation as a court of that language writes it; ``long`` writes the name of an act in full.

    What has no form of its own in the language (commentaries, journals, identifiers) keeps its canonical one.
    """
    if mention.normalized is None:
        return mention.raw
    if mention.kind == "statute" and mention.data:
        return format_statute(mention, language, style, acts or built_in())
    name = _name(mention, language)
    if mention.date:
        name = f"{name} {_of(mention.date, language)}"
    pins = write_pinpoints(mention.pinpoints, language)
    if not pins:
        return name
    return f"{name}, {pins}" if language == "en" else f"{name} {pins}"


def _of(date: str, language: Language) -> str:
    day = written(date, language)
    if language == "it" and day.startswith(("8 ", "11 ")):
        return f"dell'{day}"
    return f"{LABELS['vom'][language]} {day}"


def _name(mention: Mention, language: Language) -> str:
    head, _, rest = str(mention.normalized).partition(" ")
    if head == "BBl" and rest[:4] < ONE_PAGING:
        return f"{mention.data.get('written', head)} {rest}"
    if mention.kind == "eu_act":
        return european.written(str(mention.normalized), language)
    if head in SERIES:
        return f"{SERIES[head][language]} {rest}"
    judgment = LABELS["Urteil"][language]
    if head == "BGer":
        return f"{judgment} {rest}"
    if mention.kind in COURTS and head != "TPF":
        return f"{judgment} {COURTS[mention.kind][language]} {rest}"
    return str(mention.normalized)


ONE_PAGING = "2021"
"""Before this year the pages of BBl and FF differ: a page stays with the gazette that it was named by."""
OTHER_TREATIES = frozenset(("UNO-Pakt I", "UNO-Pakt II", "KRK", "FZA"))


def format_statute(mention: Mention, language: Language, style: Style, acts: ActTable) -> str:
    """``Art. 97 Abs. 1 OR``, ``art. 97 al. 1 du Code des obligations``."""
    data = mention.data
    sign = LABELS["Art."][language] if data["sign"] == "Art." else data["sign"]
    pieces = [sign, data["article"]]
    in_treaty = data["act"] in TREATIES and [label for label, _ in data["parts"]].count("Abs.") == 0
    for label, value in data["parts"]:
        word = LABELS["par." if label == "Ziff." and in_treaty else label][language]
        if label == "Abs." and data["act"] in OTHER_TREATIES and language in ("fr", "it"):
            word = "par."
        pieces.append(sentence(value, language) if label == "Satz" else f"{word} {value}")
    if data["follow"]:
        pieces.append(LABELS[data["follow"]][language])
    return " ".join([*pieces, act_name(data["act"], language, acts, style)])


def act_name(key: str, language: Language, acts: ActTable, style: Style = "short") -> str:
    """The act of a canonical form in a language; one that no table has stays as it is."""
    annex, former = "", ""
    if key.startswith("Anhang "):
        _, number, key = key.split(" ", 2)
        annex = f"{LABELS['Anhang'][language]} {number} "
    elif key.startswith(("SchlB ", "ÜbBest ")):
        part, _, key = key.partition(" ")
        annex = f"{LABELS[part][language]} "
    if key.startswith("a") and key[1:2].isupper():
        former, key = "a", key[1:]
    act = acts.named(key)
    if act is None:
        return annex + former + (european.of_act(key, language))
    if style == "long" and not (annex or former) and (name := _in_full(act, language, acts)):
        return name
    return annex + former + act.abbreviation(language)


def _in_full(act: Act, language: Language, acts: ActTable) -> str:
    name = acts.full_name(act.key, language)
    return (
        f"{_article(name, language)}{name} ({act.abbreviation(language)}; {_number(language)} {act.number})"
        if name
        else ""
    )


def _number(language: Language) -> str:
    return "SR" if language in ("de", "en") else "RS"


def _article(name: str, language: Language) -> str:
    if language == "en":
        return "of the "
    if language == "de":
        feminine = name.endswith(("verfassung", "ordnung", "konvention", "Eidgenossenschaft"))
        return "der " if feminine else "des "
    first = name.split(maxsplit=1)[0]
    if language == "fr":
        return "de l'" if first[0] in "AEIOUÉaeiou" else "du " if first == "Code" else "de la "
    return "dell'" if first[0] in "AEIOU" else "del " if first == "Codice" else "della "
