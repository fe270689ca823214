"""What can go wrong with a list, each in one sentence for a person."""


class BadList(Exception):
    """The file is not what it should be: cut off, another format, an error page."""


class RefusedList(Exception):
    """The file may be sound but is not taken now: another import runs, it is older, or it lacks too much."""


REFUSALS = (BadList, RefusedList)
