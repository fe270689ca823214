"""The face for agents: Model Context Protocol. It parses, calls a service or a tool, and answers with a value.

An agent acts for the person whose token it carries and may do what that person may do; deciding needs the permission to
decide, and names the bytes it decides about. Nobody is asked through the protocol: any client could answer for them.
"""
