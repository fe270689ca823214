"""All measurements, one after the other."""

from bench import lei_checksum, whole_path

for measurement in (lei_checksum, whole_path):
    measurement.main()
    print()
