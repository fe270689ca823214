"""From which score on a likeness is a hit, which lists must be looked at, and how old they may be. Values only.

No authority sets a threshold: OFAC leaves it to the user's own assessment of risk. What is expected is that it is
written down with its reason, tried on altered names of listed persons before it is used, and not raised only because
there are many hits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from entities.models.screening import OfficialList


class BadScreeningPolicy(ValueError):
    """A value that the policy cannot have; the message is one sentence for a person."""


@dataclass(frozen=True)
class Policy:
    """Scores are 0 to 100. A list whose last good download is older than ``max_age_days`` is old."""

    person_threshold: float = 80.0
    company_threshold: float = 80.0
    max_age_days: int = 3
    lists: tuple[str, ...] = tuple(OfficialList.values)

    def threshold(self, kind: str) -> float:
        """For an entry of this kind."""
        return self.person_threshold if kind == "person" else self.company_threshold

    def with_values(self, values: Mapping[str, str]) -> "Policy":
        """This policy with other values. Raises BadScreeningPolicy."""
        known = {each.name for each in fields(self)}
        if unknown := [name for name in values if name not in known]:
            raise BadScreeningPolicy(
                f"The policy has no “{unknown[0][:60]}”; it has {', '.join(sorted(known))}."
            )
        read = {
            name: _lists(text) if name == "lists" else _number(name, text) for name, text in values.items()
        }
        return replace(self, **read)  # type: ignore[arg-type]

    def as_values(self) -> dict[str, str]:
        """Everything as text: ``Policy().with_values(policy.as_values()) == policy``."""
        return {
            "person_threshold": f"{self.person_threshold:g}",
            "company_threshold": f"{self.company_threshold:g}",
            "max_age_days": str(self.max_age_days),
            "lists": ",".join(self.lists),
        }


def _number(name: str, text: str) -> float | int:
    least, most = (1, 365) if name == "max_age_days" else (50, 100)
    try:
        number = int(text) if name == "max_age_days" else float(text)
    except ValueError:
        raise BadScreeningPolicy(f"{name} is a number, not “{text[:60]}”.") from None
    if not least <= number <= most:
        raise BadScreeningPolicy(f"{name} lies between {least} and {most}, not at {text[:60]}.")
    return number


def _lists(text: str) -> tuple[str, ...]:
    words = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
    for word in words:
        if word not in OfficialList.values:
            raise BadScreeningPolicy(
                f"There is no list “{word[:40]}”; there are {', '.join(OfficialList.values)}."
            )
    if not words:
        raise BadScreeningPolicy("The policy names at least one list.")
    return words
