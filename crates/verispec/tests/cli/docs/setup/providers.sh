cat > verispec.toml <<T
[judge.shapes]
provider = "command"
command = ["python3", "examples/command_judge.py"]
revision = "1"
T
mkdir shapes
cp my-outputs/comp_hard_001.png shapes/wide.png
echo '{"id": "wide", "prompt": "A square.", "specifications": [{"question": "Is it square?"}, {"question": "Is it wider than tall?", "expected": "no"}]}' > shapes.jsonl
