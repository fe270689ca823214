"""Checks a bundle of Dossier's audit trail: python3 verify.py [FOLDER] [--key KEY] [--head FILE]
or that a memo stands in the trail: python3 verify.py --memo MEMO.json --key KEY

Needs nothing but Python 3.9 and the files of the bundle. KEY is the public key as Dossier's operator told you (else the
one in the bundle is believed), FILE a head that you kept: then the log that it was the head of must be the beginning of
this one. MEMO.json is a memo as JSON; a PDF has it as an attachment. Exit 1, and the first faults, when anything does
not fit. The signatures are Ed25519 (RFC 8032), the log is a Merkle tree (RFC 6962, proofs as in RFC 9162).
"""

import argparse
import base64
import hashlib
import json
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

Point = Tuple[int, int, int, int]
Key = Tuple[bytes, bytes]
Note = Tuple[str, List[str]]

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SHOWN = 20
FINAL = ("decision:", "rollback:")  # rows that never change
LEFT_OUT = (  # rows that are private
    *(
        "erasure:",
        "auditevent:",
        "user:",
        "group:",
        "entity:",
        "entityact:",
        "entitypair:",
        "statement:",
        "statementend:",
    ),
    *("anomaly:", "anomalyact:", "screeninghit:", "screeningdecision:"),
    *("registerselection:", "registercorrection:", "importedfact:"),
)


