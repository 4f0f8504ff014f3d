ask RUN gpt-4.1 "$all" --repeats 2
ask RUN-A gpt-4.1 model-a
ask RUN-B gpt-4.1 model-b
ask RUN-GPT gpt-4.1 "$all"
ask RUN-GEMINI gemini-3-flash "$all"
ask RUN-QWEN qwen "$all"
ask OLD-RUN gpt-4.1 "$all" --repeats 2
ask NEW-RUN gpt-4.1 "$all" --temperature 0.5
python3 - <<'P'
import csv
with open("ratings.jsonl", "w") as out:
    for m, model in enumerate("model-a model-b gpt-image nano_banana bagel".split()):
        for stem in ("comp_hard", "attr"):
            for i in range(1, 7):
                for who in ("ann", "bob"):
                    rating = 1 + (m + i * 2 + len(who + stem)) % 5
                    out.write(f'{{"track": "t2i", "id": "{stem}_{i:03}", "model": "{model}", "annotator": "{who}", "rating": {rating}}}\n')
P
verispec study human sample RUN --n 300 --strata track,verdict --seed 1 --out unanswered.csv >/dev/null
python3 - <<'P'
import csv
rows = list(csv.DictReader(open("unanswered.csv")))
with open("answered.csv", "w", newline="") as out:
    writer = csv.DictWriter(out, rows[0].keys())
    writer.writeheader()
    for i, row in enumerate(rows):
        writer.writerow(dict(row, human="No" if i % 3 == 0 else "Yes"))
P
