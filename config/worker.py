"""What a worker does once, when everything is loaded."""

import gc

YOUNG = 20_000  # objects that are made before anybody looks which of them are in the way


def settle(**_: object) -> None:
    """What is loaded stays: the collector of circles never looks at it again, and looks more seldom at what is new.

    With its defaults, made for scripts, it took a twentieth of a busy worker's time and stopped all runs meanwhile.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 10, 10)
