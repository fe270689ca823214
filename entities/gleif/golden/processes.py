"""A CSV file read by several processes, in order. Each has one block at a time, so that memory stays bounded.

The processes know neither Django nor the database: they take blocks and give the text for COPY. When the import is
killed their pipes end, and so do they.
"""

import gc
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias

from entities.gleif.golden.columns import Header
from entities.gleif.golden.files import BadFile, Faults
from entities.gleif.golden.lines import Lines
from entities.gleif.golden.texts import CsvTexts
from entities.gleif.golden.values import Stamp

Blocks: TypeAlias = Iterator[tuple[int, bytes]]
Batch: TypeAlias = tuple[int, list[bytes]]  # how many records, and unless none per table the text for COPY
Task: TypeAlias = tuple[str, list[str], Stamp, int]  # kind, columns, stamp, how many records may be left out
ROOT = Path(__file__).parents[3]


def read_by(
    count: int, blocks: Blocks, faults: Faults, *, kind: str, columns: list[str], stamp: Stamp
) -> Iterator[Batch]:
    """What ``count`` processes make of the blocks, in their order. Raises BadFile where the first fault is."""
    task = (kind, columns, stamp, faults.most)
    with ExitStack() as stack:
        idle = deque(stack.enter_context(_reader(task)) for _ in range(count))
        busy: deque[Connection] = deque()
        while True:
            while idle and (block := next(blocks, None)):
                idle[0].send(block)
                busy.append(idle.popleft())
            if not busy:
                return
            reader = busy.popleft()
            answer = _answer(reader, faults)
            if block := next(blocks, None):
                reader.send(block)
                busy.append(reader)
            yield answer


@contextmanager
def _reader(task: Task) -> Iterator[Connection]:
    """A process of its own: a copy of this one would share its connection to the database."""
    ours, theirs = Pipe()
    command = [sys.executable, "-m", __spec__.name, str(theirs.fileno())]
    with subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL) as process:  # noqa: S603 - our own module
        theirs.close()
        try:
            ours.send(task)
            yield ours
        finally:
            ours.close()
            process.kill()  # it has nothing to tidy up


def _answer(reader: Connection, faults: Faults) -> Batch:
    try:
        told, answer = reader.recv()
    except EOFError:
        raise RuntimeError("a process that reads the file has ended") from None
    for sentence in told:
        faults.note(sentence)
    if isinstance(answer, str):
        raise BadFile(answer)
    batch: Batch = answer
    return batch


def _read(blocks: Connection) -> None:
    """In a process of its own: answers each block, or says in a sentence what is wrong with it."""
    gc.disable()  # rows hold no circles
    with suppress(EOFError, OSError):  # nobody asks any more
        kind, columns, stamp, most = blocks.recv()
        faults = Faults(most)
        lines = Lines(CsvTexts(kind, Header(columns), stamp), faults)
        while True:
            faults.told.clear()
            line, block = blocks.recv()
            try:
                texts = list(lines.rows(line, block))
            except BadFile as error:
                blocks.send((faults.told, str(error)))
            else:
                tables = ["".join(each).encode() for each in zip(*texts, strict=True)]
                blocks.send((faults.told, (len(texts), tables)))


if __name__ == "__main__":
    _read(Connection(int(sys.argv[1])))
