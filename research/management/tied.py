"""``python tied.py PARENT PROGRAM …``: the program, which is told to end when its parent has died.

Linux does that by itself, however the parent died; elsewhere the program is only started.
"""

import ctypes
import os
import signal
import sys

PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of <linux/prctl.h>; it outlasts the exec


def main(parent: int, program: list[str]) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGTERM)
        if os.getppid() != parent:  # it has died already
            return
    os.execvp(program[0], program)  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
