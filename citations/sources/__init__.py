"""Where the law is published: clients of the sources that decisions, acts and commentaries are read from.

What goes wrong on the way is ``SourceFault`` and never an absence.
"""
