"""A model under test in Python: derive from `Model`, and let `serve` speak to the program.

::

    # model.py
    import verispec

    class Mine(verispec.Model):
        def load(self):
            self.pipe = ...                        # once a process

        def generate(self, task):
            return self.pipe(task.prompt, seed=task.seed)   # an image, a text, or a list of both

    verispec.serve(Mine())

    # verispec.toml
    [model.mine]
    generate = { provider = "command", command = ["python3", "model.py"] }

    verispec generate specv --data SpecV --model mine --out outputs
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Optional, Protocol, Union


class ImageLike(Protocol):
    """Anything that saves itself as Pillow's images do."""

    def save(self, fp: str) -> object: ...


#: A piece of an output: a text; or an image as such, as a file, or as the bytes of a file.
Piece = Union[str, bytes, "os.PathLike[str]", ImageLike]
#: What `Model.generate` returns: one piece, or several in order.
Output = Union[Piece, Sequence[Piece]]


@dataclass(frozen=True)
class Task:
    """What a model is asked."""

    #: Number of the request in this run of the program.
    id: str
    #: Texts and images in order; a text is str, an image is the path of its file.
    parts: list[Union[str, pathlib.Path]]
    #: What is wanted: ``["image"]``, ``["text", "image"]``, or nothing for a text.
    modalities: list[str]
    #: Seed to draw with; None where the model's own chance decides.
    seed: Optional[int]
    #: Number of the replicate, from 0.
    repeat: int
    #: Folder to write files into, if the model writes them itself.
    out: pathlib.Path
    #: Further parameters, from ``params`` in verispec.toml.
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def prompt(self) -> str:
        """All texts, joined as they are."""
        return "".join(part for part in self.parts if isinstance(part, str))

    @property
    def images(self) -> list[pathlib.Path]:
        """Files of all images, in order."""
        return [part for part in self.parts if not isinstance(part, str)]

    @property
    def wants_image(self) -> bool:
        """Whether an image is wanted."""
        return "image" in self.modalities


class Refused(Exception):
    """Raise it where the model declines: the model's own failure, which scores 0 by default."""


class Model:
    """A model under test. Derive from it and override `generate`."""

    def load(self) -> None:
        """Called once, before the first task: load weights here."""

    def generate(self, task: Task) -> Output:
        """What the model makes for a task.

        Returns:
            A str is a text. Bytes of a PNG, JPEG, WebP, GIF or BMP file, the path of one, or
            anything with Pillow's ``save`` is an image. A list has several of them in order.

        Raises:
            Refused: the model declines.
            Exception: any other is a failed call, not a failed output: it is asked again like a
                server error, and stays pending if that does not help.
        """
        raise NotImplementedError


def serve(model: Model) -> None:
    """Answers the requests on standard input until it closes.

    Standard output belongs to the program: whatever else is printed goes to standard error.
    """
    replies = _own_standard_output()
    loaded = False
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if not loaded:
            model.load()
            loaded = True
        reply = {"id": request["id"], **_answer(model, request)}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


def _own_standard_output() -> IO[str]:
    """Keeps standard output for replies and sends prints, of C libraries too, to standard error."""
    sys.stdout.flush()
    own = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    return own


def _answer(model: Model, request: dict[str, Any]) -> dict[str, Any]:
    task = task_of(request)
    try:
        made = model.generate(task)
        parts = _parts(made, task)
    except Refused as refused:
        return {"text": str(refused), "finish": "refused"}
    except Exception as error:  # one request, not the run
        traceback.print_exc()
        return {"error": f"{type(error).__name__}: {error}", "retry": True}
    if len(parts) == 1 and "text" in parts[0]:
        return parts[0]
    return {"parts": parts}


def task_of(request: dict[str, Any]) -> Task:
    """The task that a request of the program describes; fields it does not know are left out."""
    params = dict(request.get("params", {}))
    parts = request["parts"]
    return Task(
        id=request["id"],
        parts=[pathlib.Path(p["image"]) if "image" in p else p["text"] for p in parts],
        modalities=list(params.pop("modalities", [])),
        seed=params.pop("seed", None),
        repeat=request.get("repeat", 0),
        out=pathlib.Path(request["out"]),
        params=params,
    )


def _parts(made: Output, task: Task) -> list[dict[str, str]]:
    pieces = list(made) if isinstance(made, (list, tuple)) else [made]
    if not pieces:
        raise ValueError("generate returned an empty list; raise Refused where the model declines")
    return [_part(piece, i, task) for i, piece in enumerate(pieces)]


def _part(piece: Any, i: int, task: Task) -> dict[str, str]:
    if isinstance(piece, str):
        return {"text": piece}
    if isinstance(piece, os.PathLike):
        return {"image": os.path.abspath(os.fspath(piece))}
    if isinstance(piece, (bytes, bytearray)):
        path = task.out / f"{task.id}-{i}{_suffix(piece)}"
        path.write_bytes(piece)
        return {"image": str(path)}
    if callable(getattr(piece, "save", None)):
        path = task.out / f"{task.id}-{i}.png"
        piece.save(str(path))
        return {"image": str(path)}
    raise TypeError(
        f"generate returned {type(piece).__name__}; a str, an image with `save`, the path of an "
        "image, the bytes of an image file, or a list of these is wanted"
    )


_KINDS = [(b"\x89PNG", ".png"), (b"\xff\xd8", ".jpg"), (b"GIF8", ".gif"), (b"BM", ".bmp")]


def _suffix(content: Union[bytes, bytearray]) -> str:
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return ".webp"
    for start, suffix in _KINDS:
        if content.startswith(start):
            return suffix
    raise ValueError("generate returned bytes that are no PNG, JPEG, WebP, GIF or BMP file")
