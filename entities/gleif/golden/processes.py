"""A CSV file read by several processes, in order. Each has one block at a time, so that memory stays bounded.

The processes know neither Django nor the database: they take blocks and give the text for COPY. When the import is
killed their pipes end, and so do they. ``multiprocessing`` starts none in a Celery worker, so they are subprocesses.
"""

import gc
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias

from entities.gleif.golden.files import BadFile, CopyFile, Faults
from entities.gleif.golden.formats import CsvFile
from entities.gleif.golden.rows import Stamp

Batch: TypeAlias = tuple[int, list[bytes]]  # how many records, and per table the text for COPY
Task: TypeAlias = tuple[
    str, Sequence[str], Stamp, int
]  # kind, header, stamp, how many records may be left out
ROOT = Path(__file__).parents[3]


def read_in_processes(count: int, copy: CopyFile, faults: Faults) -> Iterator[Batch]:
    """What ``count`` processes make of the blocks, in their order. Raises BadFile where the first fault is."""
    task = (copy.kind, copy.header, copy.stamp, faults.most)
    blocks = copy.blocks or iter(())
    with ExitStack() as stack:
        idle = [stack.enter_context(_reader(task)) for _ in range(count)]
        busy: deque[Connection] = deque()

        def send_blocks() -> None:
            while idle and (block := next(blocks, None)):
                reader = idle.pop()
                reader.send(block[0])
                reader.send_bytes(block[1])
                busy.append(reader)

        send_blocks()
        while busy:
            reader = busy.popleft()
            try:
                told, fault, count, tables = reader.recv()
                batch = count, [reader.recv_bytes() for _ in range(tables)]
            except EOFError:
                raise RuntimeError("a process that reads the file has ended") from None
            for sentence in told:
                faults.note(sentence)
            if fault:
                raise BadFile(fault)
            idle.append(reader)
            send_blocks()  # before the batch is stored, so that no process waits for that
            yield batch


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


def _read(blocks: Connection) -> None:
    """In a process of its own: answers each block with what is left out, what is wrong, and its batch."""
    gc.disable()  # rows hold no circles
    with suppress(EOFError, OSError):  # nobody asks any more
        kind, header, stamp, most = blocks.recv()
        faults = Faults(most)
        file = CsvFile(kind, header, stamp, faults)
        while True:
            faults.told.clear()
            before, block = blocks.recv(), blocks.recv_bytes()
            try:
                rows = list(file.rows(before, block))
            except BadFile as error:
                blocks.send((faults.told, str(error), 0, 0))
            else:
                tables = ["".join(lines).encode() for lines in zip(*rows, strict=True)]
                blocks.send((faults.told, "", len(rows), len(tables)))
                for text in tables:  # as they are: a pickle would copy them twice
                    blocks.send_bytes(text)


if __name__ == "__main__":
    _read(Connection(int(sys.argv[1])))
