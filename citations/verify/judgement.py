"""What is said of a citation: how it stands with an authority, and what the text says of it that does not agree.

| verdict | means | check |
|---|---|---|
| start | a decision begins on this page of the official collection | pass |
| exists | the authority has it | pass |
| interior | the page lies within a decision, as far as the list tells | warn |
| nonexistent | it does not exist; ``reason`` names the part that is impossible | fail |
| not_found_here | the authority does not have it, and does not have everything | unknown |
| undecidable | the list cannot say: the volume is still open, or no list was imported | unknown |
| unknown | nobody was asked, nobody could answer, or there is nobody to ask | unknown |
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from citations.mention import Mention

Verdict: TypeAlias = Literal[
    "start", "exists", "interior", "nonexistent", "not_found_here", "undecidable", "unknown"
]
Check: TypeAlias = Literal["pass", "warn", "unknown", "fail"]
CHECKS: Mapping[Verdict, Check] = {
    "start": "pass",
    "exists": "pass",
    "interior": "warn",
    "nonexistent": "fail",
    "not_found_here": "unknown",
    "undecidable": "unknown",
    "unknown": "unknown",
}
OPEN: frozenset[Verdict] = frozenset(("undecidable", "unknown"))
_GRAVER: tuple[Check, ...] = ("pass", "warn", "unknown", "fail")


@dataclass(frozen=True, slots=True)
class Standing:
    """What an authority says of a work, wherever it is cited; ``as_of`` is the ISO date of the authority's word."""

    verdict: Verdict
    reason: str
    message: str
    authority: str = ""
    url: str = ""
    as_of: str = ""
    evidence: dict[str, Any] = field(default_factory=dict)
    suggestions: tuple[str, ...] = ()

    @property
    def check(self) -> Check:
        """The verdict in the words of every check."""
        return CHECKS[self.verdict]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was held against the authority: ``code`` is date, court, pinpoint, quote, practice or law."""

    code: str
    check: Check
    message: str
    evidence: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgement:
    """One citation of a text with everything that is said of it."""

    mention: Mention
    standing: Standing
    findings: tuple[Finding, ...] = ()

    @property
    def check(self) -> Check:
        """The gravest of all."""
        return gravest([self.standing.check, *(finding.check for finding in self.findings)])

    def as_json(self) -> dict[str, Any]:
        """The document of ``citations verify --json``: that of ``extract`` with its verdict, and what it rests on."""
        standing = self.standing
        return {
            **self.mention.as_json(),
            "verdict": standing.verdict,
            "reason": standing.reason,
            "suggestions": list(standing.suggestions or self.mention.candidates) or None,
            "check": self.check,
            "message": standing.message,
            "source": standing.authority,
            "url": standing.url,
            "as_of": standing.as_of,
            "evidence": shown(standing.evidence),
            "findings": [
                {"code": one.code, "check": one.check, "message": one.message, "evidence": one.evidence}
                for one in self.findings
            ],
        }


def shown(evidence: dict[str, Any]) -> dict[str, Any]:
    """The evidence without the lists that only later citations are held against."""
    decisions = evidence.get("decisions")
    if not isinstance(decisions, list):
        return evidence
    short = [{key: value for key, value in one.items() if key != "considerations"} for one in decisions]
    return {**evidence, "decisions": short}


def gravest(checks: Iterable[Check]) -> Check:
    """``unknown`` before ``warn``: a warning is an answer, what is unknown may yet turn out to be a failure."""
    return max(checks, key=_GRAVER.index, default="pass")
