"""All measurements, one after the other, each in a process of its own: none warms up another's caches."""

import subprocess
import sys

for measurement in ("lei_checksum", "whole_path", "floors"):
    subprocess.run([sys.executable, "-m", f"bench.{measurement}"], check=True)
    print(flush=True)
