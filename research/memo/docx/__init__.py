"""A memo as DOCX: real styles, real footnotes, a table of contents, the same bytes for the same document."""

from research.memo.docx.writer import as_docx

__all__ = ["as_docx"]
