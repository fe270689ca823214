"""A web server carries nothing that only work in the background needs, until somebody asks for it."""

from bench.web_process import WEB, measured


def test_it_starts_without_what_reads_pages_writes_files_and_speaks_to_models():
    assert measured(WEB)["heavy"] == []
