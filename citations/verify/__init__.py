"""Does what is cited exist, and does it say what it is cited for? Values in, values out; services bring the lists.

A verdict names its reason and its source. What nobody could be asked about is ``unknown``: trouble is never an absence.
"""
