"""Turns scene-graph.pkl of a run into JSON that verispec reads.

    python dump_scene_graphs.py scene-graph.pkl > scene-graph.json

Needs numpy. Unpickling runs code of the file: use it only on files that you made yourself.
The masks are left out: nothing after the segmentation uses them.
"""

import json
import pickle
import sys

import numpy


def numbers(value, columns):
    """A list of rows; an image without pairs has an empty one of any shape."""
    array = numpy.asarray(value)
    return array.reshape(-1, columns).tolist() if array.size else []


def main():
    with open(sys.argv[1], "rb") as file:
        images = pickle.load(file)
    dumped = []
    for image in images:
        scores = numpy.asarray(image["rel_scores"])
        dumped.append({
            "img_id": str(image["img_id"]),
            "bboxes": numbers(image["bboxes"], 4),
            "box_label": numpy.asarray(image["box_label"]).astype(int).tolist(),
            "pairs": numbers(image["pairs"], 2),
            "rel_scores": numbers(scores, scores.shape[-1] if scores.ndim else 1),
        })
    json.dump(dumped, sys.stdout)


main()
