"""What GLEIF's reasons for reporting no accounting parent mean, in a sentence."""

EXCEPTIONS = {
    "NATURAL_PERSONS": "it is controlled by natural persons without a consolidating company between; natural persons "
    "are not in this register",
    "NO_KNOWN_PERSON": "it knows of no person that controls it (often diversified shareholding)",
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


def exception_sentence(name: str, level: str, reason: str) -> str:
    """ "Allianz SE reports no direct parent: it knows of no person that controls it (…) (NO_KNOWN_PERSON).\""""
    meaning = EXCEPTIONS.get(
        reason, "its reason is not explained here" if reason else "the reason is not on record"
    )
    return f"{name} reports no {level} parent: {meaning}{f' ({reason})' if reason else ''}."
