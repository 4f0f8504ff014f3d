"""Fails when a crate imports one above it (order: ARCHITECTURE.md)."""
import json
import subprocess
import sys

ORDER = [
    "verispec-stats", "verispec-model", "verispec-media", "verispec-judge", "verispec-vision",
    "verispec-providers", "verispec-engine", "verispec-suites", "verispec-report", "verispec",
]
# Tests and benchmarks only; may stand on anything, nothing but tests may stand on it.
TESTS_ONLY = "verispec-testkit"

out = subprocess.check_output(
    ["cargo", "metadata", "--format-version", "1", "--no-deps", "--offline"])
bad = []
for package in json.loads(out)["packages"]:
    name = package["name"]
    if name == TESTS_ONLY:
        continue
    if name not in ORDER:
        bad.append(f"{name} has no place in the order: add it to .ci/layers.py and ARCHITECTURE.md")
        continue
    for dep in package["dependencies"]:
        if dep["kind"] == "dev" or not dep["name"].startswith("verispec"):
            continue
        if dep["name"] == TESTS_ONLY or ORDER.index(dep["name"]) >= ORDER.index(name):
            bad.append(f"{name} must not import {dep['name']}")
print("\n".join(bad) or "layers: every crate imports downwards only")
sys.exit(bool(bad))
