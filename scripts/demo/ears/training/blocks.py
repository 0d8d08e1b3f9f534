"""The blocks of which encoder and decoder are made."""

import math
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

sys.path.append(str(Path(__file__).parents[2] / "text" / "training"))

from products import products  # noqa: E402
from shape import POSITIONS, Shape  # noqa: E402

# whisper.cpp rounds the keys up to a multiple of 256, with zeros that take part in the softmax.
ZERO_KEYS = -POSITIONS % 256
# How many positions (20 ms) before or behind its own each head of an encoder block listens to at first.
NEARBY = [(-1, 1, -3, 3), (-2, 2, -5, 5), (-3, 3, -7, 7)]


def sinusoids(length: int, channels: int) -> Tensor:
    angles = torch.arange(length)[:, None] * sinusoid_frequencies(channels)
    return torch.cat([angles.sin(), angles.cos()], 1)


def sinusoid_frequencies(channels: int) -> Tensor:
    return torch.exp(-math.log(10_000) / (channels // 2 - 1) * torch.arange(channels // 2))


class Attention(nn.Module):
    """`padded`: attends to the audio, with whisper.cpp's keys and values of zeros behind it."""

    def __init__(self, shape: Shape, padded: bool):
        super().__init__()
        self.padded = padded
        self.heads = shape.heads
        self.query = nn.Linear(shape.state, shape.state)
        self.key = nn.Linear(shape.state, shape.state, bias=False)
        self.value = nn.Linear(shape.state, shape.state)
        self.out = nn.Linear(shape.state, shape.state)

    def forward(self, x: Tensor, heard: Tensor, bias: Tensor) -> Tensor:
        """x: batch × length × state; heard: what is attended to; bias: added to the scores, as wide as `heard`."""
        batch, length, state = x.shape
        query, key, value = self.query(x), self.key(heard), self.value(heard)
        if self.padded:
            key, value = (F.pad(part, (0, 0, 0, 1)) for part in (key, value))
            bias = F.pad(bias, (0, 1), value=math.log(ZERO_KEYS))
        query, key, value = self.split(query), self.split(key), self.split(value)
        scale = (state // self.heads) ** -0.5
        scores = products(query * scale, key.mT) + bias.to(query.dtype)
        shares = F.softmax(scores.float(), -1)
        mixed = products(shares.to(value.dtype), value)
        # What the first head attends to, for training it.
        self.shares = shares.view(batch, self.heads, length, -1)[:, 0] if self.padded else None
        return self.out(mixed.view(batch, self.heads, length, -1).transpose(1, 2).reshape(batch, length, state))

    def split(self, x: Tensor) -> Tensor:
        """batch × length × state as batch·heads × length × state of a head."""
        batch, length, _ = x.shape
        return x.view(batch, length, self.heads, -1).transpose(1, 2).reshape(batch * self.heads, length, -1)


class Block(nn.Module):
    def __init__(self, shape: Shape, listens: bool):
        super().__init__()
        self.attn_ln = nn.LayerNorm(shape.state)
        self.attn = Attention(shape, padded=not listens)
        self.cross_attn_ln = nn.LayerNorm(shape.state) if listens else None
        self.cross_attn = Attention(shape, padded=True) if listens else None
        self.mlp_ln = nn.LayerNorm(shape.state)
        self.mlp_0 = nn.Linear(shape.state, 4 * shape.state)
        self.mlp_2 = nn.Linear(4 * shape.state, shape.state)

    def forward(self, x: Tensor, bias: Tensor, audio: Tensor | None = None, audio_bias: Tensor | None = None) -> Tensor:
        normed = self.attn_ln(x)
        x = x + self.attn(normed, normed, bias)
        if self.cross_attn is not None:
            x = x + self.cross_attn(self.cross_attn_ln(x), audio, audio_bias)
        return x + self.mlp_2(F.gelu(self.mlp_0(self.mlp_ln(x))))


@torch.no_grad()
def listen_nearby(attention: Attention, distances: tuple[int, ...], strength: float = 3.5) -> None:
    """Has each head attend to the position at its distance, which training would take long to find out."""
    state = attention.query.weight.shape[0]
    pairs = state // attention.heads // 2
    channels = 2 + 3 * torch.arange(pairs)
    frequencies = sinusoid_frequencies(state)[channels]
    for head, distance in enumerate(distances):
        sines = head * 2 * pairs + torch.arange(pairs)
        cosines = sines + pairs
        turn_cos, turn_sin = (strength * part(frequencies * distance) for part in (torch.cos, torch.sin))
        key, query = attention.key.weight, attention.query.weight
        key[sines, channels] += strength
        key[cosines, channels + state // 2] += strength
        query[sines, channels] += turn_cos
        query[sines, channels + state // 2] += turn_sin
        query[cosines, channels + state // 2] += turn_cos
        query[cosines, channels] -= turn_sin
