"""Markers, numbers and the list of sources are the ledger's, whatever the model wrote."""

import re

from hypothesis import given
from hypothesis import strategies as st

from research.engine.deep.citations import Entry, finish_report
from research.engine.deep.markup import numbers
from tests.cases import cases

LEDGER = [
    Entry(
        number,
        f"Title {number}",
        f"https://site{number}.test/page",
        f"site{number}.test",
        "",
        "2026-11-21",
        "high",
    )
    for number in range(1, 13)
]


def finish(draft, ledger=LEDGER, **options):
    return finish_report(draft, ledger, **options)


def test_it_numbers_sources_in_reading_order():
    done = finish("Later [7]. Earlier [3] and again [7].")
    assert done.report.startswith("Later [1]. Earlier [2] and again [1].\n")
    assert [source.url for source in done.sources] == ["https://site7.test/page", "https://site3.test/page"]
    assert done.numbering == {7: 1, 3: 2}


def test_it_builds_the_list_from_the_ledger():
    report = finish("Fact [2].").report
    assert report.endswith(
        "## Sources\n\n1. Title 2. site2.test, accessed 2026-11-21. <https://site2.test/page>\n"
    )


@cases(
    "own",
    [
        "## Sources\n1. Made up, https://invented.test",
        "# References\n\n[1] https://invented.test\n\n### Web\n\n- https://invented.test",
        "**Sources:**\n- https://invented.test",
        "Sources:\n[1] https://invented.test",
        "## Quellenverzeichnis\n- https://invented.test",
        "[1]: https://invented.test",
    ],
)
def test_it_takes_the_models_own_list_away(own):
    done = finish(f"Fact [4].\n\n{own}\n")
    assert "invented" not in done.report
    assert done.report.count("\n## ") == 1


def test_it_keeps_what_follows_the_models_list():
    report = finish("Fact [1].\n\n## Sources\n\n- x\n\n## Outlook\n\nMore [2].").report
    assert "- x" not in report
    assert "## Outlook\n\nMore [2]." in report


def test_it_keeps_a_section_that_is_only_named_alike():
    assert "## Sources of income" in finish("Fact [1].\n\n## Sources of income\n\nRent [2].").report


@cases(
    ("draft", "kept"),
    [
        ("Fact [99].", "Fact."),
        ("Fact [99][98], and more.", "Fact, and more."),
        ("Fact [1] [99] (see below).", "Fact [1] (see below)."),
        ("Fact [3, 99; 4].", "Fact [1][2]."),
        ("[99] begins.", "begins."),
    ],
)
def test_it_takes_away_markers_that_name_no_source(draft, kept):
    assert kept in finish(draft).report.splitlines()


def test_it_names_the_markers_that_it_took_away():
    assert finish("A [99]. B [1]. C [98].").dangling == (99, 98)


@cases(
    "untouched",
    [
        "In [2024] prices",
        "[3](https://link.test) is a link",
        "[see [3] there](https://link.test/a_(b))",
        "`array[3]` in code",
        "``a ` [3]`` in code",
        "```\nx[3] = [1]: [99]\n```",
        "~~~ text\n## Sources\n[3]\n~~~",
        "<https://link.test/a[3]>",
        r"\[3] is escaped",
        "the interval [0, 1]",
    ],
)
def test_it_leaves_code_links_and_years_alone(untouched):
    done = finish(f"First [5].\n\n{untouched}\n\nLast [6].")
    assert untouched in done.report
    assert len(done.sources) == 2


def test_it_says_when_nothing_is_cited():
    done = finish("All made up [44].\n\n## Sources\n1. Nowhere")
    assert done.report.startswith("> **Ungrounded.**")
    assert "## Sources" not in done.report
    assert finish(done.report).report == done.report


def test_it_lists_what_findings_cite_outside_the_report():
    done = finish("Fact [4].", also=[9, 4, 77])
    assert done.numbering == {4: 1, 9: 2}


def test_a_title_from_a_page_can_neither_cite_nor_format():
    hostile = Entry(1, "x [2](https://evil.test) <b>*hi*\n## Sources", "javascript:alert(1)", "evil.test")
    done = finish("Fact [1].", [hostile])
    line = done.report.splitlines()[-1]
    assert numbers(line) == []
    assert "](" not in line.replace("\\](", "")
    assert "<" not in line.replace("\\<", "")


def test_it_closes_a_fence_so_that_the_list_is_no_code():
    done = finish("Fact [1].\n\n```\nnever closed")
    assert "never closed\n```\n\n## Sources" in done.report
    assert finish(done.report, done.sources).report == done.report


def test_an_academic_source_is_listed_by_date():
    entry = Entry(1, "On reefs", "https://doi.test/1", "doi.test", date="2023", academic=True)
    assert finish("Fact [1].", [entry]).report.endswith(
        "1. On reefs (2023). doi.test. <https://doi.test/1>\n"
    )


WORDS = st.sampled_from(
    [
        *("Reefs grow", " ", ".", ", ", "\n", "\n\n", "- ", "    ", "(", ")", "!", "é", "_", "**", "\\", "["),
        *(
            "]",
            "[1]",
            "[2]",
            "[7]",
            "[12]",
            "[13]",
            "[99]",
            "[2024]",
            "[1, 2]",
            "[3;99]",
            "[4](https://a.test)",
        ),
        *(
            "`",
            "``",
            "```\n",
            "~~~\n",
            "`x[5]`",
            "```\n[6]\n```\n",
            "[6]: https://a.test\n",
            "<https://a.test/[8]>",
        ),
        *(
            "# Title\n",
            "## Sources\n",
            "**References**\n",
            "Sources:\n",
            "> ",
            "|a [3]|1|\n",
            "[[9]1]",
            "[1[9]]",
        ),
    ]
)
DRAFTS = st.lists(WORDS, max_size=25).map("".join)


@given(DRAFTS)
def test_every_marker_has_a_source_and_every_source_is_cited(draft):
    done = finish(draft)
    assert sorted(set(numbers(done.report))) == [source.number for source in done.sources]
    assert {source.url for source in done.sources} <= {entry.url for entry in LEDGER}


@given(DRAFTS)
def test_finishing_twice_changes_nothing(draft):
    done = finish(draft)
    again = finish(done.report, done.sources)
    assert (again.report, again.sources) == (done.report, done.sources)
    assert again.dangling == ()


@given(
    st.lists(st.sampled_from(["fact [1]", "x [99]", "`a[3]`", "[4](https://l.test/[5])", "y[2]"]), min_size=1)
)
def test_code_and_links_are_as_they_were(parts):
    draft = " and ".join(parts)
    pattern = r"`[^`]*`|\[4\]\([^)]*\)"
    assert re.findall(pattern, finish(draft).report) == re.findall(pattern, draft)
