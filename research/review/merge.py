"""JSON Merge Patch (RFC 7396): how agents say what should be different."""

from research.jsontext import Json


def merged(document: Json, merge: Json) -> Json:
    """What the merge patch makes of the document: ``null`` removes a member, lists are replaced as a whole."""
    if not isinstance(merge, dict):
        return merge
    result = dict(document) if isinstance(document, dict) else {}
    for name, value in merge.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result
