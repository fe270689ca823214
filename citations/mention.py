"""What the extractor reports: one citation at one place of a text."""

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Language: TypeAlias = Literal["de", "fr", "it", "en"]
LANGUAGES: tuple[Language, ...] = ("de", "fr", "it", "en")


@dataclass(slots=True)
class Mention:
    """A citation in a text; ``text[start:end] == raw``, offsets in Unicode code points.

    ``name_end`` is where the name ends and date and pinpoints begin; for the last article of a statute citation it
    is where its act begins.

    ``normalized`` is the canonical form (``BGE 142 III 239``, ``Art. 97 Abs. 1 OR``), the same in all
    languages; None when the words point back to something that is not there. ``lead`` is where the words that
    introduce a docket begin (``Urteil des Bundesgerichts``), or ``start``. ``candidates`` are the readings
    when there is more than one, ``reason`` says in a word what is particular: ambiguous, former_law,
    unknown_act, unknown_form, back_reference, no_antecedent, unpublished_part. ``data`` holds the parts of statutes,
    doctrine and journals, and ``date_before``: the date that stands in front of a docket, outside of ``raw``.
    """

    raw: str
    start: int
    end: int
    kind: str
    normalized: str | None
    pinpoints: list[str] = field(default_factory=list)
    lead: int = -1
    name_end: int = -1
    date: str | None = None
    candidates: tuple[str, ...] = ()
    reason: str | None = None
    data: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.lead < 0:
            self.lead = self.start
        if self.name_end < 0:
            self.name_end = self.end

    def as_json(self) -> dict[str, Any]:
        """The document of ``citations extract --json``; what is not verified says so."""
        return {
            "raw": self.raw,
            "start": self.start,
            "end": self.end,
            "kind": self.kind,
            "normalized": self.normalized,
            "pinpoints": self.pinpoints,
            "verdict": "unchecked",
            "reason": self.reason,
            "suggestions": list(self.candidates) or None,
        }
