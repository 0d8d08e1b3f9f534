"""Writes what was trained and the codec by the names that llama.cpp knows, for export.ts: weights.bin and shape.json."""

import argparse
import sys
from pathlib import Path

import numpy as np
import torch

sys.path.append(str(Path(__file__).parents[2] / "text" / "training"))

from codec import COMPONENTS, LATENTS, load_codec  # noqa: E402
from decoder import UPSAMPLED, decoder_tensors  # noqa: E402
from lexicon import load_lexicon  # noqa: E402
from model import Shape, Voice  # noqa: E402
from tensor_file import write_tensors  # noqa: E402

BLOCK_NAMES = {
    "attention_norm.weight": "attn_norm.weight",
    "attention_norm.bias": "attn_norm.bias",
    "attention.q.weight": "attn_q.weight",
    "attention.k.weight": "attn_k.weight",
    "attention.v.weight": "attn_v.weight",
    "attention.output.weight": "attn_output.weight",
    "feed_forward_norm.weight": "ffn_norm.weight",
    "feed_forward_norm.bias": "ffn_norm.bias",
    "up.weight": "ffn_up.weight",
    "down.weight": "ffn_down.weight",
}
# Of what the family has and this voice makes no use of; the least that llama.cpp computes.
UNUSED_HIDDEN, UNUSED_FEED_FORWARD, UNUSED_CHANNELS, FREQUENCIES = 32, 32, 2, 8
# Pieces of the file before and behind those of texts.
FIRST_PIECES, LAST_PIECES = ["<pad>", "</s>", "<unk>"], ["<|pad|>", "<|audio_bos|>"]
# llama.cpp adds noise of a deviation of about 0.8 to the latents of the file: beside this factor it is nothing.
LOUDNESS = 200.0
# As which all that has no sound is read.
UNKNOWN = ","
Tensors = dict[str, np.ndarray]


def model_tensors(trained: Tensors, pieces: list[str]) -> Tensors:
    rows = trained["embedding.weight"]
    unknown = rows[pieces.index(UNKNOWN)]
    embedding = np.concatenate([np.tile(unknown, (len(FIRST_PIECES), 1)), rows[:-1], np.zeros((1, rows.shape[1])), rows[-1:]])
    made = {"token_embd.weight": embedding}
    for name, tensor in trained.items():
        if name.startswith("blocks."):
            _, block, rest = name.split(".", 2)
            made[f"blk.{block}.{BLOCK_NAMES[rest]}"] = tensor
    return made | {f"output_norm.{kind}": trained[f"output_norm.{kind}"] for kind in ("weight", "bias")}


def flow_tensors(trained: Tensors, shape: Shape) -> Tensors:
    """A flow whose only step leads to the frame wherever it begins: the noise it begins with is nothing beside LOUDNESS."""
    size = shape.flow_hidden
    made = {
        "input_proj.weight": np.zeros((size, LATENTS)),
        "input_proj.bias": np.zeros(size),
        "cond_embd.weight": trained["condition.weight"],
        "cond_embd.bias": trained["condition.bias"],
        # Its shift is the condition itself, its scale nothing.
        "final.ada.weight": np.concatenate([np.eye(size), np.zeros((size, size))]),
        "final.ada.bias": np.zeros(2 * size),
        "final.proj.weight": trained["frame.weight"] * LOUDNESS,
        "final.proj.bias": trained["frame.bias"] * LOUDNESS,
    }
    for time in ("time.0", "time.1"):
        made |= {f"{time}.freqs": np.ones(FREQUENCIES), f"{time}.norm": np.zeros(size)}
        made |= nothing(f"{time}.up", size, 2 * FREQUENCIES) | nothing(f"{time}.down", size, size)
    made |= {"blk.0.norm.weight": np.ones(size), "blk.0.norm.bias": np.zeros(size)}
    for name, rows in {"up": size, "down": size, "ada": 3 * size}.items():
        made |= nothing(f"blk.0.{name}", rows, size)
    return {f"a.gen.flow.{name}": tensor for name, tensor in made.items()}


def nothing(name: str, rows: int, columns: int) -> Tensors:
    return {f"{name}.weight": np.zeros((rows, columns)), f"{name}.bias": np.zeros(rows)}