def point(data: bytes) -> Optional[Point]:
    """A point of the curve from its 32 bytes, or None."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - x2) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def add(one: Point, other: Point) -> Point:
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % P, (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number: int, one: Point) -> Point:
    total = (0, 1, 1, 0)
    while number:
        total = add(total, one) if number & 1 else total
        one, number = add(one, one), number >> 1
    return total


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    base = point(bytes.fromhex("58" + "66" * 31))
    a, r, s = point(key), point(signature[:32]), int.from_bytes(signature[32:], "little")
    if base is None or a is None or r is None or s >= L or len(signature) != 64:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    left, right = times(s, base), add(r, times(k, a))
    same_x = (left[0] * right[2] - right[0] * left[2]) % P == 0
    return same_x and (left[1] * right[2] - right[1] * left[2]) % P == 0


def notes_in(text: str) -> List[Note]:
    """The signed notes of a file of heads: (body, [signatures])."""
    notes: List[Note] = []
    lines: List[str] = []
    for line in text.splitlines():
        if line.startswith("\u2014 "):
            notes[-1][1].append(line.split(" ")[-1])
        elif not line and lines:
            notes.append(("\n".join(lines) + "\n", []))
            lines = []
        elif line:
            lines.append(line)
    return notes


def read_head(body: str, signatures: List[str], keys: List[Key]) -> Tuple[int, bytes, str]:
    """(size, root) of a note that one of the keys has signed; ValueError else."""
    for signature in map(base64.b64decode, signatures):
        if any(signature[:4] == id and is_signed(key, body.encode(), signature[4:]) for id, key in keys):
            _, size, root, at = body.splitlines()
            return int(size), base64.b64decode(root), at
    raise ValueError("no known key has signed the head of " + " ".join(body.splitlines()[1:2]) + " entries")


def key_of(text: str) -> Key:
    """(id, key) of a public key, whose id is part of its hash."""
    name, id, encoded = text.strip().split("+", 2)
    key = base64.b64decode(encoded)
    if key[:1] != b"\x01" or hashlib.sha256(name.encode() + b"\n" + key).hexdigest()[:8] != id:
        sys.exit(f"not a public key: {text}")
    return bytes.fromhex(id), key[1:]


def grow(roots: List[bytes], size: int, leaf: bytes) -> None:
    """Append to a log of which only the roots of its complete subtrees are known."""
    roots.append(leaf)
    while size % 2 == 0:
        right, left = roots.pop(), roots.pop()
        roots.append(hashlib.sha256(b"\x01" + left + right).digest())
        size //= 2


def root_of(roots: List[bytes]) -> bytes:
    root = roots[-1]
    for left in reversed(roots[:-1]):
        root = hashlib.sha256(b"\x01" + left + root).digest()
    return root


def check(folder: Path, keys: List[Key], kept: List[Note]) -> Iterator[str]:
    """Sentences about what does not fit, one after the other."""
    heads: Dict[int, List[Tuple[bytes, str]]] = {}
    for body, signatures in notes_in((folder / "heads.txt").read_text("utf-8")) + kept:
        try:
            size, root, at = read_head(body, signatures, keys)
            heads.setdefault(size, []).append((root, at))
        except ValueError as error:
            yield str(error)
    if not heads:
        yield "there is no head that a known key has signed: nothing is proven"
        return
    roots: List[bytes] = []
    vouched: Dict[str, Tuple[int, str, str]] = {}
    size, signed = 0, max(heads)
    with (folder / "entries.jsonl").open(encoding="utf-8", newline="\n") as entries:
        for line in entries:
            entry, size = line.rstrip("\n"), size + 1
            grow(roots, size, hashlib.sha256(b"\x00" + entry.encode()).digest())
            told = json.loads(entry)
            for row, fingerprint in told["witnessed"].items():
                if row.startswith(FINAL) and vouched.get(row, (0, "", fingerprint))[2] != fingerprint:
                    yield f"event {told['id']} tells of another {row} than event {vouched[row][0]}"
                if row not in vouched or vouched[row][0] < told["id"]:
                    vouched[row] = (told["id"], told["action"], fingerprint)
            for root, at in heads.pop(size, []):
                if root != root_of(roots):
                    yield f"the first {size} entries are not those of the head that was signed at {at}"
    for missing in sorted(heads):
        yield f"the log ends after {size} entries, and a head of {missing} was signed at {heads[missing][0][1]}"
    if size > signed:
        yield f"{size - signed} entries follow the newest head, of {signed}: nobody has signed them"
    yield from check_rows(folder, vouched)


def check_rows(folder: Path, vouched: Dict[str, Tuple[int, str, str]]) -> Iterator[str]:
    """Hold every row to the last entry about it, and every entry to a row."""
    left = {row for row, last in vouched.items() if last[2] and not row.startswith(LEFT_OUT)}
    with (folder / "rows.jsonl").open(encoding="utf-8", newline="\n") as rows:
        for line in rows:
            text = line.rstrip("\n")
            told = json.loads(text)
            row = f"{told['kind']}:{told['key']}"
            left.discard(row)
            event, action, fingerprint = vouched.get(row, (0, "", ""))
            if not event:
                yield f"no entry vouches for {row}"
            elif hashlib.sha256(text.encode()).hexdigest() != fingerprint:
                yield f"{row} is not as event {event} ({action}) recorded it"
    for row in sorted(left):
        yield f"{row} is missing; event {vouched[row][0]} ({vouched[row][1]}) vouches for it"


def check_memo(memo: Dict[str, Any], keys: List[Key]) -> str:
    """What the trail says of a memo; ValueError when its proof does not hold."""
    proof = memo.get("proof")
    if not proof:
        raise ValueError("the memo was made before a signed head of the trail covered it")
    ((body, signatures),) = notes_in(proof["note"])
    size, root, at = read_head(body, signatures, keys)
    here, last = proof["index"], size - 1
    node = hashlib.sha256(b"\x00" + proof["entry"].encode()).digest()
    if not 0 <= here <= last or size != proof["size"] or node.hex() != proof["leaf"]:
        raise ValueError("the entry is not the one of the proof")
    for step in map(bytes.fromhex, proof["path"]):
        if here % 2 or here == last:
            node = hashlib.sha256(b"\x01" + step + node).digest()
            while here % 2 == 0 and here:
                here, last = here >> 1, last >> 1
        else:
            node = hashlib.sha256(b"\x01" + node + step).digest()
        here, last = here >> 1, last >> 1
    if last or node != root:
        raise ValueError("the path does not lead from the entry to the root that was signed")
    entry = json.loads(proof["entry"])
    data = json.dumps(memo["data"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()
    named = entry["detail"].get("digest")
    if not named:
        raise ValueError(f"the entry ({entry['action']}) is about something else: it names no data")
    if named != digest:
        raise ValueError("the data of the memo are not those that the entry names")
    return (
        f"Entry {proof['index'] + 1} of {size}, signed at {at}: {entry['action']} at {entry['at']}. "
        "It names the data of this memo."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--memo", type=Path, help="a memo as JSON, to be checked instead of a bundle")
    parser.add_argument("folder", nargs="?", default=Path(__file__).resolve().parent, type=Path)
    parser.add_argument("--key", action="append", help="a public key that you were given")
    parser.add_argument("--head", action="append", default=[], type=Path, help="a head that you kept")
    options = parser.parse_args()
    if options.memo:
        if not options.key:
            sys.exit("--memo needs --key: the public key, as Dossier's operator told you")
        try:
            memo = json.loads(options.memo.read_text("utf-8"), parse_float=lambda text: float(text) + 0.0)
            print(check_memo(memo, [key_of(text) for text in options.key]))
        except (ValueError, KeyError, TypeError) as error:
            sys.exit(f"FAULT  {error}")
        return
    texts = options.key or (options.folder / "keys.txt").read_text("utf-8").split()
    kept = [note for path in options.head for note in notes_in(path.read_text("utf-8"))]
    faults = list(check(options.folder, [key_of(text) for text in texts], kept))
    for fault in faults[:SHOWN]:
        print(f"FAULT  {fault}")
    if faults:
        sys.exit(f"{len(faults)} faults: this is not the trail that was signed")
    print("The trail is whole, and every row in the bundle is as its last entry recorded it.")


if __name__ == "__main__":
    main()
