"""The weights of a file that export.ts wrote, to train on from them. What the sounds are told by (CTC) is not in it."""

import struct
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from model import Ears
from shape import TIMESTAMPS
from weights import of_block, of_module

FLOAT32, FLOAT16, FIVE_BITS = 0, 1, 6
BLOCK = np.dtype([("scale", "<f2"), ("high", "<u4"), ("low", "u1", 16)])
# Ids of whisper.cpp's English vocabulary: the texts are behind the 256 bytes.
FIRST_TEXT, END_OF_TEXT, START_OF_TRANSCRIPT, PREVIOUS_TEXT, NO_SPEECH, FIRST_TIMESTAMP = 256, 50256, 50257, 50360, 50361, 50363


@torch.no_grad()
def read_back(model: Ears, path: Path) -> None:
    tensors = {name: torch.from_numpy(values) for name, values in read_tensors(path).items()}
    for name in ("conv1", "conv2"):
        convolution = getattr(model, name)
        convolution.weight.copy_(tensors[f"encoder.{name}.weight"].transpose(1, 2).flatten(1))
        convolution.bias.copy_(tensors[f"encoder.{name}.bias"].flatten())
    model.text_position.copy_(tensors["decoder.positional_embedding"])
    named = [*of_module("encoder.ln_post", model.ln_post), *of_module("decoder.ln", model.ln)]
    for side in ("encoder", "decoder"):
        for number, block in enumerate(getattr(model, side)):
            named += of_block(f"{side}.blocks.{number}", block)
    for name, parameter in named:
        parameter.copy_(tensors[name].view_as(parameter))
    set_rows(model, tensors["decoder.token_embedding.weight"])


def set_rows(model: Ears, table: Tensor) -> None:
    """What the rows of the vocabulary are made of in training; the mean where several rows have it."""
    shape, lower = model.shape, model.lower
    words = table[FIRST_TEXT : FIRST_TEXT + shape.words].clone()
    capitalized = table[FIRST_TEXT + shape.words : FIRST_TEXT + shape.words + len(lower)]
    model.capital.copy_((capitalized - words[lower]).mean(0))
    words[lower] = (words[lower] + capitalized - model.capital) / 2
    model.words.weight.copy_(words)
    marks = table[FIRST_TEXT + shape.words + len(lower) : FIRST_TEXT + shape.texts]
    model.marks.weight.copy_(torch.cat([marks, table[[END_OF_TEXT, START_OF_TRANSCRIPT, PREVIOUS_TEXT, NO_SPEECH]]]))
    model.unused.copy_(table[FIRST_TEXT + shape.texts : END_OF_TEXT].mean(0))
    # The timestamps are a linear function of the positions.
    positions = torch.cat([model.positions, torch.ones(TIMESTAMPS, 1)], 1)
    solved = torch.linalg.lstsq(positions, table[FIRST_TIMESTAMP:], driver="gelsd").solution
    model.timestamp.weight.copy_(solved[:-1].T)
    model.timestamp.bias.copy_(solved[-1])


def read_tensors(path: Path) -> dict[str, np.ndarray]:
    data = path.read_bytes()
    at = 0

    def take(count: int) -> tuple[int, ...]:
        nonlocal at
        numbers = struct.unpack_from(f"<{count}i", data, at)
        at += 4 * count
        return numbers

    *_, bands, frequencies = take(14)
    at += 4 * bands * frequencies
    for _ in range(take(1)[0]):
        (length,) = take(1)
        at += length
    tensors = {}
    while at < len(data):
        dimensions, name_length, kind = take(3)
        sizes = take(dimensions)[::-1]
        name = data[at : at + name_length].decode()
        at += name_length
        count = int(np.prod(sizes))
        if kind == FIVE_BITS:
            values = from_five_bits(np.frombuffer(data, BLOCK, count // 32, at))
            at += count // 32 * BLOCK.itemsize
        else:
            stored = np.frombuffer(data, {FLOAT32: "<f4", FLOAT16: "<f2"}[kind], count, at)
            at += stored.nbytes
            values = stored.astype(np.float32)
        tensors[name] = values.reshape(sizes)
    return tensors


def from_five_bits(blocks: np.ndarray) -> np.ndarray:
    low = np.concatenate([blocks["low"] & 15, blocks["low"] >> 4], 1)
    high = blocks["high"][:, None] >> np.arange(32, dtype=np.uint32) & 1
    levels = (low | high << 4).astype(np.float32) - 16
    return (levels * blocks["scale"].astype(np.float32)[:, None]).ravel()
