"""Which commands of the README does CI run?"""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
commands = runpy.run_path(str(ROOT / ".ci" / "readme.py"))["commands"]

TEXT = """# Title

<!-- ci -->
```sh
make demo

make demo COMPANY="A B"
```

```sh
rm -rf everything
```

<!-- ci -->

```sh
make test
```
"""


def test_it_takes_the_lines_of_marked_blocks_in_order():
    assert commands(TEXT) == ["make demo", 'make demo COMPANY="A B"', "make test"]


@pytest.mark.parametrize("text", ["", "```sh\nmake demo\n```\n", "<!-- ci -->\n```python\nmake\n```\n"])
def test_it_refuses_a_text_without_marked_blocks(text):
    with pytest.raises(ValueError, match="marked"):
        commands(text)
