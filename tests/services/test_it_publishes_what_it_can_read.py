import pytest

from research.services.macros import sync_macros
from tests.factories import MACRO_TEXT

pytestmark = pytest.mark.django_db


def test_it_goes_on_after_a_file_that_cannot_be_read(tmp_path):
    (tmp_path / "a.yaml").symlink_to(tmp_path / "nowhere.yaml")
    (tmp_path / "b.yaml").mkdir()
    (tmp_path / "c.yaml").write_bytes(b"\xff\xfe")
    (tmp_path / "d.yaml").write_text(MACRO_TEXT.format(name="good", schema_name="good-result"))
    report = sync_macros(directory=tmp_path)
    assert report.published == ["good 1.0"]
    assert len(report.faults) == 3
