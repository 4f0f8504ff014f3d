#!/usr/bin/env python3
"""Draws a small set in RealUnify's format, and the outputs of an imaginary model.

    python3 draw.py

Everything in this folder is made by this script and is our own: RealUnify's data may not be
redistributed. The model, `sketch`, makes the mistakes that are marked below, so that every number
that verispec prints about it can be checked by hand. All questions about images are of the kind that
the builtin judge answers.
"""

import json
import shutil
import struct
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
SIDE = 128
COLOURS = dict(red=(220, 38, 38), green=(22, 163, 74), blue=(37, 99, 235), yellow=(250, 220, 30),
               black=(20, 20, 24))
WHITE = (255, 255, 255)


def png(path, shapes):
    """Writes circles and squares, each (colour, shape, x, y) with a place in a grid of 3 by 3."""
    pixels = [[WHITE] * SIDE for _ in range(SIDE)]
    for colour, shape, column, row in shapes:
        cx, cy, r = 22 + 42 * column, 22 + 42 * row, 13
        for y in range(cy - r, cy + r + 1):
            for x in range(cx - r, cx + r + 1):
                if shape == "square" or (x - cx) ** 2 + (y - cy) ** 2 <= r * r:
                    pixels[y][x] = COLOURS[colour]
    raw = b"".join(b"\0" + bytes(c for p in line for c in p) for line in pixels)

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
                     + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


