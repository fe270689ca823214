"""How Docker reads a Dockerfile and a .dockerignore, as far as ours need it; from Docker's reference."""

import json
import re
import shlex
from pathlib import PurePosixPath


def instructions(text):
    """``(word, rest)`` of each instruction, without comments, continued lines joined."""
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    joined = re.sub(r"\\\n", " ", lines)
    return [tuple(line.strip().split(None, 1)) for line in joined.splitlines() if line.strip()]


def arguments(rest):
    """The words of an instruction, in its JSON form or without options in its plain one."""
    if rest.startswith("["):
        return json.loads(rest)
    return [word for word in shlex.split(rest) if not word.startswith("--")]


class Ignored:
    """``path in Ignored(text)``: is it kept out of the build? The last line that fits decides."""

    def __init__(self, text):
        lines = [line.strip() for line in text.splitlines() if not line.startswith("#")]
        self.rules = [(line.startswith("!"), _pattern(line.removeprefix("!"))) for line in lines if line]

    def __contains__(self, path):
        places = [path, *map(str, PurePosixPath(path).parents)]
        ignored = False
        for kept, pattern in self.rules:
            if any(pattern.fullmatch(place) for place in places):
                ignored = not kept
        return ignored


def _pattern(line):
    """Go's filepath.Match from the root of the context, and ``**`` for any number of folders, also none."""
    line = str(PurePosixPath(line.strip().strip("/")))
    signs = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pieces = re.findall(r"\*\*/|\*\*|\*|\?|\[\^?[^]]+\]|\\.|.", line)
    return re.compile("".join(signs.get(piece, _literal(piece)) for piece in pieces))


def _literal(piece):
    if len(piece) > 1:  # a set of characters, or one that is escaped
        return piece if piece.startswith("[") else re.escape(piece[1:])
    return re.escape(piece)


def copied(dockerfile, ignore, tree):
    """Files of the image by their path in it: which file of ``tree`` (paths) each is. AssertionError: none there."""
    ignored, folder, image = Ignored(ignore), PurePosixPath("/"), {}
    context = [path for path in tree if path not in ignored]
    for word, rest in instructions(dockerfile):
        if word == "WORKDIR":
            folder /= rest
        if word != "COPY":
            continue
        *sources, target = arguments(rest)
        for source in sources:
            found = [path for path in context if path == source or path.startswith(f"{source}/")]
            assert found, f"COPY {source}: nothing of that name reaches the build"
            for path in found:
                image[str(_place(folder, source, target, path))] = path
    return image


def _place(folder, source, target, path):
    """A folder's content goes into the target; a file becomes it, or goes into it where that is a folder."""
    if path != source:
        return folder / target / PurePosixPath(path).relative_to(source)
    return folder / target / path if target.endswith("/") else folder / target
