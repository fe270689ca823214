"""Find out why a template does not compile, and where. The library gives no lines, so each tag is tried alone."""

from collections.abc import Iterable, Iterator, Mapping

from dotpromptz_handlebars import Handlebars

from research.macros.tags import BLOCKS, Call, Tag, TemplateFault, scan, subexpression

MAX_TEMPLATE = 64_000


def bounded(template: str) -> str:
    """The template itself. Raises TemplateFault if it is too large or uses an unavailable feature."""
    if len(template) > MAX_TEMPLATE:
        raise TemplateFault(1, f"the template is larger than {MAX_TEMPLATE:,} characters")
    for tag in scan(template):
        if tag.kind == "refused":
            raise TemplateFault(tag.line, _refusal(tag))
    return template


def faults(template: str, helpers: Mapping[str, object]) -> list[TemplateFault]:
    """All faults that prevent compiling, by line."""
    try:
        tags = scan(bounded(template))
    except TemplateFault as fault:
        return [fault]
    found = [*_tag_faults(tags, helpers), *_block_faults(tags)]
    if not found and (reason := _compile_error(template)):
        found.append(TemplateFault(1, reason))
    return sorted(found, key=lambda fault: fault.line)


def _tag_faults(tags: Iterable[Tag], helpers: Mapping[str, object]) -> Iterator[TemplateFault]:
    for tag in tags:
        if reason := _refusal(tag) or _compile_error(_alone(tag)) or _helper_error(tag, helpers):
            yield TemplateFault(tag.line, reason)


def _refusal(tag: Tag) -> str:
    if tag.kind == "refused":
        return "partials, raw blocks and decorators are not available"
    if tag.kind == "else" and tag.body and not tag.body.startswith(("if ", "unless ")):
        return f"'else {tag.body[:60]}' is not known, only else, else if and else unless"
    return ""


def _alone(tag: Tag) -> str:
    """The smallest template with this tag."""
    if tag.kind == "print":
        return "{{" + tag.body + "}}"
    if tag.kind in ("open", "inverse") or (tag.kind == "else" and tag.body):
        return "{{#" + tag.body + "}}{{/" + tag.call.name + "}}"
    return ""


def _helper_error(tag: Tag, helpers: Mapping[str, object]) -> str:
    if tag.kind in ("comment", "close"):
        return ""
    call = tag.call
    if tag.kind in ("open", "else") and call.name in BLOCKS:
        if len(call.args) != 1:
            return f"{call.name} takes exactly one argument"
        return _unknown_helper(call.arguments, helpers)
    if tag.kind != "print" and call.name in helpers:
        return f"{call.name} is a helper and cannot open a block"
    return _unknown_name(call, helpers) or _unknown_helper(call.arguments, helpers)


def _unknown_helper(words: Iterable[str], helpers: Mapping[str, object]) -> str:
    """The first nested call of a helper that does not exist."""
    for call in filter(None, map(subexpression, words)):
        reason = _unknown_name(call, helpers, bare=False) or _unknown_helper(call.arguments, helpers)
        if reason:
            return reason
    return ""


def _unknown_name(call: Call, helpers: Mapping[str, object], *, bare: bool = True) -> str:
    """A bare name is a path. With arguments, or in parentheses, it must be a helper."""
    if call.name in helpers or (bare and call.is_path):
        return ""
    return f"unknown helper {call.name[:60]!r}; there are {', '.join(sorted(helpers))}"


def _block_faults(tags: Iterable[Tag]) -> Iterator[TemplateFault]:
    opened: list[Tag] = []
    for tag in tags:
        if tag.kind in ("open", "inverse"):
            opened.append(tag)
        elif tag.kind == "else" and not opened:
            yield TemplateFault(tag.line, "else outside a block")
        elif tag.kind == "close":
            if not opened or opened[-1].call.name != tag.call.name:
                last = f"{opened[-1].call.name} of line {opened[-1].line}" if opened else "no block"
                state = f"{last} is open"
                yield TemplateFault(tag.line, f"closing tag {tag.body[:60]} is out of place: {state}")
                return
            opened.pop()
    for tag in opened:
        yield TemplateFault(tag.line, f"the block {tag.call.name} is not closed")


def _compile_error(template: str) -> str:
    try:
        Handlebars(escape_fn="no_escape").compile(template)
    except ValueError as error:
        return str(error)
    except IndexError:  # a closing tag without a name
        return "a tag is incomplete"
    return ""