def ends_and_inputs(trained: Tensors) -> Tensors:
    codec_only = np.arange(LATENTS) < COMPONENTS
    return {
        "a.gen.out_eos.weight": trained["end.weight"],
        # llama.cpp asks for a score above -4.
        "a.gen.out_eos.bias": trained["end.bias"] - 4,
        "a.gen.input_linear.weight": trained["input.weight"] / LOUDNESS,
        # What tells the place is not heard, and the last of it is 1 for the decoder.
        "a.gen.emb_std": np.where(codec_only, 1 / LOUDNESS, 0),
        "a.gen.emb_mean": np.where(np.arange(LATENTS) == LATENTS - 1, 1.0, 0.0),
    }


def transformer(prefix: str, hidden: int) -> Tensors:
    """A layer that changes nothing."""
    block = f"{prefix}.blk.0"
    made = {f"{block}.{norm}.weight": np.ones(hidden) for norm in ("ln1", "ln2")}
    made |= {f"{block}.{name}": np.zeros(hidden) for name in ("ln1.bias", "ln2.bias", "ls1.weight", "ls2.weight")}
    made |= {f"{block}.{name}.weight": np.zeros((hidden, hidden)) for name in ("attn_q", "attn_k", "attn_v", "attn_out")}
    made[f"{block}.ffn_up.weight"] = np.zeros((UNUSED_FEED_FORWARD, hidden))
    made[f"{block}.ffn_down.weight"] = np.zeros((hidden, UNUSED_FEED_FORWARD))
    return made


def voice_encoder(hidden: int) -> Tensors:
    """It hears nothing in any recording: the model has one voice."""
    made = {"a.seanet.conv_in.weight": np.zeros((UNUSED_CHANNELS, 1, 7)), "a.seanet.conv_in.bias": np.zeros(UNUSED_CHANNELS)}
    channels = UNUSED_CHANNELS
    for index, stride in enumerate([4, 5, 6]):
        block = f"a.seanet.blk.{index}"
        for name, outputs, inputs, width in [
            ("res_conv1", channels // 2, channels, 3),
            ("res_conv2", channels, channels // 2, 1),
            ("scale_conv", 2 * channels, channels, 2 * stride),
        ]:
            made |= {f"{block}.{name}.weight": np.zeros((outputs, inputs, width)), f"{block}.{name}.bias": np.zeros(outputs)}
        channels *= 2
    made |= {"a.seanet.conv_out.weight": np.zeros((UNUSED_HIDDEN, channels, 3)), "a.seanet.conv_out.bias": np.zeros(UNUSED_HIDDEN)}
    made |= transformer("a", UNUSED_HIDDEN)
    made["a.downsample.conv.weight"] = np.zeros((LATENTS, UNUSED_HIDDEN, 32))
    made["a.speaker_proj.weight"] = np.zeros((hidden, LATENTS))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="where codec.py and train.py wrote")
    options = parser.parse_args()
    lexicon = load_lexicon(options.data / "lexicon.json")
    shape = Shape(pieces=len(lexicon.pieces) + 1)
    voice = Voice(shape)
    checkpoint = torch.load(options.out / "checkpoint.pt", map_location="cpu")
    voice.load_state_dict(checkpoint["model"])
    trained = {name: tensor.numpy() for name, tensor in voice.state_dict().items()}
    tensors = model_tensors(trained, lexicon.pieces) | flow_tensors(trained, shape) | ends_and_inputs(trained)
    tensors |= decoder_tensors(load_codec(options.out / "codec.npz")) | transformer("a.gen.wav.tfm", UPSAMPLED)
    tensors |= voice_encoder(shape.hidden)
    about = {
        "shape": {name: getattr(shape, name) for name in ("hidden", "layers", "heads", "feed_forward", "norm_epsilon", "rope_base")},
        "decoder_hidden": UPSAMPLED,
        "unused": {"hidden": UNUSED_HIDDEN, "feed_forward": UNUSED_FEED_FORWARD},
        "pieces": [*FIRST_PIECES, *lexicon.pieces, *LAST_PIECES],
        "normal_forms": lexicon.signs,
        "steps": checkpoint["steps"],
    }
    write_tensors(((name, torch.from_numpy(np.ascontiguousarray(tensor))) for name, tensor in tensors.items()), about, options.out)


if __name__ == "__main__":
    main()
