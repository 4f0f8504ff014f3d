"""Reads every result file below the folders and counts answers that are as expected."""
import json
import os
import sys

met = items = files = 0
for root in sys.argv[1:]:
    for folder, _, names in os.walk(root):
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for item in json.load(file):
                    items += 1
                    met += item["answer"].strip().lower() == item["expected_answer"].strip().lower()
            files += 1
print(files, items, met)
