"""What an HTML page offers to choose, and its text as a person sees it. Runs in the reader's child process.

Names are computed as browsers compute them for the accessibility tree (accname 1.2, without style sheets).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin, urlsplit

from research.jsontext import JsonObject
from research.web.charset import decode
from research.web.extract import BLOCKS, language_of, parsed_html, title_of
from research.web.faults import FetchFault
from research.web.hidden import links_of
from research.web.selector import xpath_of

MAX_ITEMS, MAX_LABEL, MAX_TEXT, MAX_FORMS, MAX_OPTIONS = 500, 80, 2_000_000, 50, 50
LITTLE = 600  # characters of a page with scripts that may be all there is before they ran
ENOUGH_MAIN = 200
_CHROME = frozenset(("nav", "footer", "header", "aside"))
_SILENT = frozenset(("script", "style", "noscript", "template", "svg", "iframe", "object", "head", "title"))
_EMPTY: JsonObject = {
    "title": "",
    "language": "",
    "text": "",
    "items": [],
    "forms": [],
    "links": [],
    "scripted": "",
}
_APART = frozenset(("td", "th", "button", "select", "label"))
_NOT_SHOWN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MAIN = (
    "//article | //*[@role='main'] | //main | //*[@id='content'] | "
    "//*[contains(concat(' ', @class, ' '), ' content ')]"
)
_ROLES = {
    **dict.fromkeys(("button", "link", "tab"), ""),
    **dict.fromkeys(("menuitem", "menuitemcheckbox", "menuitemradio"), "MENUITEM"),
    **dict.fromkeys(
        ("checkbox", "radio", "switch", "textbox", "searchbox", "combobox", "spinbutton"), "INPUT"
    ),
    **dict.fromkeys(("option", "treeitem", "slider"), "OTHER"),
}
_TAGS = {"button": "BUTTON", "summary": "BUTTON", "select": "SELECT", "textarea": "INPUT"}
_BUTTONS = frozenset(("button", "submit", "reset", "image"))
_TICKED = frozenset(("checkbox", "radio"))
_ASKS_FOR_SCRIPTS = re.compile(r"java\s?script", re.IGNORECASE)


@dataclass
class _Reading:
    """One page while it is read."""

    tree: Any
    url: str
    base: str
    items: list[JsonObject] = field(default_factory=list)
    forms: list[JsonObject] = field(default_factory=list)
    numbers: dict[Any, int] = field(default_factory=dict)


def outline(body: bytes, *, charset: str = "", url: str = "", selector: str = "") -> JsonObject:
    """``{title, language, text, items, forms, links, scripted}`` of a page.

    An item is ``{type, label, href, hint, disabled, how}``; ``how`` says what choosing it means without a browser:
    ``link``, ``field`` or ``submit`` of a form, or ``script``. ``scripted`` says why the page needs its scripts.
    With a ``selector`` only what is inside it is told. Raises FetchFault: the selector is none.
    """
    source = decode(body, charset).replace("\0", "")
    tree = parsed_html(source)
    if tree is None:
        return _EMPTY
    base = urljoin(url, next(iter(tree.xpath("//base/@href")), "").strip())
    reading = _Reading(tree, url, base)
    _read_forms(reading)
    inside = _inside(tree, selector)
    for element in _shown(tree):
        if len(reading.items) >= MAX_ITEMS:
            break
        if (inside is None or element in inside) and (item := _item(reading, element)):
            reading.items.append(item)
    text = _text_of(tree)
    return {
        "title": title_of(tree),
        "language": language_of(tree),
        "text": text[:MAX_TEXT],
        "items": reading.items,
        "forms": reading.forms,
        "links": list(links_of(tree, url)),
        "scripted": _needs_scripts(tree, text, url),
    }


def _inside(tree: Any, selector: str) -> set[Any] | None:
    if not selector:
        return None
    try:
        path = xpath_of(selector)
    except ValueError as error:
        raise FetchFault("unreadable", f"selector: {error}.") from None
    return {element for root in tree.xpath(path) for element in root.iter()}


def _shown(tree: Any) -> Iterator[Any]:
    """The elements that are neither hidden nor inert, in order."""
    stack = [tree]
    while stack:
        element = stack.pop()
        if not isinstance(element.tag, str) or _is_hidden(element):
            continue
        yield element
        stack.extend(reversed(_children(element)))


def _children(element: Any) -> list[Any]:
    """Of what is closed only its summary is seen."""
    if element.tag == "details" and "open" not in element.attrib:
        return [child for child in element if child.tag == "summary"][:1]
    return list(element)


def _is_hidden(element: Any) -> bool:
    attributes = element.attrib
    return (
        (element.tag in _SILENT and element.tag != "head")
        or "hidden" in attributes
        or "inert" in attributes
        or attributes.get("aria-hidden") == "true"
        or (element.tag == "dialog" and "open" not in attributes)
        or (element.tag == "input" and attributes.get("type", "").lower() == "hidden")
        or bool(_NOT_SHOWN.search(attributes.get("style", "")))
    )


def _item(reading: _Reading, element: Any) -> JsonObject | None:
    kind = _kind(element)
    if not kind:
        return None
    href = _href(reading, element) if element.tag in ("a", "area") else ""
    if href is None:
        return None
    how = _how(reading, element, href)
    label = _name(reading, element) or _last_part(href)
    if not label and kind in ("LINK", "OTHER"):
        return None
    return {
        "type": kind,
        "label": label[:MAX_LABEL],
        "href": href,
        "hint": _hint(element),
        "disabled": _is_disabled(element),
        "how": how,
    }


def _kind(element: Any) -> str:
    tag, role = element.tag, element.get("role", "").strip().lower()
    if role in _ROLES:
        return _ROLES[role] or role.upper()
    if tag in ("a", "area") and element.get("href") is not None:
        return "LINK"
    if tag == "input":
        return "BUTTON" if element.get("type", "").lower() in _BUTTONS else "INPUT"
    if tag in _TAGS:
        return _TAGS[tag]
    if element.get("contenteditable", "false").lower() in ("", "true"):
        return "INPUT"
    return ("BUTTON" if tag == "a" else "OTHER") if "onclick" in element.attrib else ""


def _href(reading: _Reading, element: Any) -> str | None:
    """The whole address of a link; None for one that leads nowhere, "" for one that only a script handles."""
    said = (element.get("href") or "").strip()
    scheme = said.partition(":")[0].lower()
    acts = element.get("role") or "onclick" in element.attrib
    if scheme in ("javascript", "mailto", "tel", "data", "blob", "about", "sms") and ":" in said:
        return "" if acts or scheme == "javascript" else None
    if said.startswith("#") and not said.startswith(("#/", "#!")):
        return "" if acts else None
    try:
        whole = urljoin(reading.base, said)
        return whole if urlsplit(whole).scheme in ("http", "https") else None
    except ValueError:
        return None


def _how(reading: _Reading, element: Any, href: str | None) -> JsonObject:
    if href and not urlsplit(href).fragment.startswith(("/", "!")):
        return {"kind": "link"}
    form = next((parent for parent in element.iterancestors("form")), None)
    if element.get("form"):
        form = next((known for known in reading.numbers if known.get("id") == element.get("form")), form)
    number = reading.numbers.get(form)
    if number is None or element.tag not in ("input", "select", "textarea", "button"):
        return {"kind": "script"}
    kind = element.get("type", "submit" if element.tag == "button" else "text").lower()
    if kind in ("submit", "image"):
        pair = [element.get("name"), element.get("value", "")] if element.get("name") else []
        return {"kind": "submit", "form": number, "pair": pair}
    if kind in ("button", "reset") or not element.get("name"):
        return {"kind": "script"}
    found = {"kind": "field", "form": number, "name": element.get("name"), "is": _field_type(element)}
    if kind in _TICKED:
        found["value"] = element.get("value", "on")
    if element.tag == "select":
        found["options"] = _options(element)
    return found


def _options(select: Any) -> list[JsonObject]:
    options = list(select.iter("option"))[:MAX_OPTIONS]
    return [{"value": one.get("value", _flat(one)), "label": _flat(one)[:MAX_LABEL]} for one in options]


def _read_forms(reading: _Reading) -> None:
    for form in list(reading.tree.iter("form"))[:MAX_FORMS]:
        reading.numbers[form] = len(reading.forms)
        fields = [one for one in form.iter("input", "select", "textarea") if one.get("name")]
        values = [[one.get("name"), value] for one in fields for value in _default(one)]
        kinds = sorted({_field_type(one) for one in form.iter("input", "select", "textarea")})
        searches = form.get("role") == "search" or "search" in kinds
        names = [one.get("name") for one in fields]
        try:
            action = urljoin(reading.base, form.get("action", "").strip() or reading.url)
        except ValueError:
            action = ""
        method = form.get("method", "get").strip().lower()
        reading.forms.append(
            {
                "action": action,
                "method": method,
                "values": values,
                "names": names,
                "kinds": kinds,
                "searches": searches,
            }
        )


def _field_type(element: Any) -> str:
    """The type of a field; ``card`` where a browser would fill in how somebody pays."""
    if element.get("autocomplete", "").lower().strip().startswith("cc-"):
        return "card"
    return element.get("type", "text").lower() if element.tag == "input" else str(element.tag)


def _default(element: Any) -> list[str]:
    kind = _field_type(element)
    if kind in _BUTTONS or kind == "file":
        return []
    if kind in _TICKED:
        return [element.get("value", "on")] if "checked" in element.attrib else []
    if element.tag == "select":
        chosen = [one for one in element.iter("option") if "selected" in one.attrib]
        first = list(element.iter("option"))[:1]
        return [one.get("value", _flat(one)) for one in (chosen or first)[:1]]
    return [element.text_content() if element.tag == "textarea" else element.get("value", "")]


def _hint(element: Any) -> str:
    hints = []
    kind = element.get("type", "").lower() if element.tag == "input" else ""
    if element.get("target", "").lower() not in ("", "_self", "_top", "_parent"):
        hints.append("new window")
    if "download" in element.attrib:
        hints.append("download")
    if kind in ("password", "file", "checkbox", "radio"):
        hints.append(f"{kind} field" if kind in ("password", "file") else kind)
    for name in ("expanded", "selected", "checked", "pressed", "current"):
        said = element.get(f"aria-{name}", "")
        if said and said != "false":
            hints.append(name if name != "current" else "current page")
        elif said == "false" and name == "expanded":
            hints.append("collapsed")
    if "checked" in element.attrib and kind in _TICKED:
        hints.append("checked")
    return ", ".join(dict.fromkeys(hints))


def _is_disabled(element: Any) -> bool:
    if "disabled" in element.attrib or element.get("aria-disabled") == "true":
        return True
    fields = element.tag in ("input", "select", "textarea", "button")
    return fields and any("disabled" in parent.attrib for parent in element.iterancestors("fieldset"))


def _name(reading: _Reading, element: Any) -> str:
    """The accessible name: labelledby, aria-label, what the element has of its own, its text, its title."""
    if named := _by_id(reading, element.get("aria-labelledby", "")):
        return named
    for found in (element.get("aria-label", ""), _native(reading, element)):
        if found.strip():
            return " ".join(found.split())
    if element.tag not in ("select", "textarea", "input") and (said := _said(element)):
        return said
    for attribute in ("title", "placeholder", "name"):
        if element.get(attribute, "").strip():
            return " ".join(element.get(attribute).split())
    return ""


def _by_id(reading: _Reading, ids: str) -> str:
    parts = []
    for key in ids.split()[:10]:
        found = reading.tree.xpath("//*[@id=$key]", key=key)[:1]
        parts += [one.get("aria-label") or _flat(one) for one in found]
    return " ".join(" ".join(parts).split())


def _native(reading: _Reading, element: Any) -> str:
    if element.tag not in ("input", "select", "textarea"):
        return ""
    kind = element.get("type", "").lower()
    if kind in ("submit", "reset", "button"):
        return element.get("value", "") or {"submit": "Submit", "reset": "Reset"}.get(kind, "")
    if kind == "image":
        return element.get("alt", "") or "Submit"
    key = element.get("id")
    labels = reading.tree.xpath("//label[@for=$key]", key=key) if key else []
    labels = labels or list(element.iterancestors("label"))[:1]
    return " ".join(_said(label) for label in labels)


def _said(element: Any) -> str:
    """The words of an element with those of its pictures, without what is hidden."""
    return " ".join("".join(_words(element)).split())


def _words(element: Any) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str) and not _is_hidden(child) and child.tag not in ("select", "textarea"):
            spoken = child.get("aria-label") or (child.get("alt") if child.tag == "img" else "")
            gap = " " if child.tag in BLOCKS else ""
            yield gap
            yield from [spoken] if spoken else _words(child)
            yield gap
        elif child.tag == "svg":
            yield from (title.text or "" for title in child.iter("title"))
        yield child.tail or ""


def _flat(element: Any) -> str:
    return " ".join(str(element.text_content()).split())


def _last_part(href: str | None) -> str:
    return urlsplit(href).path.rstrip("/").rpartition("/")[2] if href else ""


def _text_of(tree: Any) -> str:
    """The text of the main part; of the whole page without its frame, or with it, where that says little."""
    mains = [
        one for one in tree.xpath(_MAIN) if not any(_is_hidden(up) for up in (one, *one.iterancestors()))
    ]
    outer = [one for one in mains if not any(up in mains for up in one.iterancestors())]
    text = "\n".join(_lines(one, frozenset()) for one in outer)
    if len(text) >= ENOUGH_MAIN:
        return text
    body = next(iter(tree.iter("body")), tree)
    less = _lines(body, _CHROME)
    return less if len(less) >= ENOUGH_MAIN else _lines(body, frozenset())


def _lines(root: Any, without: frozenset[str]) -> str:
    lines = "".join(_pieces(root, without)).split("\n")
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)


def _pieces(root: Any, without: frozenset[str]) -> Iterator[str]:
    """Text with a line break around each block; a stack, because pages nest deeper than Python calls."""
    stack: list[Any] = [root]
    while stack:
        step = stack.pop()
        if isinstance(step, str):
            yield step
            continue
        if not isinstance(step.tag, str) or step.tag in without or _is_hidden(step):
            continue
        gap = "\n" if step.tag in BLOCKS else (" " if step.tag in _APART else "")
        yield gap + _one_line(step.text)
        stack.append(gap)
        for child in reversed(_children(step)):
            stack += [_one_line(child.tail), child]


def _one_line(text: str | None) -> str:
    return re.sub(r"\s+", " ", text) if text else ""


def _needs_scripts(tree: Any, text: str, url: str) -> str:
    """Why the page is more than its HTML; "" where that is all."""
    if any(frame.get("src", "").strip() or frame.get("srcdoc") for frame in tree.iter("iframe", "frame")):
        return "it has frames"
    if any(one.get("shadowrootmode") for one in tree.iter("template")):
        return "it has shadow roots"
    scripts = [one for one in tree.iter("script") if "json" not in one.get("type", "").lower()]
    if not scripts:
        return ""
    if any(isinstance(one.tag, str) and "-" in one.tag for one in tree.iter()):
        return "it has elements of its own"
    if any(_ASKS_FOR_SCRIPTS.search(one.text_content()) for one in tree.iter("noscript")):
        return "it asks for scripts"
    return "it says little without its scripts" if len(text) < LITTLE else ""
