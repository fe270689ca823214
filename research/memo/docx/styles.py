"""Styles of a DOCX memo: those of python-docx's template, redefined, and a few of our own."""

from docx.document import Document as Docx
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_LINE_SPACING
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor
from docx.styles.style import CharacterStyle, ParagraphStyle

from research.memo.blocks import Look
from research.memo.docx.xml import element

LANGUAGES = {"de": "de-CH", "fr": "fr-CH", "it": "it-CH", "en": "en-GB"}
TYPEFACES = {"serif": ("Times New Roman", "Arial"), "sans": ("Calibri", "Calibri")}
SIZES = {"small": 10, "normal": 11, "large": 13}
ACCENTS = {"ink": "14171A", "blue": "1F4E86", "green": "235A3B", "burgundy": "7A2340"}
QUIET = "57606A"
COLOURS = {
    "MemoQuiet": QUIET,
    "MemoPass": "116329",
    "MemoWarning": "7D4E00",
    "MemoFailure": "A40E26",
    "MemoUnknown": QUIET,
}
STYLES = {
    "strong": "Strong",
    "new": "Strong",
    "em": "Emphasis",
    "code": "MemoCode",
    "quiet": "MemoQuiet",
    "old": "MemoRemoved",
    "pass": "MemoPass",
    "warn": "MemoWarning",
    "fail": "MemoFailure",
    "unknown": "MemoUnknown",
}


def set_styles(docx: Docx, look: Look, language: str) -> None:
    """Typeface, sizes, spacing, colours and the language of spell checking."""
    text, display = TYPEFACES[look.typeface]
    size, accent = SIZES[look.size], ACCENTS[look.accent]
    _defaults(docx, LANGUAGES[language])
    _paragraph(docx, "Normal", text, size, after=5, line=1.12)
    _paragraph(docx, "Title", display, size + 9, accent, bold=True, after=2)
    _paragraph(docx, "Subtitle", display, size - 2, QUIET, after=0)
    _paragraph(docx, "Heading 1", display, size + 2.5, accent, bold=True, before=16, after=5)
    _paragraph(docx, "Heading 2", display, size + 0.5, bold=True, before=11, after=3)
    _paragraph(docx, "Heading 3", display, size - 0.5, "3A4149", bold=True, before=8, after=2)
    _paragraph(docx, "Quote", text, size, "3A4149", after=5)
    _paragraph(docx, "Caption", display, size - 2, QUIET, before=4, after=3)
    _paragraph(docx, "Header", display, 8.5, QUIET)
    _paragraph(docx, "Footer", display, 8.5, QUIET)
    for name in ("List Bullet", "List Bullet 2", "List Bullet 3", "List Number"):
        _paragraph(docx, name, text, size, after=2, line=1.1)
    _own(docx, text, display, size, accent)
    _rule(docx.styles["Title"], "top", accent)
    _rule(docx.styles["Heading 1"], "bottom", accent)


def _own(docx: Docx, text: str, display: str, size: float, accent: str) -> None:
    _new(docx, "Footnote Text", "FootnoteText", text, size - 2, after=1)
    _new(docx, "Memo Status", "MemoStatus", display, size - 1, bold=True, before=4, after=8)
    _new(docx, "Memo Letterhead", "MemoLetterhead", display, size, accent, bold=True, after=14)
    _new(docx, "Memo Contents", "MemoContents", display, size - 1, after=1)
    _new(
        docx,
        "Memo Contents Heading",
        "MemoContentsHeading",
        display,
        size - 1,
        accent,
        bold=True,
        before=8,
        after=2,
    )
    _new(docx, "Memo Name", "MemoName", display, size - 2, QUIET, after=1)
    _new(docx, "Memo Value", "MemoValue", text, size - 0.5, after=1)
    _new(docx, "Memo Cell", "MemoCell", display, size - 2.5, before=1, after=1)
    _new(docx, "Memo Cell Head", "MemoCellHead", display, size - 2.5, bold=True, before=1, after=1)
    _new(docx, "Memo Item", "MemoItem", text, size, after=2).paragraph_format.left_indent = Mm(4)
    _new(docx, "Memo Small", "MemoSmall", text, size - 2, "3A4149", after=3)
    for name, colour in COLOURS.items():
        _character(docx, name).font.color.rgb = RGBColor.from_string(colour)
    docx.styles["MemoFailure"].font.bold = True
    _character(docx, "MemoRemoved").font.strike = True
    code = _character(docx, "MemoCode").font
    code.name, code.size = "Courier New", Pt(size - 2)
    _character(docx, "FootnoteReference", "Footnote Reference").font.superscript = True


def _defaults(docx: Docx, language: str) -> None:
    """The default language: that of the memo's own words."""
    for tag in docx.styles.element.iter(qn("w:lang")):
        tag.set(qn("w:val"), language)
        tag.set(qn("w:bidi"), "ar-SA")
    settings = docx.settings.element
    for tag in settings.iter(qn("w:themeFontLang")):
        tag.set(qn("w:val"), language)


def _new(docx: Docx, name: str, style_id: str, *look: object, **more: object) -> ParagraphStyle:
    style = docx.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
    style.element.set(qn("w:styleId"), style_id)
    style.base_style = docx.styles["Normal"]
    _paragraph(docx, name, *look, **more)  # type: ignore[arg-type]
    return style  # type: ignore[no-any-return]


def _character(docx: Docx, style_id: str, name: str = "") -> CharacterStyle:
    style = docx.styles.add_style(name or style_id, WD_STYLE_TYPE.CHARACTER)
    style.element.set(qn("w:styleId"), style_id)
    return style  # type: ignore[no-any-return]


def _paragraph(
    docx: Docx,
    name: str,
    typeface: str,
    size: float,
    colour: str = "14171A",
    *,
    bold: bool = False,
    before: float = 0,
    after: float = 0,
    line: float = 1.0,
) -> None:
    style = docx.styles[name]
    assert isinstance(style, ParagraphStyle)  # noqa: S101  the names are ours
    font, form = style.font, style.paragraph_format
    font.size, font.bold, font.italic = Pt(size), bold, False
    font.color.rgb = RGBColor.from_string(colour)
    # Set it for every script. Otherwise the typeface of a theme overrides it.
    style.font.name = typeface
    fonts = style.element.rPr.rFonts
    for attribute in [key for key in fonts.attrib if key.endswith("Theme")]:
        del fonts.attrib[attribute]
    for script in ("ascii", "hAnsi", "cs"):
        fonts.set(qn(f"w:{script}"), typeface)
    form.space_before, form.space_after = Pt(before), Pt(after)
    form.line_spacing_rule, form.line_spacing = WD_LINE_SPACING.MULTIPLE, line
    form.widow_control = True
    if name.startswith("Heading"):
        form.keep_with_next = True


def _rule(style: object, side: str, colour: str) -> None:
    """A line above or below a paragraph."""
    properties = style.element.get_or_add_pPr()  # type: ignore[attr-defined]
    for old in properties.findall(qn("w:pBdr")):
        properties.remove(old)
    size = "12" if side == "top" else "6"
    edge = element(side, val="single", sz=size, space="4", color=colour)
    properties.insert_element_before(
        element("pBdr", [edge]),
        "w:shd",
        "w:tabs",
        "w:suppressAutoHyphens",
        "w:spacing",
        "w:ind",
        "w:jc",
        "w:outlineLvl",
    )
