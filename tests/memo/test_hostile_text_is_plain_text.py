import copy
import json
from html.parser import HTMLParser

import pytest
from django.utils import timezone
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from research.memo import markdown
from research.memo.markdown import _code, escape
from research.models import Check, Source
from tests.cases import cases
from tests.memo.conftest import DATA

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</style><script>alert(1)</script>",
    "<!-- comment",
    "[click](javascript:alert(1))",
    "![image](https://evil.example/x.png)",
    "<https://evil.example>",
    "https://evil.example/?a=b&c=d",
    "www.evil.example",
    "someone@evil.example",
    "[reference]: https://evil.example",
    "# Heading",
    "Setext\n===",
    "Setext\n---",
    "***",
    "---",
    "> quote",
    "- item",
    "+ item",
    "1. item",
    "12345) item",
    "    code",
    "```\ncode\n```",
    "`code`",
    "``",
    "*emphasis* **strong** _emphasis_ __strong__ ~~gone~~",
    "a*b*c_d_e",
    "| a | b |\n|---|---|\n| c | d |",
    "&lt;script&gt; &amp; &#60; &nbsp;",
    "AT&T & Co",
    "back\\slash \\* \\",
    "$x$ :smile: @person #12",
    "line\nbreak\r\nand\u2028more",
    "two  \nspaces",
    '"); (entity.ensure :name "x',
    "{{x}} {% include 'x' %} {# c #}",
    "\u202egnp.exe",
    "שלום \u200f(abc)",
    "zero\u200bwidth\u200d",
    "\u2066isolate\u2069",
    "a\x1b[31mred",
    "",
    " ",
]
MARKDOWN = MarkdownIt("gfm-like", {"linkify": False}).enable(["table", "strikethrough"])


def _visible(text):
    """What a reader of CommonMark sees of escaped text: blanks folded, steering characters by number."""
    return markdown._visible(text)


def _shown(item):
    """The text of one rendered list item, and whether anything in it is more than text."""
    tokens = MARKDOWN.parse(f"- {item}")
    inline = [token for token in tokens if token.type == "inline"]
    kinds = [token.type for token in tokens]
    children = [child for token in inline for child in token.children]
    return "".join(child.content for child in children), kinds, {child.type for child in children}


@cases("text", [text for text in HOSTILE if text.strip()])
def test_escaped_text_is_one_paragraph_of_text(text):
    shown, kinds, inline = _shown(escape(text))
    assert shown == _visible(text)
    assert inline <= {"text", "text_special"}
    assert kinds == [
        "bullet_list_open",
        "list_item_open",
        "paragraph_open",
        "inline",
        "paragraph_close",
        "list_item_close",
        "bullet_list_close",
    ]


@given(st.text(st.sampled_from("\\`*_{}[]()<>#+-=.!|~$&:;@/\"'aZ1 \n\t\u202e\u00a0é漢"), max_size=30))
@example("_\\_a_")
@example("1.")
@example("&#x3c")
@example("=")
def test_no_text_escapes_its_escaping(text):
    if not _visible(text):
        return
    shown, kinds, inline = _shown(escape(text))
    assert shown == _visible(text)
    assert inline <= {"text", "text_special"}
    assert len(kinds) == 7


@given(st.text(st.sampled_from("`ab \\*<[\n"), min_size=1, max_size=20))
def test_no_text_ends_its_code_span(text):
    if not _visible(text):
        return
    shown, _, inline = _shown(f"x {_code(text)}")
    assert inline == {"text", "code_inline"}
    assert shown == f"x {_visible(text)}"


class _Page(HTMLParser):
    """Which elements and attributes a page has, and its text."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.text, self.open = set(), set(), [], []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.text.append(data)


def _page(text):
    page = _Page()
    page.feed(text)
    page.close()
    return page


@pytest.fixture
def hostile_result(make_result, reviewer):
    """A hostile text in every place that a model, a register or a person writes."""

    def make(text):
        data = copy.deepcopy(DATA)
        data["apex"]["name"] = data["rating"] = text
        data["funds"][0] = {text or "x": text, "note": text * 3}
        data["summary"]["key_findings"] = data["summary"]["data_gaps"] = [text]
        result = make_result(data=data, limitations=[text], run__params={"client_name": text})
        Source.objects.create(
            run=result.run, number=1, key="k", title=text, snippet=text, url=text, as_of=text[:40]
        )
        Check.objects.create(
            result=result,
            ordinal=0,
            kind="lei",
            code=text[:40],
            pointer="/apex/name",
            verdict="unknown",
            message=text,
            checked_at=timezone.now(),
        )
        return result

    return make


@cases("text", HOSTILE)
def test_html_shows_it_as_text(hostile_result, compose, text):
    plain, page = (_page(compose(hostile_result(content), format="html")) for content in ("plain text", text))
    assert page.tags <= plain.tags
    assert page.attributes <= plain.attributes
    assert not page.tags & {"a", "img", "script", "iframe", "link", "form", "svg"}
    assert text in "".join(page.text)


@cases("text", HOSTILE)
def test_markdown_has_no_more_structure_for_it(hostile_result, compose, text):
    tokens = MARKDOWN.parse(compose(hostile_result(text)))
    kinds = {token.type for token in tokens}
    inline = {child.type for token in tokens for child in token.children or ()}
    assert not kinds & {"html_block", "fence", "code_block", "blockquote_open", "hr"}
    assert inline <= {"text", "text_special", "strong_open", "strong_close", "code_inline", "softbreak"}
    assert [token.tag for token in tokens if token.type == "heading_open"].count("h2") == 9
    assert sum(token.type == "table_open" for token in tokens) <= 1  # the two funds


@cases("text", HOSTILE)
def test_json_keeps_it_unchanged(hostile_result, compose, text):
    memo = json.loads(compose(hostile_result(text), format="json"))
    assert memo["data"]["apex"]["name"] == text
    assert memo["sources"][0]["title"] == text


def test_characters_that_turn_text_are_shown_by_number():
    assert escape("a\u202eb\x1bc") == "aU+202EbU+001Bc"
