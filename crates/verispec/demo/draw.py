#!/usr/bin/env python3
"""Draws the demo suite: tasks, specifications, outputs of three imaginary models, planned faults.

    pip install pillow && python3 draw.py

Everything under this folder is made by this script and committed. `steady` makes what is asked;
`hasty` and `careless` make the faults of `planned_faults.json`. The three draw with their own
layouts, shades and sizes. The judge knows nothing of this script.
"""

import json
import math
import shutil
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).resolve().parent
SIDE, OVER = 512, 2  # pixels, and how much larger it is drawn for smooth edges
MODELS = ("steady", "hasty", "careless")
SHADES = {
    "steady": dict(red=(220, 38, 38), green=(22, 163, 74), blue=(37, 99, 235),
                   yellow=(250, 220, 30), orange=(251, 146, 20), purple=(147, 51, 200),
                   brown=(120, 72, 40), black=(20, 20, 24), gray=(140, 140, 140),
                   white=(255, 255, 255), pink=(250, 150, 190), teal=(0, 128, 128)),
    "hasty": dict(red=(229, 57, 53), green=(67, 160, 71), blue=(30, 60, 200),
                  yellow=(255, 235, 59), orange=(255, 152, 0), purple=(128, 0, 128),
                  brown=(121, 85, 72), black=(0, 0, 0), gray=(158, 158, 158),
                  white=(254, 254, 254), pink=(255, 192, 203), teal=(0, 137, 130)),
    "careless": dict(red=(200, 20, 30), green=(0, 128, 0), blue=(0, 80, 255),
                     yellow=(255, 221, 0), orange=(255, 165, 0), purple=(123, 31, 162),
                     brown=(139, 69, 19), black=(10, 10, 10), gray=(120, 120, 120),
                     white=(255, 255, 255), pink=(255, 105, 180), teal=(0, 120, 120)),
}


