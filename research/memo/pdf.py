"""A memo as PDF, set by typst: tagged (PDF/UA-1), made for the archive (PDF/A-3a), with the memo's data attached.

The compiler and the fonts come as Python packages, so nothing of the machine is needed, and the same document gives
the same bytes everywhere. Only for a character that none of these fonts has are the machine's own asked. What no font
has is shown by its number, and the memo says so under its limitations.
"""

import json
import logging
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import typst
from django.conf import settings

from research.errors import FormatUnavailable
from research.memo.blocks import Document
from research.memo.markdown import shown
from research.memo.paper import as_data

TEMPLATE = Path(settings.BASE_DIR) / "config" / "templates" / "memo" / "memo.typ"
FONTS = (
    *("fontpkg_source_serif_4", "fontpkg_source_sans_3"),
    *("pylopdf_fonts_ar", "pylopdf_fonts_he", "pylopdf_fonts_hi", "pylopdf_fonts_th"),
    "noto_cjk_sans_otc",  # available with the extra "cjk"
)
MAX_CHARACTERS = 1_000_000  # characters of JSON: about three hundred pages, five seconds and 0.8 GB
TRIES = 6
_LACKING = re.compile(r'the (?:text|PDF contains the codepoint) `"((?:\\.|[^"\\])+)"`')
_NUMBERED = re.compile(r"\\u\{([0-9a-f]+)\}")
log = logging.getLogger(__name__)


def as_pdf(document: Document, data: bytes) -> bytes:
    """The pages of the document, with ``data`` (JSON) attached.

    Raises:
        FormatUnavailable: the document is too large, or cannot be typeset.
    """
    lacking: set[str] = set()
    fonts, drawn = own_fonts(), True
    for _ in range(TRIES):
        try:
            return _set(_told(document, lacking, drawn), data.decode(), fonts)
        except typst.TypstError as error:
            found = set(_characters(error.diagnostic)) - lacking
            if not found and drawn:
                drawn = False  # joined letters, as of Arabic or Thai, cannot be told to a reader from within a picture
                continue
            if not found:
                log.exception("a memo could not be set: %s", error.diagnostic)
                break
        if fonts is _all_fonts():
            lacking |= found
        fonts = _all_fonts()
    raise FormatUnavailable("this memo could not be set as PDF; take HTML or DOCX")


def can_set(text: str) -> bool:
    """Whether the fonts here have every character of a text."""
    source = f'#set document(title: "{text}")\n{text}'.encode()
    try:
        typst.Compiler(font_paths=_all_fonts()).compile(source, format="pdf", pdf_standards=["ua-1"])
    except typst.TypstError:
        return False
    return True


def _told(document: Document, lacking: set[str], drawn: bool) -> str:
    """The document as JSON for the template: missing characters as numbers, pictures as lists unless ``drawn``."""
    numbers = str.maketrans({character: f"[U+{ord(character):04X}]" for character in lacking})
    after = _confession(document.words["lacking"], document.words["signs"], lacking) if lacking else ""
    told = as_data(document, lambda text: shown(text).translate(numbers), after, drawn=drawn)
    memo = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    if len(memo) > MAX_CHARACTERS:
        raise FormatUnavailable(
            f"this memo is too large for PDF ({len(memo):,} characters); take HTML or DOCX"
        )
    return memo


def _set(memo: str, data: str, fonts: typst.Fonts) -> bytes:
    """Compile with a new compiler: threads cannot share one, and a reused one keeps its inputs."""
    compiler = typst.Compiler(font_paths=fonts, root=TEMPLATE.parent)
    written = compiler.compile(
        _template(),
        format="pdf",
        sys_inputs={"memo": memo, "data": data},
        pdf_standards=[
            "a-3a",
            "ua-1",
        ],  # with the second a character that no font has is an error, no silent box
        timestamp=0,
    )
    return cast(bytes, written)


def _characters(diagnostic: str) -> Iterator[str]:
    """Characters that typst could not show. For a letter with marks, the marks first."""
    for told in _LACKING.findall(diagnostic):
        text = _NUMBERED.sub(lambda found: chr(int(found[1], 16)), told)
        yield from [each for each in text if not each.isalpha()] or text


def _confession(words: str, signs: str, lacking: Iterable[str]) -> str:
    """The sentence on missing scripts, each named after its letters."""
    names = {
        unicodedata.name(each, signs).split()[0].title() if unicodedata.category(each)[0] in "LM" else signs
        for each in lacking
    }
    scripts = ", ".join(sorted("CJK" if name == "Cjk" else name for name in names))
    return words.replace("{scripts}", scripts).replace("{example}", f"[U+{ord(min(lacking)):04X}]")


@cache
def _template() -> bytes:
    return TEMPLATE.read_bytes()


@cache
def own_fonts() -> typst.Fonts:
    """Fonts from packages, including those in the compiler."""
    return typst.Fonts(include_system_fonts=False, font_paths=_folders())


@cache
def _all_fonts() -> typst.Fonts:
    """All fonts, including those installed on this machine."""
    return typst.Fonts(include_system_fonts=True, font_paths=_folders())


def _folders() -> list[Path]:
    found = filter(None, map(find_spec, FONTS))
    return [Path(folder) for spec in found for folder in spec.submodule_search_locations or ()]
