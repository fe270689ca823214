from research.verbs.check import check_program, verb_faults
from research.verbs.parser import parse
from research.verbs.syntax import Call, Symbol
from tests.cases import cases

LEI = "529900K9B0N5BT694847"


def faults_of(text: str) -> list[tuple[int, int, str]]:
    return [(fault.line, fault.column, fault.message) for fault in check_program(parse(text))]


@cases(
    "text",
    [
        f'(gleif.enrich :lei "{LEI}" :as @apex)',
        '(gleif.enrich :entity-id "allianz-se")',
        f'(gleif.enrich :entity-id "{LEI}")',
        '(gleif.enrich :entity-id "d3b07384-d9a0-4c9b-8f6e-1f0d5c1f2a3b")',
        f'(gleif.enrich :lei "{LEI}" :as @a)(gleif.trace-ownership :entity-id @a)',
        '(gleif.search :name "Allianz" :jurisdiction "US-DE" :category "FUND" :status "LAPSED" :limit 100)',
        f'(gleif.import-tree :root-lei "{LEI}" :direction "BOTH" :max-depth 10 :create-entities false)',
        f'(gleif.lookup :target-type "parent" :lei "{LEI}")',
        '(gleif.lookup :target-type "isin" :isin "DE0008404005")',
        "(gleif.refresh)",
        '(entity.ensure :entity-type "limited-company" :name "A" :jurisdiction "LU" :as @a)',
        '(entity.ensure :entity-type "natural-person" :first-name "A" :last-name "B" :date-of-birth "1970-02-28")',
        f'(fund.ensure :name "F" :fund-type "ucits" :manager (gleif.enrich :lei "{LEI}") :as @f)',
        '(cbu.ensure :name "F" :jurisdiction "LU" :client-type "fund" :as @cbu_0)',
        f'(ubo.add-ownership :owner-lei "{LEI}" :owned-entity-name "B" :ownership-type "direct_ownership")',
        '(ubo.add-ownership :owner-name "A" :owned-entity-name "B" :percentage 25)',
        '(ownership.record :owner-name "A" :owned-name "B" :percentage 99.99)',
        '(entity.ensure :entity-type "fund" :name "A" :as @a)(entity.ensure :entity-type "fund" :name "B" :as @b)'
        '(entity.link :subject @a :type "subfund-of" :object @b)',
        '(cbu.ensure :name "F" :as @cbu)(red-flag.raise :cbu-id @cbu :flag-type "SANCTIONS_HIT" :severity "high")',
        '(red-flag.raise :entity-id "a-b" :flag-type "OTHER" :severity "HARD_STOP" :description "Why.")',
        ";; nothing but a comment",
    ],
)
def test_sound_verbs_have_no_faults(text):
    assert faults_of(text) == []


