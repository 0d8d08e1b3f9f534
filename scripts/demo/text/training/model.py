"""The demo model: a small Llama, as llama.cpp computes it (pre-norm, rotary positions, grouped queries, SwiGLU)."""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from products import products


@dataclass(frozen=True)
class Shape:
    """Sizes of the model. Every width is a multiple of 32, the block of the Q8_0 file type."""

    vocabulary_size: int
    hidden_size: int = 256
    layers: int = 6
    heads: int = 8
    kv_heads: int = 4
    feed_forward_size: int = 640
    norm_epsilon: float = 1e-5
    rope_base: float = 10_000.0

    @property
    def head_size(self) -> int:
        return self.hidden_size // self.heads


class RmsNorm(nn.Module):
    def __init__(self, size: int, epsilon: float):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        scale = torch.rsqrt((x * x).mean(-1, keepdim=True) + self.epsilon)
        return x * scale * self.weight


class Attention(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        kv_size = shape.kv_heads * shape.head_size
        self.q = nn.Linear(shape.hidden_size, shape.hidden_size, bias=False)
        self.k = nn.Linear(shape.hidden_size, kv_size, bias=False)
        self.v = nn.Linear(shape.hidden_size, kv_size, bias=False)
        self.output = nn.Linear(shape.hidden_size, shape.hidden_size, bias=False)

    def forward(self, x: Tensor, rotation: Tensor, mask: Tensor) -> Tensor:
        """x and what comes back: batch × length × hidden; mask: length × length, added to the scores."""
        batch, length, _ = x.shape
        shape = self.shape
        q = rotate(self.q(x).view(batch, length, shape.heads, shape.head_size), rotation)
        k = rotate(self.k(x).view(batch, length, shape.kv_heads, shape.head_size), rotation)
        v = self.v(x).view(batch, length, shape.kv_heads, shape.head_size)
        # Query heads that share a key head become rows of one matrix: batch·kv_heads × (group·length) × head_size.
        group = shape.heads // shape.kv_heads
        q = q.view(batch, length, shape.kv_heads, group, shape.head_size).permute(0, 2, 3, 1, 4)
        q = q.reshape(batch * shape.kv_heads, group * length, shape.head_size)
        k = k.permute(0, 2, 3, 1).reshape(batch * shape.kv_heads, shape.head_size, length)
        v = v.permute(0, 2, 1, 3).reshape(batch * shape.kv_heads, length, shape.head_size)
        scores = products(q * shape.head_size**-0.5, k) + mask.repeat(group, 1)
        mixed = products(torch.softmax(scores, -1), v)
        mixed = mixed.view(batch, shape.kv_heads, group, length, shape.head_size).permute(0, 3, 1, 2, 4)
        return self.output(mixed.reshape(batch, length, shape.hidden_size))


class FeedForward(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.gate = nn.Linear(shape.hidden_size, shape.feed_forward_size, bias=False)
        self.up = nn.Linear(shape.hidden_size, shape.feed_forward_size, bias=False)
        self.down = nn.Linear(shape.feed_forward_size, shape.hidden_size, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        gate = self.gate(x)
        # In 32 bits, which CPUs compute in half the time.
        return self.down(F.silu(gate.float()).to(gate.dtype) * self.up(x))


class Block(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.attention_norm = RmsNorm(shape.hidden_size, shape.norm_epsilon)
        self.attention = Attention(shape)
        self.feed_forward_norm = RmsNorm(shape.hidden_size, shape.norm_epsilon)
        self.feed_forward = FeedForward(shape)

    def forward(self, x: Tensor, rotation: Tensor, mask: Tensor) -> Tensor:
        x = x + self.attention(self.attention_norm(x), rotation, mask)
        return x + self.feed_forward(self.feed_forward_norm(x))


class DemoModel(nn.Module):
    def __init__(self, shape: Shape, longest: int):
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocabulary_size, shape.hidden_size)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.output_norm = RmsNorm(shape.hidden_size, shape.norm_epsilon)
        self.register_buffer("rotation", rotations(longest, shape), persistent=False)
        self.register_buffer("mask", torch.full((longest, longest), -1e9).triu(1), persistent=False)
        self.apply(initialise)
        for block in self.blocks:
            for last in (block.attention.output, block.feed_forward.down):
                nn.init.normal_(last.weight, std=0.02 / math.sqrt(2 * shape.layers))

    def forward(self, ids: Tensor, wanted: Tensor) -> Tensor:
        """Logits at the flat positions `wanted` of the ids (batch × length): wanted positions × vocabulary."""
        length = ids.shape[1]
        rotation, mask = self.rotation[:length], self.mask[:length, :length]
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, rotation, mask)
        return F.linear(self.output_norm(x.flatten(0, 1)[wanted]), self.embedding.weight)


def rotations(longest: int, shape: Shape) -> Tensor:
    """The complex factors of rotary position embedding: positions × 1 × half a head."""
    frequencies = shape.rope_base ** (-torch.arange(0, shape.head_size, 2) / shape.head_size)
    angles = torch.outer(torch.arange(longest), frequencies)
    return torch.polar(torch.ones_like(angles), angles).unsqueeze(1)


def rotate(x: Tensor, rotation: Tensor) -> Tensor:
    """Neighbouring pairs of each head are turned as complex numbers, which is the order of llama.cpp's `llama`."""
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * rotation).flatten(-2)


def initialise(module: nn.Module) -> None:
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=0.02)
