"""A model under test in Python."""

from __future__ import annotations

import json
import pathlib
import sys

import pytest

import verispec
from conftest import run
from verispec.adapter import _answer, task_of

MODEL = """
import struct, zlib
import verispec

def png(width, height, colour):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    rows = b"".join(b"\\0" + bytes(colour) * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head)
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))

class Grey(verispec.Model):
    def load(self):
        print("a line on standard output that is no reply")
        self.made = 0

    def generate(self, task):
        assert task.wants_image and task.prompt
        self.made += 1
        if self.made == 2:
            raise verispec.Refused("not this one")
        return png(64, 64, (self.made * 10, 128, 128))

verispec.serve(Grey())
"""


def test_round_trip_with_generate(demo: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    command = json.dumps([sys.executable, "model.py"])
    (tmp_path / "verispec.toml").write_text(
        f'[model.grey]\ngenerate = {{ provider = "command", command = {command} }}\n'
    )
    data = str(demo / "suite")
    run(
        *["generate", "specv", "--data", data, "--model", "grey", "--out", "outputs"],
        cwd=tmp_path,
    )
    made = sorted((tmp_path / "outputs").rglob("*.png"))
    assert len(made) == 13
    assert all(p.read_bytes().startswith(b"\x89PNG") for p in made)
    check = verispec.check("specv", data=data, outputs=tmp_path / "outputs", models="grey")
    (row,) = check["outputs"]
    assert (row["model"], row["expected"]) == ("grey", 14)


def request(out: pathlib.Path, **more: object) -> dict[str, object]:
    parts = [{"image": "/in.png", "mime": "image/png"}, {"text": "Make "}, {"text": "it red."}]
    params = {"modalities": ["image"], "seed": 42, "steps": 4}
    return {"id": "17", "parts": parts, "params": params, "repeat": 1, "out": str(out), **more}


def test_a_task_says_what_is_wanted(tmp_path: pathlib.Path) -> None:
    task = task_of(request(tmp_path, later_field=1))
    assert task.prompt == "Make it red."
    assert task.images == [pathlib.Path("/in.png")]
    assert (task.seed, task.repeat, task.params) == (42, 1, {"steps": 4})


class Saves:
    """As Pillow's images do."""

    def save(self, fp: str) -> None:
        pathlib.Path(fp).write_bytes(b"\x89PNG")


@pytest.mark.parametrize(
    ("made", "kinds"),
    [
        ("a text", ["text"]),
        (b"\x89PNG....", ["image"]),
        (pathlib.Path("x.png"), ["image"]),
        (Saves(), ["image"]),
        (["a", Saves(), "b"], ["text", "image", "text"]),
    ],
)
def test_outputs(made: object, kinds: list[str], tmp_path: pathlib.Path) -> None:
    class Made(verispec.Model):
        def generate(self, task: verispec.Task) -> object:  # type: ignore[override]
            return made

    reply = _answer(Made(), request(tmp_path))
    parts = reply.get("parts", [reply])
    assert [next(iter(p)) for p in parts] == kinds
    for part in parts:
        assert pathlib.Path(part.get("image", "/")).is_absolute()


@pytest.mark.parametrize("made", [None, 3, b"no image", [None], []])
def test_what_is_no_output_is_a_failed_call(made: object, tmp_path: pathlib.Path) -> None:
    class Made(verispec.Model):
        def generate(self, task: verispec.Task) -> object:  # type: ignore[override]
            return made

    reply = _answer(Made(), request(tmp_path))
    assert reply["retry"] is True and "generate returned" in reply["error"]


def test_a_refusal_is_the_models_own(tmp_path: pathlib.Path) -> None:
    class Declines(verispec.Model):
        def generate(self, task: verispec.Task) -> str:
            raise verispec.Refused("no")

    assert _answer(Declines(), request(tmp_path)) == {"text": "no", "finish": "refused"}