@cases(
    ("text", "column", "message"),
    [
        ("(gleif.enrichh)", 1, "there is no verb gleif.enrichh; perhaps gleif.enrich"),
        ("(qq.qqq)", 1, "there is no verb qq.qqq"),
        (f'(gleif.resolve-successor :lei "{LEI}" :nmae 1)', 54, "has no argument :nmae; it has :lei"),
        ("(gleif.search)", 1, "gleif.search needs :name"),
        ("(gleif.enrich)", 1, "gleif.enrich needs one of :lei, :entity-id"),
        ('(ownership.record :owner-name "A")', 1, "needs one of :owned, :owned-lei, :owned-name"),
        ("(gleif.search :name 5)", 15, ":name of gleif.search is 5, not a text"),
        ('(gleif.search :name " ")', 15, "is blank"),
        ('(gleif.search :name "a\0b")', 15, "cannot be stored"),
        ('(gleif.search :name "a\ud800")', 15, "cannot be stored"),
        (f'(gleif.search :name "{"x" * 501}")', 15, "is 501 characters long; at most 500"),
        ('(gleif.search :name "A" :name "B")', 25, ":name of gleif.search is given twice"),
        ('(gleif.search :name "A" :limit 101)', 25, "is 101; allowed is 1 to 100"),
        ('(gleif.search :name "A" :limit 0)', 25, "is 0; allowed is 1 to 100"),
        ('(gleif.search :name "A" :limit 5.0)', 25, "is 5.0, not an integer"),
        ('(gleif.search :name "A" :limit true)', 25, "is true, not an integer"),
        ('(gleif.search :name "A" :limit "5")', 25, "is '5', not an integer"),
        ('(gleif.search :name "A" :limit nil)', 25, "is nil, not an integer"),
        ('(gleif.search :name "A" :category "fund")', 25, "is 'fund'; allowed are FUND, BRANCH"),
        ('(gleif.search :name "A" :jurisdiction "Germany")', 25, "not a country code such as LU or US-DE"),
        ("(gleif.search :name [1 2])", 15, "is a list, not a text"),
        ("(gleif.search :name {:a 1})", 15, "is a map, not a text"),
        (f'(gleif.import-tree :root-lei "{LEI}" :max-depth 11)', 53, "is 11; allowed is 1 to 10"),
        (f'(gleif.import-tree :root-lei "{LEI}" :create-entities "yes")', 53, "neither true nor false"),
        ('(gleif.enrich :lei "529900K9B0N5BT694848")', 15, "not a valid LEI"),
        ('(gleif.enrich :lei "allianz-se")', 15, "not a valid LEI"),
        (f'(gleif.enrich :lei "{LEI.lower()}")', 15, "not a valid LEI"),
        ("(gleif.enrich :lei 5)", 15, "is 5, not an LEI"),
        ('(gleif.enrich :entity-id "529900K9B0N5BT694848")', 15, "not a valid LEI"),
        ('(gleif.enrich :entity-id "Allianz SE")', 15, "neither an LEI, a UUID nor a slug"),
        ("(gleif.enrich :entity-id 5)", 15, "not an entity"),
        (
            f'(gleif.enrich :lei "{LEI}" :decision-id "x")',
            43,
            "gleif.enrich refuses :decision-id. Dossier itself",
        ),
        ('(gleif.lookup :target-type "isin" :isin "DE0008404006")', 35, "not a valid ISIN"),
        ('(gleif.lookup :target-type "isin" :isin "DE000840400")', 35, "not a valid ISIN"),
        ('(entity.ensure :entity-type "person" :name "A" :date-of-birth "2023-02-29")', 48, "not a date"),
        ('(entity.ensure :entity-type "castle" :name "A")', 16, "is 'castle'; allowed are legal-entity"),
        ('(ownership.record :owner-name "A" :owned-name "B" :percentage 100.01)', 51, "allowed is 0 to 100"),
        ('(ownership.record :owner-name "A" :owned-name "B" :percentage -1)', 51, "allowed is 0 to 100"),
        ('(ownership.record :owner-name "A" :owned-name "B" :percentage "5")', 51, "is '5', not a number"),
        (
            '(ownership.record :owner-name "A" :owned-name "B" :percentage "5 %")',
            51,
            "is '5 %', not a number",
        ),
        *(
            (f'(ownership.record :owner-name "A" :owned-name "B" :valid-from "{day}")', 51, why)
            for day, why in (
                ("31.12.2025", "not a day: write 2025, 2025-03 or 2025-03-31"),
                ("12/31/2025", "not a day: write 2025, 2025-03 or 2025-03-31"),
                ("31 December 2025", "not a day: write 2025, 2025-03 or 2025-03-31"),
                ("2025-12-31T00:00:00Z", "not a day: write 2025, 2025-03 or 2025-03-31"),
                ("20251231", "not a day: write 2025, 2025-03 or 2025-03-31"),
                ("2025-02-29", "there is no day '2025-02-29'"),
                ("2025-13", "there is no day '2025-13'"),
            )
        ),
        ('(ownership.record :owner-name "A" :owned-name "B" :as-of 2025)', 51, "not a day such as 2025"),
        (
            '(ubo.add-ownership :owner-name "A" :owned-name "B" :owned-entity-name "C")',
            52,
            "twice, as :owned-name",
        ),
        ('(cbu.ensure :name "A" :client-type "corporate")', 23, "allowed are fund"),
        ('(cbu.ensure :name "A" :nature-purpose "x")', 23, "cbu.ensure refuses :nature-purpose"),
        ('(red-flag.raise :case-id "x" :flag-type "OTHER" :severity "SOFT")', 17, "refuses :case-id"),
        (
            '(red-flag.raise :entity-id "a" :flag-type "OTHER" :severity "mild")',
            51,
            "allowed are SOFT, ESCALATE",
        ),
        (f'(gleif.trace-ownership :lei "{LEI}" :entity-id "a")', 1, "takes only one of :lei, :entity-id"),
        ('(gleif.refresh :entity-id "a" :limit 5)', 1, "takes only one of :entity-id, :limit"),
        (
            '(entity.ensure :entity-type "person" :name "A" :last-name "B")',
            1,
            "only one of :name, :last-name",
        ),
        (
            '(ubo.add-ownership :owner "a" :owned "b" :owned-entity-name "c")',
            1,
            "only one of :owned, :owned-entity-name",
        ),
        ("(gleif.enrich :entity-id @a)", 15, "@a is not bound"),
        ("(gleif.enrich :lei @a)", 15, "@a is not bound"),
        ("(gleif.enrich :entity-id (gleif.refresh))", 15, "needs an entity, and gleif.refresh returns none"),
        ("(gleif.enrich :entity-id (gleif.refres))", 26, "there is no verb gleif.refres"),
        ("(gleif.enrich :entity-id @a :as @a)", 15, "@a is used before it is bound, in line 1"),
    ],
)
def test_a_fault_names_its_place_and_the_reason(text, column, message):
    faults = faults_of(text)
    assert any(column == at and message in reason for _, at, reason in faults), faults


