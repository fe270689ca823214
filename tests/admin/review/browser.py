"""A very small browser: reads the form out of a page as HTML defines it, and posts it back."""

from html.parser import HTMLParser

from django.urls import reverse


class FormReader(HTMLParser):
    """The successful controls of the review form, with the values that a browser would post."""

    def __init__(self):
        super().__init__()
        self.fields, self.buttons, self.links, self.ids = {}, [], [], set()
        self._area = self._select = None

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.ids.add(a.get("id"))
        if tag == "a":
            self.links.append(a)
        elif tag == "button":
            self.buttons.append((a.get("name"), a.get("value")))
        elif tag == "textarea":
            self._area = (a.get("name"), [])
        elif tag == "select":
            self._select = [a["name"], None]
        elif tag == "option" and (self._select[1] is None or "selected" in a):
            self._select[1] = a["value"]
        elif (
            tag == "input"
            and a.get("name")
            and "disabled" not in a
            and (a.get("type") not in ("checkbox", "radio") or "checked" in a)
        ):
            value = _line_ends(a.get("value") or "")
            self.fields[a["name"]] = value.replace("\n", "") if a.get("type") == "text" else value

    def handle_data(self, data):
        if self._area:
            self._area[1].append(data)

    def handle_endtag(self, tag):
        if tag == "textarea":
            name, pieces = self._area
            text = _line_ends("".join(pieces))
            self.fields[name] = text.removeprefix("\n")
            self._area = None
        elif tag == "select":
            self.fields[self._select[0]] = self._select[1]


class Browser:
    """One person at the review page of one result; ``page`` is the last answer."""

    def __init__(self, client, result):
        self.client, self.url = client, reverse("admin:research_researchresult_review", args=[result.pk])
        self.open()

    def open(self):
        return self._shown(self.client.get(self.url))

    def press(self, action, typed=None, **fields):
        """Press the button ``action``; ``typed`` maps pointers to texts, ``fields`` are other fields of the form."""
        texts = {f"leaf:{pointer}": text for pointer, text in (typed or {}).items()}
        post = {**self.fields, **texts, "action": action, **fields}
        return self.post({name: text.replace("\n", "\r\n") for name, text in post.items()})

    def post(self, data):
        return self._shown(self.client.post(self.url, data))

    @property
    def text(self):
        return self.page.content.decode()

    @property
    def view(self):
        """The Page object that the template was given."""
        return self.page.context["page"]

    def _shown(self, response):
        self.page = response
        reader = FormReader()
        reader.feed(response.content.decode())
        self.fields, self.buttons, self.links, self.ids = (
            reader.fields,
            reader.buttons,
            reader.links,
            reader.ids,
        )
        return response


def _line_ends(text):
    return text.replace("\r\n", "\n").replace("\r", "\n")
