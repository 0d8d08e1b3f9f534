"""The weights of a file that export.ts wrote, to train on from them. What the sounds are told by (CTC) is not in it."""

import struct
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from model import Ears
from shape import TIMESTAMPS
from vocabulary import MARKS, Vocabulary
from weights import of_block, of_module

FLOAT32, FLOAT16, FIVE_BITS = 0, 1, 6
BLOCK = np.dtype([("scale", "<f2"), ("high", "<u4"), ("low", "u1", 16)])
# Ids of whisper.cpp's English vocabulary, in which single bytes are the first texts.
BYTES = 256
END_OF_TEXT, START_OF_TRANSCRIPT, PREVIOUS_TEXT, NO_SPEECH, FIRST_TIMESTAMP = 50256, 50257, 50360, 50361, 50363


@torch.no_grad()
def read_back(model: Ears, vocabulary: Vocabulary, path: Path) -> None:
    """Words that the file does not have begin as the mean of those that it has."""
    stored, texts = read_file(path)
    tensors = {name: torch.from_numpy(values) for name, values in stored.items()}
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
    set_rows(model, vocabulary, tensors["decoder.token_embedding.weight"], texts)


def set_rows(model: Ears, vocabulary: Vocabulary, table: Tensor, texts: list[str]) -> None:
    """What the rows of the vocabulary are made of in training; the mean where several rows have it."""
    row_of = {text: row for row, text in reversed(list(enumerate(texts))) if row >= BYTES}
    words = [word for word, text in enumerate(vocabulary.texts[: model.shape.words]) if text in row_of]
    lower = [word for word in model.lower.tolist() if word in words]
    known = table[[row_of[vocabulary.texts[word]] for word in words]]
    model.words.weight.copy_(known.mean(0).expand_as(model.words.weight))
    model.words.weight[words] = known
    capitalized = table[[row_of[capitalized_text(vocabulary.texts[word])] for word in lower]]
    model.capital.copy_((capitalized - model.words.weight[lower]).mean(0))
    model.words.weight[lower] = (model.words.weight[lower] + capitalized - model.capital) / 2
    marks = [row_of[mark] for mark in MARKS]
    model.marks.weight.copy_(table[[*marks, END_OF_TEXT, START_OF_TRANSCRIPT, PREVIOUS_TEXT, NO_SPEECH]])
    model.unused.copy_(table[len(texts) : END_OF_TEXT].mean(0))
    # The timestamps are a linear function of the positions.
    positions = torch.cat([model.positions, torch.ones(TIMESTAMPS, 1)], 1)
    solved = torch.linalg.lstsq(positions, table[FIRST_TIMESTAMP:], driver="gelsd").solution
    model.timestamp.weight.copy_(solved[:-1].T)
    model.timestamp.bias.copy_(solved[-1])


def capitalized_text(text: str) -> str:
    """Of " apple" it is " Apple": the texts of words begin with a space."""
    return text[:1] + text[1].upper() + text[2:]


def read_file(path: Path) -> tuple[dict[str, np.ndarray], list[str]]:
    """The tensors by name, and the texts of the first ids."""
    data = path.read_bytes()
    at = 0

    def take(count: int) -> tuple[int, ...]:
        nonlocal at
        numbers = struct.unpack_from(f"<{count}i", data, at)
        at += 4 * count
        return numbers

    *_, bands, frequencies = take(14)
    at += 4 * bands * frequencies
    texts = []
    for _ in range(take(1)[0]):
        (length,) = take(1)
        texts.append(data[at : at + length].decode(errors="replace"))
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
    return tensors, texts


def from_five_bits(blocks: np.ndarray) -> np.ndarray:
    low = np.concatenate([blocks["low"] & 15, blocks["low"] >> 4], 1)
    high = blocks["high"][:, None] >> np.arange(32, dtype=np.uint32) & 1
    levels = (low | high << 4).astype(np.float32) - 16
    return (levels * blocks["scale"].astype(np.float32)[:, None]).ravel()
