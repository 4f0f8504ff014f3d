"""A deterministic writer, merger and rater of specifications, as a `command` judge for tests.

Arguments: a file that gets one line a request; seconds that a reply takes. A file `lame` holds the
protocol whose requests get no usable reply; a file `crash` the protocol, model and beginning of the
task that end the program; a file `usage` what every reply says it used.
"""
import hashlib
import json
import os
import re
import sys
import time

log, delay = sys.argv[1], float(sys.argv[2])


def number(text, below):
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % below


def words(task):
    found = [w for w in re.findall(r"[a-z]{4,}", task.lower())]
    return sorted(set(found), key=lambda w: number(w, 10**9))[:6]


def generate(model, task):
    forms = {
        "a": "Is there a {} in the image?",
        "b": "Does the image show a {}?",
        "c": "Does the picture hold a {}?",
    }
    found = words(task)
    said = [forms[model].format(w) for w in found[:3]]
    said += ["Is the {} number {} large?".format(w, ord(model) - 95) for w in found[3:4]]
    if model == "c":
        said.append("Which {} is it?".format(found[0]))
    item = {"category": "General", "subcategory": "objects", "expected_answer": "Yes"}
    return {"specifications": [dict(item, question=q) for q in said]}


def merge(questions):
    groups = {}
    for q in questions:
        key = re.sub(r"Is there a|Does the (image|picture) (show|hold) a|in the image|\?", "", q["text"])
        groups.setdefault(key.strip(), []).append(q)
    said = [
        {"ids": [q["id"] for q in g], "question": g[0]["text"], "category": "General",
         "subcategory": "objects", "expected_answer": "Yes"}
        for g in groups.values()
    ]
    return {"groups": said, "contradictions": []}


def rate(model, questions):
    def points(q, what):
        return 6 + number(model + q["text"] + what, 9) / 2
    names = ("relevance", "clarity", "verifiability")
    return {"ratings": [dict({n: points(q, n) for n in names}, id=q["id"]) for q in questions]}


def first_line(name):
    try:
        return open(name).readline().strip()
    except FileNotFoundError:
        return None


for line in sys.stdin:
    request = json.loads(line)
    text = "\n".join(p.get("text", "") for p in request["parts"])
    task = re.search(r"=== material .*?===\n(.*?)\n=== material", text, re.S).group(1)
    with open(log, "a") as file:
        file.write(json.dumps([request["protocol"], request["model"], task]) + "\n")
        file.flush()
        os.fsync(file.fileno())
    time.sleep(delay)
    stage = request["protocol"].split("@")[0]
    if " ".join([stage, request["model"], task]).startswith(first_line("crash") or "\0"):
        sys.exit(1)
    if stage == first_line("lame"):
        print(json.dumps({"id": request["id"], "text": "nothing today"}), flush=True)
        continue
    if stage == "specs-generate":
        said = generate(request["model"], task)
    elif stage == "specs-merge":
        said = merge(request["questions"])
    else:
        said = rate(request["model"], request["questions"])
    reply = {"id": request["id"], "text": json.dumps(said)}
    used = first_line("usage")
    if used:
        reply["usage"] = json.loads(used)
    print(json.dumps(reply), flush=True)
