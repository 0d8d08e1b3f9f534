"""The trained weights under llama.cpp's names, for export.ts and for the demo model's own."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Iterator

import torch
from torch import Tensor

from text_model import load_text_model, read_gguf
from eyes import Eyes, Shape
from tensor_file import write_tensors
from train import write_weights

PARTS = {"q": "attn_q", "k": "attn_k", "v": "attn_v", "out": "attn_out", "up": "ffn_up", "down": "ffn_down", "ln1": "ln1", "ln2": "ln2"}


def named_tensors(eyes: Eyes) -> Iterator[tuple[str, Tensor]]:
    shape = eyes.shape
    yield "v.patch_embd.weight", eyes.patch.weight.view(shape.hidden, 3, shape.patch_px, shape.patch_px)
    yield "v.position_embd.weight", eyes.positions
    yield "v.class_embd", eyes.registers
    for number, block in enumerate(eyes.blocks):
        for name, tensor in block.named_parameters():
            part, kind = name.split(".")
            yield f"v.blk.{number}.{PARTS[part]}.{kind}", tensor
    yield "v.post_ln.weight", eyes.post_ln.weight
    yield "v.post_ln.bias", eyes.post_ln.bias
    yield "mm.model.mlp.0.weight", eyes.norm
    yield "mm.model.mlp.1.weight", eyes.up.weight
    yield "mm.model.mlp.3.weight", eyes.down.weight


def load_eyes(path: Path, text_size: int) -> Eyes:
    """The encoder of models/hearth-demo.mmproj.gguf."""
    _, tensors = read_gguf(path)
    eyes = Eyes(Shape(text_size))
    with torch.no_grad():
        for name, tensor in named_tensors(eyes):
            tensor.copy_(torch.from_numpy(tensors[name]).view(tensor.shape))
    return eyes


def mean_of(texts: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of the weights of several text models of one shape."""
    return {name: torch.stack([each[name].float() for each in texts]).mean(0) for name in texts[0]}


def blend(trained: dict[str, Tensor], before: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """`share` of the trained weights and the rest of those before."""
    return {name: before[name].lerp(tensor, share) for name, tensor in trained.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", type=Path, nargs="+", required=True, help="talk.pt and eyes.pt: the eyes of the last, the mean of all text models")
    parser.add_argument("--text", type=Path, required=True, help="the text model: models/hearth-demo.gguf")
    parser.add_argument("--share", type=float, default=1.0, help="of what was trained in the text; the rest is --text as it is")
    parser.add_argument("--out", type=Path, required=True, help="gets the folders eyes and text")
    options = parser.parse_args()
    states = [torch.load(path) for path in options.state]
    texts = [state["text"] for state in states if "text" in state]
    text, _ = load_text_model(options.text, 16)
    eyes = Eyes(Shape(text.shape.hidden_size))
    eyes.load_state_dict(states[-1]["eyes"])
    write_tensors(named_tensors(eyes), {"shape": asdict(eyes.shape)}, options.out / "eyes")
    if texts:
        text.load_state_dict(blend(mean_of(texts), text.state_dict(), options.share))
        write_weights(text, options.out / "text")


if __name__ == "__main__":
    main()
