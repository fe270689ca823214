"""A report in Markdown comes first in a memo, with its sources under its own numbers; nothing in it can act."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from research.memo.labels import labels_for
from research.memo.markdown import _block as _prose
from research.memo.prose import read_prose, without_sources
from tests.factories import ResultFactory

MARKDOWN = MarkdownIt("gfm-like", {"linkify": False}).enable(["table", "strikethrough"])
REPORT = """\
# The mill

It employs **240 people** [1], *as of 2025*.
It is `old`.

## Figures

| Year | Output |
|------|--------|
| 2024 | 410 t [2] |

- First
  - within it,
    and going on
2. Second

> Quoted [1]

```
code | [1]
```

## Sources

1. The mill. <https://mill.test>
"""
SCHEMA = """\
macro:
  name: written
  version: "1.0"
  description: Write it.
  prompt: "Write."
  output:
    schema_name: written
    schema:
      type: object
      properties:
        report: {type: string}
        findings: {type: array, items: {type: object}}
        sources: {type: array, items: {type: object}}
        limitations: {type: array, items: {type: string}}
        open_questions: {type: array, items: {type: string}}
"""
DATA = {
    "report": REPORT,
    "findings": [{"claim": "240 people work there", "sources": [1], "confidence": "high"}],
    "sources": [
        {"number": 1, "title": "The mill", "url": "https://mill.test", "accessed": "2026-11-21"},
        {"number": 2, "title": "Statistics", "url": "https://stats.test", "accessed": "2026-11-20"},
    ],
    "limitations": ["Nobody was asked."],
    "open_questions": ["Who owns it?"],
}
FIDELITY = {
    "score": 0.625,
    "verified": 4,
    "supported": 2,
    "partially_supported": 1,
    "unsupported": 1,
    "contradicted": 0,
    "unknown": 0,
}


@pytest.fixture
def written(db):
    return ResultFactory(run__macro__text=SCHEMA, data=DATA, fidelity=FIDELITY)


def test_it_reads_the_blocks_of_a_report():
    blocks = read_prose(REPORT)
    assert [block.kind for block in blocks] == [
        *("heading", "paragraph", "heading", "table", "list", "quote", "code", "heading", "list")
    ]
    assert [(span.text, span.style) for span in blocks[1].lines[0].spans] == [
        ("It employs ", "plain"),
        ("240 people", "strong"),
        (" [1], ", "plain"),
        ("as of 2025", "em"),
        (". It is ", "plain"),
        ("old", "code"),
        (".", "plain"),
    ]
    assert [(line.depth, line.mark) for line in blocks[4].lines] == [(0, ""), (1, ""), (0, "2")]
    assert len(blocks[3].rows) == 2
    assert blocks[6].text == "code | [1]"


def test_the_list_of_sources_at_its_end_is_left_to_the_memo():
    assert without_sources(read_prose(REPORT), ("Sources",))[-1].kind == "code"
    assert len(without_sources(read_prose("## Sources of law\n\nText"), ("Sources",))) == 2


def test_the_report_comes_before_the_findings_and_is_told_once(compose, written):
    text = compose(written)
    assert text.index("## Report") < text.index("### The mill") < text.index("## Findings")
    assert text.count("It employs") == 1
    assert "It employs **240 people** \\[1\\], *as of 2025*" in text
    assert "| 2024 | 410 t \\[2\\] |" in text


def test_sources_stand_under_the_numbers_of_the_report(compose, written):
    text = compose(written)
    sources = text.partition("## Sources\n")[2].partition("\n## ")[0]
    assert sources.strip().splitlines() == [
        "1. The mill · https\\://mill.test · 2026-11-21",
        "2. Statistics · https\\://stats.test · 2026-11-20",
    ]
    assert "### Sources" not in text


def test_how_far_the_sources_bear_it_out_is_said_at_once(compose, written):
    text = compose(written)
    summary = text.partition("## Executive summary\n")[2].partition("\n## ")[0]
    assert (
        "4 claims were verified: 2 borne out, 1 in part, 1 not borne out. Fidelity to the sources: 62 %."
        in summary
    )


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
def test_a_verification_that_gave_no_verdict_is_said(compose, written, language):
    written.fidelity = {**FIDELITY, "score": None, "verified": 0}
    written.save()
    assert labels_for(language)("not_verified") in compose(written, language=language)


def test_limits_and_open_questions_have_their_sections(compose, written):
    written.partial = True
    written.save()
    text = compose(written)
    limits = text.partition("## Limitations\n")[2].partition("\n## ")[0]
    assert "- Nobody was asked." in limits
    assert "this is a partial result" in limits
    assert "- Who owns it?" in text.partition("## Next steps\n")[2]


def test_it_is_html_of_our_own_making(compose, written):
    html = compose(written, format="html")
    assert "<h3><bdi>The mill</bdi></h3>" in html
    assert "<strong><bdi>240 people</bdi></strong>" in html
    assert "<td><bdi>410 t [2]</bdi></td>" in html
    assert "<pre><code>code | [1]</code></pre>" in html


class Tags(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.seen = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))


HOSTILE = [
    "<script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "![x](https://evil.test/pixel.png)",
    "<img src=x onerror=alert(1)>",
    "**<b onclick=x>**",
    "| <i>a</i> | [b](https://evil.test) |",
    "> <iframe src=//evil.test>",
    "- <a href=x>y</a>",
    "```\n</code></pre><script>x</script>\n```",
    "`</code><script>`",
    "[ref]: https://evil.test\n\n[ref]",
    "# <svg onload=x>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_a_report_is_text(compose, written, text):
    written.data = {**DATA, "report": f"# A\n\n{text}\n\nEnd."}
    written.save()
    html = compose(written, format="html")
    article = html.partition('<article class="report">')[2].partition("</article>")[0]
    allowed = {
        "h3",
        "h4",
        "p",
        "bdi",
        "strong",
        "em",
        "code",
        "pre",
        "table",
        "tr",
        "th",
        "td",
        "ul",
        "li",
        "blockquote",
    }
    seen = Tags(article).seen
    assert {tag for tag, _ in seen} <= allowed
    assert {name for _, attributes in seen for name in attributes} <= {"class", "scope"}
    assert _kinds(compose(written)) & {"link_open", "image", "html_inline", "html_block"} == set()


@given(
    st.lists(st.sampled_from([*HOSTILE, "\n", "\n\n", "text ", "  ", "|", "`", "*", "# ", "- "]), max_size=8)
)
def test_no_report_becomes_more_than_text_in_markdown(parts):
    text = "\n\n".join(map(_prose, read_prose("".join(parts))))
    assert _kinds(text) & {"link_open", "image", "html_inline", "html_block"} == set()


def _kinds(markdown):
    tokens = MARKDOWN.parse(markdown)
    inner = {child.type for token in tokens for child in token.children or ()}
    return {token.type for token in tokens} | inner


@given(st.text(alphabet="ab*`_[]()#|-> \n.1<&", max_size=200))
def test_every_word_of_a_report_is_kept(text):
    told = "".join(map(_prose, read_prose(text)))
    without_fences = re.sub(r"^ {0,3}(?:`{3,}|~{3,}).*$", "", text, flags=re.MULTILINE)
    assert re.sub(r"[^ab]", "", told) == re.sub(r"[^ab]", "", without_fences)
