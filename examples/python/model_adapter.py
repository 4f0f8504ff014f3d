#!/usr/bin/env python3
"""A model under test in ten lines (docs/python.md): a pipeline of Hugging Face's `diffusers`.

    [model.sdxl]
    generate = { provider = "command", command = ["python3", "examples/python/model_adapter.py"] }

    verispec generate specv --data SpecV --model sdxl --tracks t2i --out outputs
"""

import verispec


class Sdxl(verispec.Model):
    def load(self):
        import torch
        from diffusers import AutoPipelineForText2Image

        name = "stabilityai/sdxl-turbo"
        self.torch = torch
        self.pipe = AutoPipelineForText2Image.from_pretrained(name, torch_dtype=torch.float16)
        self.pipe.to("cuda")

    def generate(self, task):
        draws = self.torch.Generator("cuda")
        if task.seed is not None:
            draws.manual_seed(task.seed)
        result = self.pipe(task.prompt, num_inference_steps=4, guidance_scale=0.0, generator=draws)
        if any(getattr(result, "nsfw_content_detected", None) or []):
            raise verispec.Refused("the safety checker declined")
        return result.images[0]


if __name__ == "__main__":
    verispec.serve(Sdxl())
