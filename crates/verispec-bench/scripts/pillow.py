"""Milliseconds that Pillow takes from PNG bytes to JPEG bytes: TIMES OPTIMIZE FILE..., one line a file."""
import io
import statistics
import sys
import time

from PIL import Image


def once(data, optimize):
    begin = time.perf_counter()
    image = Image.open(io.BytesIO(data)).convert("RGB")
    image.save(io.BytesIO(), "JPEG", quality=95, optimize=optimize)
    return 1000 * (time.perf_counter() - begin)


times, optimize, files = int(sys.argv[1]), sys.argv[2] == "1", sys.argv[3:]
for path in files:
    with open(path, "rb") as file:
        data = file.read()
    print(statistics.median(once(data, optimize) for _ in range(times)))