class Canvas:
    """A square picture with coordinates from 0 to 1."""

    def __init__(self, model, background="white"):
        self.model = model
        self.image = Image.new("RGB", (SIDE * OVER,) * 2, self.shade(background))
        self.pen = ImageDraw.Draw(self.image)

    def shade(self, colour):
        return SHADES[self.model][colour]

    def box(self, x, y, w, h, colour):
        n = SIDE * OVER
        self.pen.rectangle([(x - w / 2) * n, (y - h / 2) * n, (x + w / 2) * n, (y + h / 2) * n],
                           fill=self.shade(colour))

    def circle(self, x, y, r, colour):
        n = SIDE * OVER
        self.pen.ellipse([(x - r) * n, (y - r) * n, (x + r) * n, (y + r) * n],
                         fill=self.shade(colour))

    def polygon(self, x, y, r, corners, colour, turn=-90.0, inner=None):
        n, points = SIDE * OVER, []
        steps = corners * 2 if inner else corners
        for k in range(steps):
            radius = r * inner if inner and k % 2 else r
            angle = math.radians(turn + 360.0 * k / steps)
            points.append(((x + radius * math.cos(angle)) * n, (y + radius * math.sin(angle)) * n))
        self.pen.polygon(points, fill=self.shade(colour))

    def triangle(self, x, y, r, colour):
        self.polygon(x, y, r, 3, colour)

    def star(self, x, y, r, colour):
        self.polygon(x, y, r, 5, colour, inner=0.45)

    def text(self, x, y, words, size, colour):
        font = ImageFont.load_default(round(size * SIDE * OVER))
        self.pen.text((x * SIDE * OVER, y * SIDE * OVER), words, font=font, anchor="mm",
                      fill=self.shade(colour))

    def save(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        small = self.image.resize((SIDE, SIDE), Image.Resampling.LANCZOS)
        small.quantize(32, dither=Image.Dither.NONE).save(path, optimize=True)


def shift(model):
    """Layouts differ a little from model to model."""
    return {"steady": 0.0, "hasty": 0.02, "careless": -0.025}[model]


def row(n, lo=0.14, hi=0.86):
    return [lo + (hi - lo) * k / max(n - 1, 1) for k in range(n)]


# One task a function: (canvas, model name) -> None. Faults are the branches on the model's name.

def composition_01(m):
    c, d = Canvas(m), shift(m)
    for x in row(4 if m == "hasty" else 3):
        c.circle(x, 0.3 + d, 0.09, "red")
    for x in (0.32 + d, 0.68 + d):
        c.box(x, 0.72, 0.18, 0.18, "blue")
    return c


def composition_02(m):
    c, d = Canvas(m), shift(m)
    c.star(0.28 + d, 0.5, 0.19, "orange" if m == "careless" else "yellow")
    c.polygon(0.73 + d, 0.5 + 2 * d, 0.16, 6, "purple")
    return c


def composition_03(m):
    c, d = Canvas(m, "pink"), shift(m)
    c.triangle(0.5 + d, 0.32, 0.2, "green")
    c.box(0.5, 0.74 + d, 0.6, 0.2, "gray" if m == "hasty" else "brown")
    return c


def composition_04(m):
    c, d = Canvas(m), shift(m)
    for x in row(4 if m == "careless" else 5, 0.12, 0.88):
        c.circle(x, 0.36 + d, 0.07, "orange")
    c.box(0.5 + d, 0.7, 0.56, 0.14, "black")
    return c


def structure_01(m):
    c, d = Canvas(m), shift(m)
    c.box(0.5 + d, 0.5, 0.34, 0.86, "black")
    lamps = ("red", "yellow", "blue" if m == "careless" else "green")
    for y, colour in zip((0.22, 0.5, 0.78), lamps):
        c.circle(0.5 + d, y, 0.11, colour)
    return c


def structure_02(m):
    c, d = Canvas(m), shift(m)
    for k, (x, y) in enumerate((x, y) for y in (0.34 + d, 0.66 + d) for x in (0.2, 0.5, 0.8)):
        if m == "hasty" and k == 4:
            continue
        c.box(x, y, 0.2, 0.2, "green" if m == "careless" and k == 2 else "blue")
    return c


def structure_03(m):
    c, d = Canvas(m, "teal"), shift(m)
    c.box(0.5 + d, 0.68, 0.44, 0.44, "yellow")
    c.polygon(0.5 + d, 0.28, 0.27, 3, "red")
    if m != "hasty":
        c.box(0.5 + d, 0.74, 0.1, 0.24, "brown")
    else:
        c.box(0.5 + d, 0.74, 0.1, 0.24, "purple")
    return c


def text_rendering_01(m):
    c, d = Canvas(m), shift(m)
    c.box(0.5, 0.45 + d, 0.8, 0.36, "red")
    c.text(0.5, 0.45 + d, "OPNE" if m == "hasty" else "OPEN", 0.2, "white")
    return c


def text_rendering_02(m):
    c, d = Canvas(m, "blue"), shift(m)
    c.text(0.5, 0.3 + d, "GRAND OPENNING" if m == "careless" else "GRAND OPENING", 0.1, "white")
    c.text(0.5, 0.46 + d, "SATURDAY 12 MAY", 0.075, "white")
    for x in (0.25, 0.5, 0.75):
        c.star(x + d, 0.76, 0.085, "yellow")
    return c


def text_rendering_03(m):
    c, d = Canvas(m), shift(m)
    c.circle(0.5 + d, 0.36, 0.21, "brown")
    words = {"steady": "COFFEE SHOP", "hasty": "COFFEE SHOP", "careless": "COFFFEE SHOP"}[m]
    c.text(0.5, 0.76 + d, words, 0.11, "black")
    return c


def text_rendering_04(m):
    c, d = Canvas(m), shift(m)
    c.text(0.5, 0.32 + d, "SALE 60%" if m == "hasty" else "SALE 50%", 0.17, "black")
    for x in row(3 if m == "careless" else 2, 0.22, 0.78):
        c.triangle(x, 0.74 + d, 0.13, "green")
    return c


def text_rendering_05(m):
    c, d = Canvas(m), shift(m)
    c.text(0.5, 0.3 + d, "WELCOME TO", 0.12, "blue")
    c.text(0.5, 0.5 + d, "ROOM 1" if m == "careless" else "ROOM 7", 0.16, "blue")
    c.box(0.5, 0.78 + d, 0.5, 0.1, "orange")
    return c


def style_01(m):
    c, d = Canvas(m), shift(m)
    c.circle(0.33 + d, 0.36, 0.2, "blue")
    c.box(0.7, 0.62 + d, 0.3, 0.3, "green" if m == "hasty" else "red")
    c.box(0.4 + d, 0.84, 0.52, 0.06, "black")
    return c


def style_02(m):
    c, d = Canvas(m), shift(m)
    for x in row(4 if m == "careless" else 3, 0.2, 0.8):
        c.polygon(x, 0.4 + d, 0.08, 4, "purple")
    c.circle(0.5 + d, 0.76, 0.12, "pink")
    return c


SUITE = {
    "composition": [
        ("composition_01", composition_01,
         "A flat illustration on a white background: exactly three red circles in a row, and below "
         "them two blue squares. No triangles.",
         [("Are there exactly three red circles in the image?", "Yes", "Numeracy"),
          ("Are there exactly two blue squares in the image?", "Yes", "Numeracy"),
          ("Is the background white?", "Yes", "Colour"),
          ("Is there a triangle in the image?", "No", "Object Presence"),
          ("Are there more circles than squares?", "Yes", "Numeracy"),
          ("Are all the squares blue?", "Yes", "Colour")]),
        ("composition_02", composition_02,
         "A yellow star to the left of a purple hexagon on plain white. Nothing green.",
         [("Is there a yellow star in the image?", "Yes", "Colour"),
          ("Is there a purple hexagon in the image?", "Yes", "Colour"),
          ("Is the star to the left of the hexagon?", "Yes", "Spatial Relationship"),
          ("Is there exactly one star?", "Yes", "Numeracy"),
          ("Is there a green shape in the image?", "No", "Object Presence")]),
        ("composition_03", composition_03,
         "A green triangle above a brown rectangle on a pink background. No circles.",
         [("Is there a green triangle in the image?", "Yes", "Colour"),
          ("Is the rectangle brown?", "Yes", "Colour"),
          ("Is the triangle above the rectangle?", "Yes", "Spatial Relationship"),
          ("Is there only one triangle?", "Yes", "Numeracy"),
          ("Does the image contain a circle?", "No", "Object Presence"),
          ("Is the background pink?", "Yes", "Colour")]),
        ("composition_04", composition_04,
         "Five orange circles in a row above one wide black rectangle, on white.",
         [("Are there exactly five orange circles?", "Yes", "Numeracy"),
          ("Is there exactly one black rectangle?", "Yes", "Numeracy"),
          ("Are there at least four circles in the image?", "Yes", "Numeracy"),
          ("Are all the circles orange?", "Yes", "Colour"),
          ("Is there a red circle in the image?", "No", "Object Presence")]),
    ],
    "structure": [
        ("structure_01", structure_01,
         "A traffic light: a tall black rectangle with a red circle at the top, a yellow circle in "
         "the middle and a green circle at the bottom.",
         [("Is there a red circle in the image?", "Yes", "Colour"),
          ("Is there a yellow circle in the image?", "Yes", "Colour"),
          ("Is there a green circle in the image?", "Yes", "Colour"),
          ("Is the red circle above the yellow circle?", "Yes", "Spatial Relationship"),
          ("Is the red circle inside the black rectangle?", "Yes", "Spatial Relationship"),
          ("Are there exactly three circles?", "Yes", "Numeracy")]),
        ("structure_02", structure_02,
         "Six equal blue squares in two rows of three on a white background.",
         [("Are there exactly six squares in the image?", "Yes", "Numeracy"),
          ("Are all the squares blue?", "Yes", "Colour"),
          ("Are there more than four squares?", "Yes", "Numeracy"),
          ("Is the background white?", "Yes", "Colour"),
          ("Are there any circles in the image?", "No", "Object Presence")]),
        ("structure_03", structure_03,
         "A simple house on a teal background: a red triangle as the roof above a yellow square, "
         "and a brown door in the square.",
         [("Is there a red triangle in the image?", "Yes", "Colour"),
          ("Is there a yellow square in the image?", "Yes", "Colour"),
          ("Is there a brown rectangle in the image?", "Yes", "Colour"),
          ("Is the red triangle above the yellow square?", "Yes", "Spatial Relationship"),
          ("Is there exactly one triangle?", "Yes", "Numeracy"),
          ("Does the house look cosy?", "Yes", "Mood")]),
    ],
    "text_rendering": [
        ("text_rendering_01", text_rendering_01,
         "A red sign on white that reads \"OPEN\" in white letters, and no other text.",
         [("Does the sign read \"OPEN\"?", "Yes", "Spelling Accuracy"),
          ("Is there any text in the image?", "Yes", "Visibility"),
          ("Is there a red rectangle in the image?", "Yes", "Colour"),
          ("Is the background white?", "Yes", "Colour"),
          ("Is the word \"CLOSED\" visible?", "No", "Visibility")]),
        ("text_rendering_02", text_rendering_02,
         "A blue poster with the text \"GRAND OPENING\" and below it \"SATURDAY 12 MAY\", and "
         "three yellow stars at the bottom.",
         [("Is the text \"GRAND OPENING\" spelled correctly?", "Yes", "Spelling Accuracy"),
          ("Is the text \"SATURDAY 12 MAY\" visible in the image?", "Yes", "Visibility"),
          ("Are there exactly three yellow stars?", "Yes", "Numeracy"),
          ("Is the background blue?", "Yes", "Colour"),
          ("Is there a red star in the image?", "No", "Object Presence")]),
        ("text_rendering_03", text_rendering_03,
         "A coffee shop logo: one brown circle, and below it the text \"COFFEE SHOP\" in black.",
         [("Is the text \"COFFEE SHOP\" spelled correctly?", "Yes", "Spelling Accuracy"),
          ("Does the image contain the word \"TEA\"?", "No", "Visibility"),
          ("Is there exactly one circle in the image?", "Yes", "Numeracy"),
          ("Is the circle brown?", "Yes", "Colour"),
          ("Is the background white?", "Yes", "Colour")]),
        ("text_rendering_04", text_rendering_04,
         "A sale banner with the text \"SALE 50%\" and two green triangles below it.",
         [("Does the banner say \"SALE 50%\"?", "Yes", "Spelling Accuracy"),
          ("Are there exactly two green triangles?", "Yes", "Numeracy"),
          ("Are there any red triangles?", "No", "Object Presence"),
          ("Is the word \"SALE\" visible?", "Yes", "Visibility"),
          ("Are the triangles green?", "Yes", "Colour")]),
        ("text_rendering_05", text_rendering_05,
         "A door sign in blue letters on white: \"WELCOME TO\" and, larger, \"ROOM 7\", underlined "
         "by an orange bar.",
         [("Is the text \"WELCOME TO\" visible?", "Yes", "Visibility"),
          ("Is the text \"ROOM 7\" clearly visible?", "Yes", "Spelling Accuracy"),
          ("Is there an orange rectangle in the image?", "Yes", "Colour"),
          ("Is the background white?", "Yes", "Colour"),
          ("Is there a circle in the image?", "No", "Object Presence")]),
    ],
    "style": [
        ("style_01", style_01,
         "A Bauhaus poster: a blue circle, a red square and a black bar on white.",
         [("Is there exactly one blue circle?", "Yes", "Numeracy"),
          ("Is there a red square in the image?", "Yes", "Colour"),
          ("Is there a black rectangle in the image?", "Yes", "Colour"),
          ("Is the poster in the Bauhaus style?", "Yes", "Style"),
          ("Is there a triangle in the image?", "No", "Object Presence")]),
        ("style_02", style_02,
         "A calm pattern: three purple diamonds in a row above one pink circle, on white.",
         [("Are there exactly three diamonds?", "Yes", "Numeracy"),
          ("Is the circle pink?", "Yes", "Colour"),
          ("Are the diamonds purple?", "Yes", "Colour"),
          ("Does the composition feel calm?", "Yes", "Mood"),
          ("Is there a black shape in the image?", "No", "Object Presence")]),
    ],
}

# What `hasty` and `careless` do wrong on purpose: the specification that becomes unmet.
FAULTS = [
    ("hasty", "composition_01", 1, "count"),
    ("hasty", "composition_03", 2, "colour"),
    ("hasty", "structure_02", 1, "count"),
    ("hasty", "structure_03", 3, "colour"),
    ("hasty", "text_rendering_01", 1, "text"),
    ("hasty", "text_rendering_04", 1, "text"),
    ("hasty", "style_01", 2, "colour"),
    ("careless", "composition_02", 1, "colour"),
    ("careless", "composition_04", 1, "count"),
    ("careless", "structure_01", 3, "colour"),
    ("careless", "structure_02", 2, "colour"),
    ("careless", "text_rendering_02", 1, "text"),
    ("careless", "text_rendering_03", 1, "text"),
    ("careless", "text_rendering_04", 2, "count"),
    ("careless", "text_rendering_05", 2, "text"),
    ("careless", "style_02", 1, "count"),
]


def main():
    for folder in ("eval_data", "eval_checklist", "model_outputs"):
        shutil.rmtree(HERE / folder, ignore_errors=True)
    for dimension, tasks in SUITE.items():
        data = HERE / "eval_data" / "t2i" / f"{dimension}.jsonl"
        data.parent.mkdir(parents=True, exist_ok=True)
        with data.open("w", encoding="utf-8") as out:
            for name, draw, prompt, specs in tasks:
                line = {"id": name, "dimension": dimension, "question": prompt}
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
                checklist(dimension, name, specs)
                for model in MODELS:
                    draw(model).save(HERE / "model_outputs" / "t2i" / model / f"{name}.png")
    faults = [dict(zip(("model", "id", "spec", "kind"), f)) for f in FAULTS]
    write(HERE / "planned_faults.json", faults)


def checklist(dimension, name, specs):
    path = HERE / "eval_checklist" / "t2i" / dimension / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    category = {"Numeracy": "Composition", "Colour": "Attribute", "Object Presence": "Composition",
                "Spatial Relationship": "Composition", "Spelling Accuracy": "Text Rendering",
                "Visibility": "Text Rendering", "Style": "Style", "Mood": "Style"}
    write(path, [{"id": k, "question": question, "category": category[sub], "subcategory": sub,
                  "expected_answer": answer, "score": 9}
                 for k, (question, answer, sub) in enumerate(specs, 1)])


def write(path, value):
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
