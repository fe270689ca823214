"""Reading the XML of a list as a stream: no entities, no DTD, nothing fetched, one entry in memory at a time."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from entities.screening.errors import BadList

Element: TypeAlias = Any  # lxml has no types
MAX_ELEMENTS = 100_000  # of one entry


def elements(path: Path, wanted: Collection[str]) -> Iterator[Element]:
    """The root as soon as it begins, then each child of it or of a child of it that is ``wanted``, whole.

    Namespaces are taken off, so that elements are found by their local names. An element is dropped when the next one
    is asked for.

    Raises:
        BadList: the file is cut off or no XML, declares entities, or one entry is larger than an entry can be.
    """
    from lxml import etree  # which a web process does not need

    try:
        with path.open("rb") as file:
            events = etree.iterparse(
                file,
                events=("start", "end"),
                resolve_entities=False,
                load_dtd=False,
                dtd_validation=False,
                no_network=True,
                huge_tree=False,
                remove_comments=True,
                remove_pis=True,
            )
            yield from _wanted(events, wanted)
    except etree.XMLSyntaxError as error:
        raise BadList(f"The file is cut off or no XML (line {error.lineno or 1}).") from None
    except OSError as error:
        raise BadList(f"The file cannot be read ({type(error).__name__}).") from None


def _wanted(events: Any, wanted: Collection[str]) -> Iterator[Element]:
    depth = since = 0
    for event, element in events:
        if event == "start":
            depth += 1
            if depth == 1:
                if element.getroottree().docinfo.doctype:
                    raise BadList(
                        "The file declares a document type; lists have none, and entities are not read."
                    )
                _strip(element)
                yield element
            continue
        depth -= 1
        since += 1
        _strip(element)
        if since > MAX_ELEMENTS:
            raise BadList(f"One entry of the file has more than {MAX_ELEMENTS:,} elements.")
        if depth in (1, 2) and element.tag in wanted:
            yield element
        if depth == 1 or (depth == 2 and element.tag in wanted):
            since = 0
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]


def text_of(element: Element, path: str) -> str:
    """The text of the first element at a path; "" for none."""
    return (element.findtext(path) or "").strip()


def texts_of(element: Element, path: str) -> list[str]:
    """The texts of all elements at a path that have some."""
    return [text for found in element.findall(path) if (text := (found.text or "").strip())]


def _strip(element: Element) -> None:
    tag = element.tag
    if isinstance(tag, str) and tag.startswith("{"):
        element.tag = tag.rpartition("}")[2]
