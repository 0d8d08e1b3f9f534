"""The trained weights under whisper.cpp's names, for export.ts."""

from dataclasses import asdict
from pathlib import Path
from typing import Iterator

import torch
from torch import Tensor

from blocks import Block
from features import mel_filters
from model import Ears
from shape import POSITIONS
from tensor_file import write_tensors
from vocabulary import Vocabulary


def write_weights(model: Ears, vocabulary: Vocabulary, folder: Path) -> None:
    """What export.ts takes; see write_tensors."""
    write_tensors(named_tensors(model), {"shape": asdict(model.shape), "texts": vocabulary.texts}, folder)


def named_tensors(model: Ears) -> Iterator[tuple[str, Tensor]]:
    yield "mel_filters", torch.from_numpy(mel_filters())
    yield "encoder.positional_embedding", model.positions[:POSITIONS]
    for name in ("conv1", "conv2"):
        convolution = getattr(model, name)
        # Output × frame × input here, output × input × frame there.
        yield f"encoder.{name}.weight", convolution.weight.unflatten(1, (3, -1)).transpose(1, 2)
        yield f"encoder.{name}.bias", convolution.bias[:, None]
    yield from of_module("encoder.ln_post", model.ln_post)
    for number, block in enumerate(model.encoder):
        yield from of_block(f"encoder.blocks.{number}", block)
    yield "decoder.positional_embedding", model.text_position
    # Rows in the order of the ids in training; the last stands for all ids that are never said.
    yield "decoder.token_embedding.weight", torch.cat([model.rows(), model.unused[None]])
    yield from of_module("decoder.ln", model.ln)
    for number, block in enumerate(model.decoder):
        yield from of_block(f"decoder.blocks.{number}", block)


def of_block(name: str, block: Block) -> Iterator[tuple[str, Tensor]]:
    for part, tensor in block.named_parameters():
        yield f"{name}.{part.replace('mlp_0', 'mlp.0').replace('mlp_2', 'mlp.2')}", tensor


def of_module(name: str, module: torch.nn.Module) -> Iterator[tuple[str, Tensor]]:
    for part, tensor in module.named_parameters():
        yield f"{name}.{part}", tensor
