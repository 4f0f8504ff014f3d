# The example suite with a text for each of its instances, and a judge called gpt.
verispec suite new example.jsonl >/dev/null
python3 - <<'P'
import json, os
for line in open("example.jsonl"):
    line = line.strip()
    if not line or line.startswith("//"):
        continue
    item = json.loads(line)
    if "id" not in item:
        continue
    folder = os.path.join("outputs", "mine", item.get("track", "main"))
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, str(item["id"]) + ".txt"), "w") as file:
        file.write("A" if "choices" in item else "A red cup.")
P
rm example.jsonl
cat > verispec.toml <<T
[judge.gpt]
provider = "openai"
model = "gpt-4.1"
endpoint = "$JUDGE"
T
