"""What somebody claimed beside an LEI, against its record: name, place, register number, form, category, parent."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from entities import lei as iso17442
from entities.gleif.jurisdictions import country_of, jurisdiction_code
from entities.gleif.policy import Policy, Verdict
from entities.gleif.records import Level, ParentAnswer, Record
from entities.gleif.verdicts import QUOTE, JsonObject, LeiCheck, evidence_of, quoted
from entities.names.matching import LEGAL_NAME, NameMatch, best_name, normalise_name, variant_kind

FREE_TEXT_FORMS = ("8888", "9999")  # ISO 20275: a form that has no code (yet), given in words
_ELF = re.compile(r"[0-9A-Z]{4}")
_NUMBER = re.compile(r"[^0-9A-Z]+")


@dataclass(frozen=True)
class Claim:
    """An LEI as somebody stated it, with what they stated beside it, if anything.

    ``registered_as`` is the number in the business register ``registered_at`` (GLEIF's code, such as RA000242),
    ``legal_form`` an ELF code (ISO 20275) or a form as people write it, ``parent`` the LEI or the name of a parent.
    """

    lei: str
    name: str | None = None
    jurisdiction: str | None = None
    registered_as: str | None = None
    registered_at: str | None = None
    legal_form: str | None = None
    category: str | None = None
    parent: str | None = None


def check_name(claimed: str, record: Record, policy: Policy) -> LeiCheck:
    """pass: the legal name; warn: another name of the entity, or a similar one; fail: below the threshold."""
    match = best_name(claimed, record.names)
    evidence = evidence_of("entity.legalName", seen=record.legal_name, claimed=claimed[:500]) | {
        "matched": match.variant.name,
        "type": match.variant.type,
        "language": match.variant.language,
        "score": round(match.score, 1),
        "stripped": list(match.stripped),
        "explanation": match.explanation[:500],
    }
    verdict: Verdict = "warn"
    if match.score < policy.name_fails_below:
        verdict = "fail"
    elif match.score >= policy.name_passes:
        verdict = "pass" if match.variant.type == LEGAL_NAME else policy.other_name
    return LeiCheck("name", verdict, _name_message(claimed, record, match, policy), evidence)


def _name_message(claimed: str, record: Record, match: NameMatch, policy: Policy) -> str:
    said, legal = quoted(claimed), quoted(record.legal_name)
    kind, why = variant_kind(match.variant), match.relation
    if match.score >= policy.name_passes and match.variant.type == LEGAL_NAME:
        return f"The legal name is “{legal}”" + (
            ", as claimed." if why == "the same" else f"; “{said}” is {why}."
        )
    if match.score < policy.name_fails_below:
        return f"No name of this entity is “{said}”; its legal name is “{legal}” ({why})."
    if match.variant.type == LEGAL_NAME:
        return f"“{said}” is close to the legal name “{legal}”, but not the same ({why})."
    if match.score >= policy.name_passes:
        return f"“{said}” is a name of this entity, of type {kind}; its legal name is “{legal}”."
    matched = quoted(match.variant.name)
    return f"“{said}” is close to “{matched}”, of type {kind} ({why}); the legal name is “{legal}”."


def check_jurisdiction(claimed: str, record: Record) -> LeiCheck:
    """Country and subdivision against the jurisdiction; the headquarters alone are not the jurisdiction."""
    wanted, seen = jurisdiction_code(claimed), record.jurisdiction or record.legal_country
    evidence = evidence_of("entity.jurisdiction", seen=seen, claimed=claimed[:QUOTE]) | {
        "legal_country": record.legal_country,
        "headquarters_country": record.hq_country,
    }
    verdict, message = _place(quoted(claimed), wanted, seen, record)
    return LeiCheck("jurisdiction", verdict, message, evidence)


def _place(said: str, wanted: str, seen: str, record: Record) -> tuple[Verdict, str]:
    if not seen:
        return "unknown", f"The register states no jurisdiction to compare with the claimed “{said}”."
    if not wanted:
        return (
            "unknown",
            f"The claimed jurisdiction “{said}” is not a place we know; the register says {seen}.",
        )
    if wanted == seen:
        return "pass", f"The jurisdiction is {seen}, as claimed."
    if wanted == country_of(seen):
        return "pass", f"The jurisdiction is {seen}, within {wanted} as claimed."
    return _other_place(wanted, seen, record)


def _other_place(wanted: str, seen: str, record: Record) -> tuple[Verdict, str]:
    country = country_of(wanted)
    if country == country_of(seen):
        return (
            "warn",
            f"The jurisdiction is {seen}, the claim says {wanted}: same country, another subdivision.",
        )
    if country == record.legal_country:
        return "warn", f"The jurisdiction is {seen}; {wanted} is only where the legal address is."
    if country == record.hq_country:
        return "warn", f"The jurisdiction is {seen}; {wanted} is only where the headquarters are."
    return "fail", f"The jurisdiction is {seen}, the claim says {wanted}."


def check_registration_number(claimed: str, authority: str, record: Record) -> LeiCheck:
    """A number is unique in its register only, so that the register counts as well where it is known."""
    seen, wanted = _plain_number(record.registered_as), _plain_number(claimed)
    evidence = evidence_of("entity.registeredAs", seen=record.registered_as, claimed=claimed[:QUOTE]) | {
        "authority_seen": record.registered_at,
        "authority_claimed": authority[:QUOTE],
    }
    verdict, message = _number(quoted(claimed), quoted(authority), seen == wanted, record)
    return LeiCheck("registration_number", verdict, message, evidence)


def _number(said: str, authority: str, same: bool, record: Record) -> tuple[Verdict, str]:
    number, register = quoted(record.registered_as), quoted(record.registered_at)
    if not number:
        return "unknown", f"The register states no number in a business register to compare with “{said}”."
    if not same:
        return "fail", f"The entity is registered under “{number}”, the claim says “{said}”."
    if not (authority and register):
        return "warn", f"The number “{number}” is the one claimed, but not in which business register."
    if authority.upper() != register.upper():
        return "fail", f"The number “{number}” is in the business register {register}, not in {authority}."
    return "pass", f"The entity is registered under “{number}” in {register}, as claimed."


def _plain_number(text: str) -> str:
    """ "HRB 164 232" is "HRB164232"."""
    return _NUMBER.sub("", text.upper())


def check_legal_form(claimed: str, record: Record) -> LeiCheck:
    """A code against the code, words against the form that the legal name ends in."""
    code = claimed.upper()
    evidence = evidence_of("entity.legalForm", seen=record.legal_form, claimed=claimed[:QUOTE]) | {
        "other": record.legal_form_text[:QUOTE]
    }
    coded = _ELF.fullmatch(code) is not None and any(map(str.isdigit, code))
    if record.legal_form in FREE_TEXT_FORMS:
        words = f", in words “{quoted(record.legal_form_text)}”" if record.legal_form_text else ""
        text = f"The register has no code for the legal form{words}; the claim says “{quoted(claimed)}”."
        return LeiCheck("legal_form", "warn", text, evidence)
    verdict, message = _coded_form(code, record) if coded else _worded_form(claimed, record)
    return LeiCheck("legal_form", verdict, message, evidence)


def _coded_form(code: str, record: Record) -> tuple[Verdict, str]:
    if not record.legal_form:
        return "unknown", f"The register states no legal form to compare with {code}."
    if record.legal_form == code:
        return "pass", f"The legal form is {code}, as claimed."
    return "fail", f"The legal form is {quoted(record.legal_form)}, the claim says {code}."


def _worded_form(claimed: str, record: Record) -> tuple[Verdict, str]:
    said, seen = normalise_name(f"x {claimed}").forms, normalise_name(record.legal_name).forms
    words = quoted(claimed)
    if not said or not seen:
        text = f"“{words}” cannot be compared with the legal form {quoted(record.legal_form) or '(none)'}"
        return (
            "unknown",
            f"{text}: neither is a code, or the legal name “{quoted(record.legal_name)}” has none.",
        )
    if {*said} & {*seen}:
        return "pass", f"The legal name “{quoted(record.legal_name)}” has the form “{words}”, as claimed."
    return "fail", f"The legal name “{quoted(record.legal_name)}” has another form than “{words}”."


def check_category(claimed: str, record: Record) -> LeiCheck:
    """What kind of entity was meant: GENERAL is a company, FUND and BRANCH are not."""
    wanted, seen = claimed.strip().upper(), record.category
    evidence = evidence_of("entity.category", seen=seen, claimed=claimed[:QUOTE])
    if not seen:
        return LeiCheck("category", "unknown", "The register states no category.", evidence)
    if wanted == seen:
        return LeiCheck("category", "pass", f"The category is {_words(seen)}, as claimed.", evidence)
    text = f"The category is {_words(seen)}; {_words(wanted)} was meant."
    return LeiCheck("category", "warn", text, evidence)


def check_parent(claimed: str, answers: Mapping[Level, ParentAnswer] | None, policy: Policy) -> LeiCheck:
    """A claimed parent against the reported direct and ultimate one, or against the reasons for reporting none.

    ``answers`` None: the register was not asked.
    """
    evidence = evidence_of("parent", seen=_seen_parents(answers or {}), claimed=claimed[:QUOTE])
    if answers is None:
        text = f"Whether “{quoted(claimed)}” is a parent was not looked up."
        return LeiCheck("parent", "unknown", text, evidence)
    verdict, message = _parent(claimed, answers, policy)
    return LeiCheck("parent", verdict, message, evidence)


def _parent(claimed: str, answers: Mapping[Level, ParentAnswer], policy: Policy) -> tuple[Verdict, str]:
    said = quoted(claimed)
    records = {level: answer.record for level, answer in answers.items() if answer.record}
    for level, record in records.items():
        if _is_parent(claimed, record, policy):
            return "pass", f"The {level} parent is {record.lei} (“{quoted(record.legal_name)}”), as claimed."
    if records:
        named = " and ".join(f"{r.lei} (“{quoted(r.legal_name)}”)" for r in records.values())
        return "fail", f"The reported parents are {named}, the claim says “{said}”."
    reasons = dict.fromkeys(answer.reason or "no reason" for answer in answers.values() if answer.exception)
    if reasons:
        words = " and ".join(_words(reason) for reason in reasons)
        return policy.parent_exception, f"No parent is reported ({words}), the claim says “{said}”."
    return "warn", f"The register reports no parent and no reason for that; the claim says “{said}”."


def _is_parent(claimed: str, record: Record, policy: Policy) -> bool:
    found = iso17442.check_format(claimed)
    if found.ok:
        return found.lei == record.lei
    return best_name(claimed, record.names).score >= policy.name_passes


def _seen_parents(answers: Mapping[Level, ParentAnswer]) -> JsonObject:
    return {
        level: {"lei": answer.record.lei, "name": answer.record.legal_name[:500]}
        if answer.record
        else {"reason": answer.reason or None}
        for level, answer in answers.items()
    }


def _words(code: str) -> str:
    return quoted(code.replace("_", " ").lower())
