#!/usr/bin/env python3
"""A tiny judge for verispec: one JSON line in, one JSON line out (docs/command-judge.md).

It knows nothing but the size of pictures: "wider than tall", "taller than wide" and "square" are
answered from the header of a PNG file, everything else is left open. Put a model of your own in
place of `answer`.

    [judge.shapes]
    provider = "command"
    command = ["python3", "examples/command_judge.py"]
    revision = "1"
"""

import json
import struct
import sys


def png_size(path):
    """Width and height in pixels, or None if the file is no PNG."""
    with open(path, "rb") as file:
        head = file.read(24)
    if len(head) < 24 or not head.startswith(b"\x89PNG\r\n\x1a\n"):
        return None
    return struct.unpack(">II", head[16:24])


def answer(question, size):
    """Yes, No, or None where this judge cannot tell."""
    text = question.lower()
    if size is None:
        return None
    width, height = size
    for words, holds in [
        ("wider than", width > height),
        ("taller than", height > width),
        ("square", width == height),
    ]:
        if words in text:
            return "Yes" if holds else "No"
    return None


def judge(request):
    """The text of the reply: one entry a question, in the form that verispec reads."""
    images = [p for p in request["parts"] if p.get("role") == "output"]
    size = png_size(images[-1]["image"]) if images else None
    answers = [
        {"id": q["id"], "answer": answer(q["text"], size) or "Unclear"}
        for q in request["questions"]
    ]
    if request["protocol"].startswith("independent@"):
        return answers[0]["answer"]
    return json.dumps(answers)


def main():
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = {"id": request["id"], "text": judge(request)}
        except OSError as error:
            reply = {"id": request["id"], "error": str(error)}
        # Without the flush the reply would wait in a buffer.
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
