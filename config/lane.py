"""The threads that work on runs live as long as the Celery worker whose process they are in."""


def open_here(**_: object) -> None:
    """A worker takes messages from now on."""
    from research.tasks import LANE  # apps are not loaded yet when Celery is

    LANE.open()


def close(**_: object) -> None:
    """It was told to end: no run begins another step, so that none is cut off."""
    from research.tasks import LANE

    LANE.close()


def wait(**_: object) -> None:
    """It has ended otherwise."""
    from research.tasks import LANE

    LANE.close()
    LANE.wait()
