"""PDFs made by hand: as small as the format allows, and as broken as a test wants them."""

import zlib
from collections.abc import Sequence
from io import BytesIO

from pypdf import PdfReader, PdfWriter


def pdf(*pages: str, title: str = "", lang: str = "", packed: Sequence[bytes] = ()) -> bytes:
    """A PDF with one line of text a page; ``packed`` are content streams to take as they are, deflated already."""
    streams = [zlib.compress(f"BT /F1 12 Tf 50 700 Td ({page}) Tj ET".encode("latin-1")) for page in pages]
    streams += packed
    count = len(streams)
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(count))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {f'/Lang ({lang})' if lang else ''} >>".encode(),
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, stream in enumerate(streams):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> "
            + f"/Contents {5 + 2 * number} 0 R >>".encode()
        )
        head = f"<< /Length {len(stream)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + stream + b"\nendstream")
    if title:
        objects.append(f"<< /Title ({title}) >>".encode())
    return _file(objects, info=len(objects) if title else 0)


def encrypted(body: bytes, password: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(body)))
    writer.encrypt(password, algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def _file(objects: Sequence[bytes], info: int) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    known = f" /Info {info} 0 R" if info else ""
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R{known} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)