def test_a_symbol_used_too_early_says_where_it_is_bound():
    text = f'(gleif.trace-ownership :entity-id @a)\n(gleif.enrich :lei "{LEI}" :as @a)'
    assert faults_of(text) == [(1, 24, "@a is used before it is bound, in line 2")]


def test_a_symbol_bound_twice_says_where_it_was_first():
    text = f'(gleif.enrich :lei "{LEI}" :as @a)\n(gleif.enrich :lei "{LEI}" :as @a)'
    assert faults_of(text) == [(2, 1, "@a is bound twice, first in line 1")]


def test_a_symbol_of_a_verb_that_returns_no_entity_is_no_entity():
    text = f'(gleif.resolve-successor :lei "{LEI}" :as @r)\n(gleif.enrich :entity-id @r)'
    assert faults_of(text) == [
        (2, 15, ":entity-id needs an entity, and gleif.resolve-successor returns none")
    ]


def test_a_symbol_where_no_entity_is_meant_is_refused():
    text = f'(gleif.enrich :lei "{LEI}" :as @a)\n(gleif.search :name @a)'
    assert faults_of(text) == [(2, 15, ":name of gleif.search is the symbol @a, not a text")]


def test_a_symbol_of_an_unknown_verb_is_reported_once():
    text = "(gleif.enrichh :as @a)\n(gleif.enrich :entity-id @a)"
    assert len(faults_of(text)) == 1


def test_a_nested_call_binds_before_the_call_around_it():
    text = f'(fund.ensure :name "F" :manager (gleif.enrich :lei "{LEI}" :as @m) :umbrella @m)'
    assert faults_of(text) == []


def test_all_faults_are_reported_in_the_order_of_the_text():
    text = '(gleif.search :limit 0)\n(no.verb)\n(gleif.enrich :lei "x" :foo 1)'
    assert [line for line, _, _ in faults_of(text)] == [1, 1, 2, 3, 3]


def test_a_call_that_was_built_and_not_parsed_is_checked_too():
    faults = check_program([Call("gleif", "enrich", (("entity-id", Symbol("x")),))])
    assert [fault.message for fault in faults] == ["@x is not bound"]


def test_a_text_that_does_not_parse_has_the_faults_of_its_syntax():
    assert verb_faults("(gleif.enrich :lei foo)") == [
        {"line": 1, "column": 20, "message": "'foo' is not a value; texts stand in double quotes"}
    ]


def test_a_sound_text_has_no_faults():
    assert verb_faults(f'(gleif.enrich :lei "{LEI}")') == []
