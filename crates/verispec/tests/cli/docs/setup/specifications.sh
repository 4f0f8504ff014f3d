# Writers, a merger and raters that are a program.
for name in a b c strong; do
    cat >> verispec.toml <<T
[judge.$name]
provider = "command"
command = ["python3", "$TESTS/specs_model.py", "calls.log", "0"]
T
done
