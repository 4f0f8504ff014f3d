"""Writes a tiny LLaVA-style image projector with random weights (seed 0), so that a text model
takes image requests. For tests of the protocol only.

usage: make_projector.py OUT WIDTH_OF_LANGUAGE_MODEL
"""

import sys

import gguf
import numpy as np

WIDTH, HIDDEN, LAYERS, HEADS = 64, 128, 2, 2
IMAGE, PATCH = 64, 16  # 16 image tokens

out, llm_width = sys.argv[1], int(sys.argv[2])
random = np.random.default_rng(0)
writer = gguf.GGUFWriter(out, "clip")


def normal(name, *shape, scale=None):
    scale = 1 / np.sqrt(shape[-1]) if scale is None else scale
    writer.add_tensor(name, (random.standard_normal(shape) * scale).astype(np.float32))


def ones(name):
    writer.add_tensor(name, np.ones(WIDTH, np.float32))


def zeros(name, length):
    writer.add_tensor(name, np.zeros(length, np.float32))


writer.add_string("general.name", "random-projector-for-tests")
writer.add_uint32("general.file_type", 0)
writer.add_bool("clip.has_vision_encoder", True)
writer.add_string("clip.projector_type", "mlp")
writer.add_bool("clip.use_gelu", True)
vision = {
    "image_size": IMAGE,
    "patch_size": PATCH,
    "embedding_length": WIDTH,
    "feed_forward_length": HIDDEN,
    "projection_dim": llm_width,
    "block_count": LAYERS,
    "attention.head_count": HEADS,
}
for key, value in vision.items():
    writer.add_uint32(f"clip.vision.{key}", value)
writer.add_float32("clip.vision.attention.layer_norm_epsilon", 1e-5)
writer.add_array("clip.vision.image_mean", [0.5, 0.5, 0.5])
writer.add_array("clip.vision.image_std", [0.5, 0.5, 0.5])
writer.add_string("clip.vision.mm_patch_merge_type", "flat")

normal("v.patch_embd.weight", WIDTH, 3, PATCH, PATCH, scale=1 / np.sqrt(3 * PATCH * PATCH))
normal("v.position_embd.weight", (IMAGE // PATCH) ** 2, WIDTH, scale=0.02)
for norm in ("pre_ln", "post_ln"):
    ones(f"v.{norm}.weight")
    zeros(f"v.{norm}.bias", WIDTH)
for i in range(LAYERS):
    for part in ("attn_q", "attn_k", "attn_v", "attn_out"):
        normal(f"v.blk.{i}.{part}.weight", WIDTH, WIDTH)
        zeros(f"v.blk.{i}.{part}.bias", WIDTH)
    for part in ("ln1", "ln2"):
        ones(f"v.blk.{i}.{part}.weight")
        zeros(f"v.blk.{i}.{part}.bias", WIDTH)
    normal(f"v.blk.{i}.ffn_up.weight", HIDDEN, WIDTH)
    zeros(f"v.blk.{i}.ffn_up.bias", HIDDEN)
    normal(f"v.blk.{i}.ffn_down.weight", WIDTH, HIDDEN)
    zeros(f"v.blk.{i}.ffn_down.bias", WIDTH)
normal("mm.0.weight", llm_width, WIDTH, scale=0.02)
zeros("mm.0.bias", llm_width)
normal("mm.2.weight", llm_width, llm_width, scale=0.02)
zeros("mm.2.bias", llm_width)

writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
