"""Which providers an installation asks, in which order, and what the listing shows of that."""

from research.web.search.setup import NAMES, NEEDS, WEB, missing, order, providers, statuses
from tests.cases import cases


def set_up(settings, *names):
    for name in names:
        for need in NEEDS[name]:
            setattr(settings, need, f"value-of-{need}")


def names(found):
    return [provider.name for provider in found]


def archive(query, limit):
    return []


def test_nothing_set_up_is_nobody_to_ask():
    assert providers() == []
    assert names(providers(archive=archive)) == ["archive"]


def test_those_that_are_set_up_are_asked_in_the_usual_order_and_the_archive_last(settings):
    set_up(settings, "searxng", "tavily", "google", "crossref")
    assert names(providers(archive=archive)) == ["tavily", "google", "searxng", "archive"]
    set_up(settings, "brave", "perplexity")
    assert names(providers()) == list(WEB)


def test_the_order_can_be_set(settings):
    set_up(settings, "tavily", "brave", "crossref")
    settings.DOSSIER_SEARCH = ["OpenAlex", "archive", "brave", "crossref", "brave", "semantic_scholar"]
    assert names(providers(archive=archive)) == [
        "openalex",
        "archive",
        "brave",
        "crossref",
        "semantic_scholar",
    ]


def test_a_name_without_its_key_or_without_a_meaning_is_left_out(settings):
    settings.DOSSIER_SEARCH = ["tavily", "altavista", "openalex"]
    assert order() == ("tavily", "altavista", "openalex")
    assert names(providers()) == ["openalex"]


def test_google_needs_both_of_its_settings(settings):
    settings.GOOGLE_API_KEY = "k"
    assert missing("google") == ("GOOGLE_CSE_ID",)
    assert providers() == []


def test_a_caller_may_choose(settings):
    set_up(settings, "tavily")
    assert names(providers(names=["crossref", "openalex", "tavily", "nobody"])) == ["openalex", "tavily"]


@cases("name", NAMES)
def test_each_is_made_with_its_own_settings(settings, name):
    for needs in NEEDS.values():
        for need in needs:
            setattr(settings, need, f"value-of-{need}")
    (provider,) = providers(archive=archive, names=[name])
    assert provider.name == name
    if name in NEEDS:
        assert f"value-of-{NEEDS[name][-1]}" in vars(provider).values()


def test_the_statuses_name_settings_and_never_their_values(settings):
    set_up(settings, "brave", "google")
    settings.DOSSIER_SEARCH = ["google", "altavista", "tavily", "brave"]
    shown = [(each.name, each.place, each.missing, each.known) for each in statuses()]
    assert shown[:2] == [("google", 1, (), True), ("brave", 2, (), True)]
    assert ("tavily", 0, ("TAVILY_API_KEY",), True) in shown
    assert ("openalex", 0, (), True) in shown
    assert shown[-1] == ("altavista", 0, (), False)
    assert len(shown) == len(NAMES) + 1
    assert "value-of" not in str(shown)
