#!/usr/bin/env python3
"""A chat model with eyes of Hugging Face's `transformers` as model under test: texts from texts and
images, for understanding tracks and the text stages of stepwise chains.

    [model.qwen]
    generate = { provider = "command", model = "qwen2.5-vl-7b", command = ["python3",
        "generate_chat.py", "--model", "Qwen/Qwen2.5-VL-7B-Instruct"] }

One line of JSON a request on standard input, one line a reply on standard output (docs/generate.md).
Everything else that a program prints belongs on standard error.
"""

import argparse
import json
import sys


def load(name):
    from transformers import pipeline

    return pipeline("image-text-to-text", model=name, device_map="auto")


def make(chat, args, request):
    content = [
        {"type": "image", "url": part["image"]} if "image" in part
        else {"type": "text", "text": part["text"]}
        for part in request["parts"]
    ]
    if "image" in request["params"].get("modalities", []):
        return {"error": "this model makes no images"}
    if "seed" in request["params"]:
        from transformers import set_seed

        set_seed(request["params"]["seed"])
    messages = [{"role": "user", "content": content}]
    limit = request["params"].get("max_tokens", args.max_tokens)
    result = chat(text=messages, max_new_tokens=limit, return_full_text=False)
    return {"text": result[0]["generated_text"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--max-tokens", type=int, default=1024)
    args = parser.parse_args()
    chat = load(args.model)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = make(chat, args, request)
        except Exception as error:  # one request, not the run
            reply = {"error": f"{type(error).__name__}: {error}", "retry": True}
        print(json.dumps({"id": request["id"], **reply}), flush=True)


if __name__ == "__main__":
    main()
