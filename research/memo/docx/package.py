"""A package with reproducible bytes: no clock, fixed order."""

import zipfile
from io import BytesIO

from docx.document import Document as Docx

BEFORE_ALL_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest date in a ZIP archive
FIRST = ("[Content_Types].xml", "_rels/.rels")


def pack(docx: Docx) -> bytes:
    """The bytes of the document."""
    written = BytesIO()
    docx.save(written)
    packed = BytesIO()
    with zipfile.ZipFile(written) as found, zipfile.ZipFile(packed, "w") as made:
        names = sorted(found.namelist(), key=lambda name: (name not in FIRST, name))
        for name in names:
            entry = zipfile.ZipInfo(name, BEFORE_ALL_TIME)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            made.writestr(entry, found.read(name), compresslevel=6)
    return packed.getvalue()
