"""Find the JSON in a model's text. Needs no adapter, because the web process loads it too."""

import re
from collections.abc import Iterator

from common.bounded_json import refuse_deep
from research.jsontext import Json, JsonTextError, KeyTwice, check_json, parse_json

_OBJECT = re.compile(r'\{\s*"')


def read_json(text: str) -> tuple[Json, bool]:
    """The JSON in a reply, and whether it had to be taken out of other text or repaired.

    Tried in this order: the text itself, a fenced block, the outermost braces, the outermost brackets, a repair.
    What is cut is not repaired, nor what has a key twice: that would hide what is lost. Several documents
    are a list.

    Raises:
        JsonTextError: about the text itself.
    """
    try:
        return _document(text), False
    except JsonTextError as error:
        first = error
    candidates = list(_candidates(text))
    for candidate in candidates:
        try:
            return _document(candidate), True
        except KeyTwice as error:
            first = error
        except JsonTextError:
            continue
    if isinstance(first, KeyTwice) or not candidates or not _is_balanced(candidates[0]):
        raise first
    return _beside_each_other(text, first) or _repaired(candidates[0], first), True


def document_at_the_end(text: str) -> str:
    """The JSON object at the end of a text, fenced or not. Empty if there is none."""
    *_, last = ("", *outermost(text))
    ends = text.rstrip().rstrip("`").rstrip().endswith(last)
    return last if last and ends and _strictly(last) is not None else ""


def _document(text: str) -> Json:
    data = parse_json(text)
    if not isinstance(data, dict | list):
        raise JsonTextError(f"it is a {type(data).__name__}")
    return data


def _candidates(text: str) -> Iterator[str]:
    fences = text.split("```")
    if len(fences) == 3:
        yield fences[1].removeprefix("json").strip()
    for start, end in ("{}", "[]"):
        first, last = text.find(start), text.rfind(end)
        around = text[: max(first, 0)] + text[last + 1 :]
        if 0 <= first < last and all(around.count(one) == around.count(two) for one, two in ("{}", "[]")):
            yield text[first : last + 1]  # otherwise it is part of something that was cut off


def _beside_each_other(text: str, fault: JsonTextError) -> Json:
    """The only document among pairs of braces, or a list of all. None if there is only one pair.

    Raises ``fault`` where one of several cannot be read: it would be lost.
    """
    if "[" in text[: text.find("{")] and "]" in text[text.rfind("}") :]:
        return None  # they are items of a list
    pairs = list(outermost(text))
    documents = list(filter(None, map(_strictly, pairs)))
    if sum(bool(_OBJECT.match(pair)) for pair in pairs) > max(len(documents), 1):
        raise fault
    if len(pairs) < 2 or not documents:
        return None
    return documents if any(one != documents[0] for one in documents) else documents[0]


def _strictly(text: str) -> Json:
    try:
        return _document(text)
    except JsonTextError:
        return None


def outermost(text: str) -> Iterator[str]:
    """Each outermost pair of braces with its contents. Unclosed braces give nothing."""
    depth, start, in_string, skip = 0, 0, False, False
    for place, char in enumerate(text):
        if skip:
            skip = False
        elif in_string:
            skip, in_string = char == "\\", char != '"'
        elif char == '"' and depth:
            in_string = True
        elif char == "{":
            start, depth = (place if not depth else start), depth + 1
        elif char == "}" and depth:
            depth -= 1
            if not depth:
                yield text[start : place + 1]


def _is_balanced(text: str) -> bool:
    """Whether every bracket outside strings is closed."""
    depth, in_string, skip = 0, False, False
    for char in text:
        if skip:
            skip = False
        elif in_string:
            skip, in_string = char == "\\", char != '"'
        elif char == '"':
            in_string = True
        else:
            depth += (char in "{[") - (char in "}]")
    return depth == 0 and not in_string


def _repaired(text: str, fault: JsonTextError) -> Json:
    from json_repair import repair_json  # expensive, and rarely needed

    try:
        refuse_deep(text)
        data = repair_json(text, return_objects=True)
    except (RecursionError, ValueError):  # it counts brackets differently
        raise fault from None
    if not isinstance(data, dict | list) or not data:
        raise fault
    check_json(data)
    return data
