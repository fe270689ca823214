"""Sentences for GLEIF's reasons for not reporting an accounting parent."""

from research.jsontext import JsonObject

EXCEPTIONS = {
    "NATURAL_PERSONS": "it is controlled by natural persons without a consolidating company between; natural persons "
    "are not in this register",
    "NO_KNOWN_PERSON": "it knows of no person that controls it, as is usual where shares are widely held",
    "NON_CONSOLIDATING": "whoever controls it does not have to consolidate its accounts, so owners may exist that this "
    "register does not show",
    "NO_LEI": "its parent has no LEI, or does not consent to having one",
    "NON_PUBLIC": "the relationship is not public",
    "LEGAL_OBSTACLES": "the law of its country forbids it to report the parent",
    "CONSENT_NOT_OBTAINED": "the parent did not consent to being reported",
    "BINDING_LEGAL_COMMITMENTS": "it is bound by a legal commitment not to report the parent",
    "BINDING_LEGAL_RESTRICTIONS": "it is bound by a legal restriction not to report the parent",
    "DETRIMENT_NOT_EXCLUDED": "reporting the parent might be to someone's detriment",
    "DISCLOSURE_DETRIMENTAL": "reporting the parent would be to someone's detriment",
    "DISCOLSURE_DETRIMENTAL": "reporting the parent would be to someone's detriment",  # GLEIF's own spelling
}
WITHHELD = frozenset(EXCEPTIONS) - {"NATURAL_PERSONS", "NO_KNOWN_PERSON", "NON_CONSOLIDATING", "NO_LEI"}


def exception_sentences(name: str, parents: JsonObject) -> list[tuple[str, str]]:
    """(sentence, reason) for each level at which no parent is reported; one for both where the reason is the same.

    "Allianz SE reports no direct parent: the relationship is not public (NON_PUBLIC)."
    """
    reasons = {
        level: str(parents[level].get("reason") or "")
        for level in ("direct", "ultimate")
        if parents[level]["kind"] == "exception"
    }
    if len(reasons) == 2 and reasons["direct"] == reasons["ultimate"]:
        reasons = {"direct or ultimate": reasons["direct"]}
    return [(_sentence(name, level, reason), reason) for level, reason in reasons.items()]


def _sentence(name: str, level: str, reason: str) -> str:
    unknown = "its reason is not explained here" if reason else "the reason is not on record"
    tail = f" ({reason})" if reason else ""
    return f"{name} reports no {level} parent: {EXCEPTIONS.get(reason, unknown)}{tail}."
