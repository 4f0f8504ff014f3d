"""Writes pillow.json: small images in every mode, with the RGB pixels, the quality-95 JPEG and a
Lanczos resize that Pillow makes of them. Run by hand with Pillow 13.0.0 and numpy:

    python make_pillow.py > pillow.json

The rule under test (alpha and palette images over white, all else by convert("RGB")) is written
here in our own words after its description.
"""

import base64
import hashlib
import io
import json
import struct
import zlib

import numpy as np
from PIL import Image

RNG = np.random.default_rng(7)
W, H = 37, 26


def noise(*shape):
    return RNG.integers(0, 256, shape, dtype=np.uint8)


def smooth(channels):
    y, x = np.mgrid[0:H, 0:W]
    planes = [(x * (5 + c) + y * (3 + 2 * c) + 40 * c) % 256 for c in range(channels)]
    return np.stack(planes, -1).astype(np.uint8)


def save(image, kind, **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def raw_png(depth, colour, rows, extra=b""):
    """A PNG by hand, for modes that Pillow reads and does not write."""
    header = struct.pack(">IIBBBBB", W, len(rows), depth, colour, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows))
    signature = b"\x89PNG\r\n\x1a\n"
    return signature + chunk(b"IHDR", header) + extra + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def rows(bits_per_pixel):
    return [noise((W * bits_per_pixel + 7) // 8).tobytes() for _ in range(H)]


def to_rgb(data):
    image = Image.open(io.BytesIO(data))
    if image.mode == "P":
        image = image.convert("RGBA")
    if image.mode in ("RGBA", "LA", "PA"):
        white = Image.new("RGB", image.size, (255, 255, 255))
        white.paste(image, mask=image.getchannel("A"))
        return white
    return image if image.mode == "RGB" else image.convert("RGB")


def palette_image(colours):
    image = Image.fromarray(noise(H, W) % colours, "P")
    image.putpalette(noise(colours * 3).tolist())
    return image


def cases():
    rgb, rgba = Image.fromarray(smooth(3)), Image.fromarray(noise(H, W, 4), "RGBA")
    gray, two = Image.fromarray(smooth(1)[..., 0]), Image.fromarray(noise(H, W, 2), "LA")
    yield "png-rgb", save(rgb, "PNG")
    yield "png-rgba", save(rgba, "PNG")
    yield "png-gray", save(gray, "PNG")
    yield "png-gray-alpha", save(two, "PNG")
    yield "png-palette", save(palette_image(200), "PNG")
    yield "png-palette-transparent-index", save(palette_image(16), "PNG", transparency=3)
    yield "png-palette-alpha", save(palette_image(9), "PNG", transparency=bytes(range(0, 250, 28)))
    yield "png-1-bit", save(gray.convert("1"), "PNG")
    for depth in (1, 2, 4):
        yield f"png-gray-{depth}", raw_png(depth, 0, rows(depth))
    for depth in (2, 4, 8):
        # Two entries only: most indices lie past the end of the palette.
        yield f"png-short-palette-{depth}", raw_png(depth, 3, rows(depth), chunk(b"PLTE", noise(6).tobytes()))
    sixteen = np.arange(W * H, dtype=np.uint16).reshape(H, W) * 67
    yield "png-gray-16", save(Image.fromarray(sixteen), "PNG")
    yield "png-rgb-16", raw_png(16, 2, rows(48))
    yield "png-gray-alpha-16", raw_png(16, 4, rows(32))
    yield "png-rgba-16", raw_png(16, 6, rows(64))
    yield "png-rgb-transparent-colour", save(rgb, "PNG", transparency=tuple(int(v) for v in smooth(3)[0, 0]))
    yield "png-gray-transparent-colour", save(gray, "PNG", transparency=int(smooth(1)[0, 0, 0]))
    exif = Image.Exif()
    exif[0x0112] = 6
    yield "png-exif-turned", save(rgb, "PNG", exif=exif)
    yield "png-no-end", save(rgb, "PNG")[:-12]
    frames = [Image.fromarray(smooth(3)[:, ::-1]), Image.fromarray(noise(H, W, 3))]
    yield "png-animated", save(rgb, "PNG", save_all=True, append_images=frames)
    for sampling in (0, 1, 2):
        yield f"jpeg-rgb-sampling-{sampling}", save(rgb, "JPEG", quality=90, subsampling=sampling)
    yield "jpeg-progressive", save(rgb, "JPEG", progressive=True)
    yield "jpeg-gray", save(gray, "JPEG")
    yield "jpeg-cmyk", save(rgb.convert("CMYK"), "JPEG")
    yield "jpeg-exif-turned", save(rgb, "JPEG", exif=exif)
    yield "jpeg-restart-markers", save(rgb, "JPEG", restart_marker_rows=1)
    yield "gif-still", save(palette_image(100), "GIF")
    yield "gif-transparent", save(palette_image(30), "GIF", transparency=5)
    yield "gif-gray", save(gray, "GIF")
    yield "gif-animated", save(rgb, "GIF", save_all=True, append_images=frames)
    yield "gif-no-end", save(palette_image(100), "GIF")[:-1]
    still = bytearray(save(palette_image(100), "GIF"))
    still[6:10] = struct.pack("<HH", W + 9, H + 5)
    yield "gif-small-frame", bytes(still)
    still[6:10] = struct.pack("<HH", 3, 3)
    yield "gif-large-frame", bytes(still)
    yield "webp-lossless", save(rgb, "WEBP", lossless=True)
    yield "webp-lossless-alpha", save(rgba, "WEBP", lossless=True, exact=True)
    yield "webp-lossy", save(rgb, "WEBP", quality=80)
    yield "webp-lossy-alpha", save(rgba, "WEBP", quality=80)
    yield "webp-animated", save(rgb, "WEBP", lossless=True, save_all=True, append_images=frames)
    yield "bmp-rgb", save(rgb, "BMP")
    yield "bmp-palette", save(palette_image(100), "BMP")
    yield "bmp-gray", save(gray, "BMP")
    yield "bmp-1-bit", save(gray.convert("1"), "BMP")
    yield "bmp-rgba", save(rgba, "BMP")


def sha(data):
    return hashlib.sha256(data).hexdigest()


def is_lossy(name):
    return "lossy" in name.split("-") or name.startswith("jpeg")


def describe(name, data):
    rgb = to_rgb(data)
    jpeg = save(rgb, "JPEG", quality=95, optimize=True)
    small = rgb.resize((W * 3 // 4, H * 3 // 4), Image.Resampling.LANCZOS)
    large = rgb.resize((W + 11, H * 2), Image.Resampling.LANCZOS)
    return {
        "name": name,
        "file": base64.b64encode(data).decode(),
        "size": rgb.size,
        # Lossy formats are decoded a little differently by each library: keep the pixels too.
        "rgb_png": base64.b64encode(save(rgb, "PNG")).decode() if is_lossy(name) else None,
        "rgb_sha256": sha(rgb.tobytes()),
        "jpeg95": {"sha256": sha(jpeg), "bytes": len(jpeg)},
        "resized": [{"size": r.size, "sha256": sha(r.tobytes())} for r in (small, large)],
    }


print(json.dumps([describe(*case) for case in cases()], indent=0))
