#!/usr/bin/env python3
"""A text-to-image (and image-to-image) pipeline of Hugging Face's `diffusers` as model under test.

    [model.sdxl]
    generate = { provider = "command", model = "sdxl-turbo", command = ["python3",
        "generate_diffusers.py", "--model", "stabilityai/sdxl-turbo", "--steps", "4"] }

One line of JSON a request on standard input, one line a reply on standard output (docs/generate.md).
Everything else that a program prints belongs on standard error.
"""

import argparse
import json
import os
import sys


def load(name, device, dtype):
    import torch
    from diffusers import AutoPipelineForImage2Image, AutoPipelineForText2Image

    pipe = AutoPipelineForText2Image.from_pretrained(name, torch_dtype=getattr(torch, dtype))
    pipe = pipe.to(device)
    return torch, pipe, AutoPipelineForImage2Image.from_pipe(pipe)


def make(loaded, args, request):
    torch, text_to_image, image_to_image = loaded
    prompt = "".join(part.get("text", "") for part in request["parts"])
    images = [part["image"] for part in request["parts"] if "image" in part]
    settings = {"num_inference_steps": args.steps, "guidance_scale": args.guidance}
    # The seed is part of the request; without one the picture is another each time.
    if "seed" in request["params"]:
        generator = torch.Generator(args.device).manual_seed(request["params"]["seed"])
        settings["generator"] = generator
    if images:
        from PIL import Image

        start = Image.open(images[0]).convert("RGB")
        result = image_to_image(prompt, image=start, strength=args.strength, **settings)
    else:
        result = text_to_image(prompt, **settings)
    if any(getattr(result, "nsfw_content_detected", None) or []):
        return {"text": "the safety checker declined", "finish": "refused"}
    path = os.path.join(request["out"], request["id"] + ".png")
    result.images[0].save(path)
    return {"parts": [{"image": path}]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--dtype", default="float16")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--guidance", type=float, default=7.0)
    parser.add_argument("--strength", type=float, default=0.8)
    args = parser.parse_args()
    loaded = load(args.model, args.device, args.dtype)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = make(loaded, args, request)
        except Exception as error:  # one request, not the run
            reply = {"error": f"{type(error).__name__}: {error}", "retry": True}
        print(json.dumps({"id": request["id"], **reply}), flush=True)


if __name__ == "__main__":
    main()