def grid(n, colour, shape):
    return [(colour, shape, i % 3, i // 3) for i in range(n)]


# task, prompt, questions with answers, what `sketch` draws directly, what it draws stepwise.
UEG = [
    ("world_knowledge", "Draw the disc on the flag of Japan in its colour.",
     [("Is there a red circle?", "yes"), ("Is there a blue circle?", "no")],
     grid(1, "red", "circle"), grid(1, "red", "circle")),
    ("world_knowledge", "Draw as many yellow circles as a tricycle has wheels.",
     [("Are there exactly three yellow circles?", "yes")],
     grid(2, "yellow", "circle"), grid(3, "yellow", "circle")),
    ("commonsense_reasoning", "Draw the lamp of a traffic light that is lit when cars may go.",
     [("Is there a green circle?", "yes"), ("Is there a red circle?", "no")],
     grid(1, "green", "circle") + [("red", "circle", 1, 0)], grid(1, "green", "circle")),
    ("commonsense_reasoning", "Draw a ball in the colour of a ripe tomato.",
     [("Is there a red circle?", "yes")],
     grid(1, "red", "circle"), grid(1, "red", "circle")),
    ("logical_reasoning", "If all squares here are blue, and one of two figures is a square and the "
     "other a red circle, draw both.",
     [("Is there a blue square?", "yes"), ("Is there a red circle?", "yes"),
      ("Is there a red square?", "no")],
     [("blue", "square", 0, 0), ("red", "circle", 1, 0)],
     [("blue", "square", 0, 0), ("red", "circle", 1, 0)]),
    ("logical_reasoning", "Draw as many blue squares as there are letters in the word CAT.",
     [("Are there exactly three blue squares?", "yes")],
     grid(4, "blue", "square"), grid(3, "blue", "square")),
    ("mathematical_reasoning", "Draw as many red circles as seven minus three.",
     [("Are there exactly four red circles?", "yes")],
     grid(3, "red", "circle"), grid(4, "red", "circle")),
    ("mathematical_reasoning", "Draw as many green squares as two squared plus one.",
     [("Are there exactly five green squares?", "yes")],
     grid(4, "green", "square"), grid(4, "green", "square")),
    ("scientific_reasoning", "Draw a square in the colour that blue and yellow paint give.",
     [("Is there a green square?", "yes"), ("Is there a yellow square?", "no")],
     [("yellow", "square", 0, 0)], grid(1, "green", "square")),
    ("scientific_reasoning", "Draw one yellow circle for each sun in our solar system.",
     [("Is there exactly one yellow circle?", "yes")],
     grid(1, "yellow", "circle"), None),
    ("code_to_image", "for i in range(2): circle(color=\"blue\")",
     [("Are there exactly two blue circles?", "yes")],
     grid(2, "blue", "circle"), grid(2, "blue", "circle")),
    ("code_to_image", "for c in (\"red\", \"green\"): square(color=c)",
     [("Is there a red square?", "yes"), ("Is there a green square?", "yes")],
     [("red", "square", 0, 0)], [("red", "square", 0, 0), ("green", "square", 1, 0)]),
]

# task, subtask, image, question, options, answer, edit prompt, answers of `sketch`: direct, step.
GEU = [
    ("mental_reconstruction", "tiles", [("red", "square", 0, 0), ("blue", "square", 2, 0)],
     "The tiles are swapped. Which colour is on the left?", ["red", "blue", "green", "black"], "B",
     "Swap the two tiles.", "The answer is A.", "The answer is B."),
    ("mental_reconstruction", "tiles", [("green", "square", 0, 0), ("black", "square", 0, 2)],
     "The picture is turned upside down. Which colour is on top?",
     ["green", "black", "red", "blue"], "B", "Turn the picture upside down.", "B", "B"),
    ("mental_tracking", "moves", [("red", "circle", 0, 0)],
     "The circle moves right twice and down once. In which row is it, counted from the top?",
     ["first", "second", "third"], "B", "Move the circle.", "Not A. The answer is B.", "(b)"),
    ("mental_tracking", "moves", [("blue", "circle", 1, 1)],
     "The circle moves up once. In which row is it, counted from the top?",
     ["first", "second", "third"], "A", "Move the circle.", "It could be A or B.", "A"),
    ("attentional_focusing", "odd", grid(8, "red", "circle") + [("blue", "circle", 2, 2)],
     "In which corner is the odd one?",
     ["top left", "top right", "bottom left", "bottom right"], "D", "Mark the odd one.",
     "Final answer: option D", "bottom left"),
    ("attentional_focusing", "odd", [("yellow", "square", 2, 0)] + grid(2, "black", "square"),
     "Which colour has the square on the right?", ["black", "yellow"], "B", "Mark the right square.",
     "**Answer:** B", "B"),
    ("cognitive_navigation", "paths", [("green", "circle", 0, 2), ("red", "square", 2, 2)],
     "Which way leads from the circle to the square?", ["left", "right", "up", "down", "none"], "B",
     "Draw the way.", "E", "B. right"),
    ("cognitive_navigation", "paths", [("green", "circle", 1, 2), ("red", "square", 1, 0)],
     "Which way leads from the circle to the square?", ["left", "right", "up", "down", "none"], "C",
     "Draw the way.", "up", "C"),
]


def indexed(rows):
    seen = {}
    for row in rows:
        seen[row[0]] = seen.get(row[0], -1) + 1
        yield seen[row[0]], row


def write(name, records):
    text = json.dumps(records, indent=2, ensure_ascii=False) + "\n"
    (HERE / f"{name}.json").write_text(text, encoding="utf-8")


def main():
    out = HERE / "outputs" / "sketch"
    for folder in (HERE / "image", HERE / "outputs"):
        shutil.rmtree(folder, ignore_errors=True)
    direct, step = [], []
    for i, (task, prompt, questions, drawn, drawn_step) in indexed(UEG):
        listed = [{"question": q, "answer": a} for q, a in questions]
        direct.append({"task_type": task, "index": i, "prompt": prompt, "question_list": listed})
        step.append({"task_type": task, "index": i,
                     "new_prompt": f"Say exactly what is to be drawn. {prompt}",
                     "question_list": listed})
        png(out / "UEG_direct" / task / f"{i}.png", drawn)
        if drawn_step is not None:
            png(out / "UEG_step" / task / f"{i}.png", drawn_step)
    write("UEG_direct", direct)
    write("UEG_step", step)
    direct, step = [], []
    for i, (task, subtask, shapes, question, options, answer, edit, said, said_step) in indexed(GEU):
        image = f"./image/{task}/{subtask}/images/{i}.png"
        png(HERE / image, shapes)
        letters = " ".join(f"{chr(65 + k)}. {text}" for k, text in enumerate(options))
        record = {"task_type": task, "index": i, "question": question, "option": options,
                  "answer": answer, "input_image": image,
                  "evaluation_prompt": f"{question} {letters} Answer with the letter alone."}
        direct.append(record)
        step.append({**record, "edit_prompt": edit})
        for split, text in (("GEU_direct", said), ("GEU_step", said_step)):
            path = out / split / task / f"{i}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8")
    write("GEU_direct", direct)
    write("GEU_step", step)


if __name__ == "__main__":
    main()
