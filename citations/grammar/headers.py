"""What a PDF's page break leaves inside a citation: ``- 12 -``, ``- 3/9 - A/1234/2023``, ``A-1234/2023 Pagina 5``."""

_DOCKET = r"(?:[A-Z]{1,4}[-/.]\d{1,6}/(?:19|20)\d\d|\d[A-Z]_\d{1,4}/(?:19|20)\d\d)"
DASHED = rf"[-–]\s*+\d{{1,4}}(?:\s*+/\s*+\d{{1,4}})?\s*+[-–](?:\s*+{_DOCKET})?"
HEADER = (
    DASHED
    + rf"|(?:{_DOCKET}\s++)?(?:Seite|Page|Pagina|page|pagina)\s++\d{{1,4}}(?:\s*+(?:/|von|de|di|sur|su|of)\s*+\d{{1,4}})?"
)
"""A pattern without groups that carry names; bounded, so that it never runs away."""
BREAK = rf"\s*+(?:(?:{HEADER})\s*+)?"
"""What may stand between two words: blanks, and the head of a page."""
