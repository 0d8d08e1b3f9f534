"""The encoder and projector of llama.cpp's `nemotron_v2_vl`: a vision transformer, four patches merged into a position."""

import sys
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

sys.path.append(str(Path(__file__).parents[2] / "text" / "training"))

from products import products  # noqa: E402


@dataclass(frozen=True)
class Shape:
    """Sizes of the encoder; every width is a multiple of 32, the block of the Q8_0 file type."""

    text_size: int
    side_px: int = 128
    patch_px: int = 16
    hidden: int = 128
    feed_forward: int = 384
    layers: int = 5
    heads: int = 4
    registers: int = 4
    merge: int = 2
    projector: int = 384
    epsilon: float = 1e-6

    @property
    def patches(self) -> int:
        """In a row, and rows."""
        return self.side_px // self.patch_px


class Block(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.heads = shape.heads
        self.ln1 = nn.LayerNorm(shape.hidden, shape.epsilon)
        self.q = nn.Linear(shape.hidden, shape.hidden)
        self.k = nn.Linear(shape.hidden, shape.hidden)
        self.v = nn.Linear(shape.hidden, shape.hidden)
        self.out = nn.Linear(shape.hidden, shape.hidden)
        self.ln2 = nn.LayerNorm(shape.hidden, shape.epsilon)
        self.up = nn.Linear(shape.hidden, shape.feed_forward)
        self.down = nn.Linear(shape.feed_forward, shape.hidden)

    def forward(self, x: Tensor) -> Tensor:
        normed = self.ln1(x)
        q, k, v = (self.split(part(normed)) for part in (self.q, self.k, self.v))
        scores = products(q, k.mT).float() * q.shape[-1] ** -0.5
        mixed = products(torch.softmax(scores, -1).to(v.dtype), v)
        batch, length, hidden = x.shape
        mixed = mixed.view(batch, self.heads, length, -1).transpose(1, 2).reshape(batch, length, hidden)
        x = x + self.out(mixed)
        # In 32 bits, which CPUs compute in half the time.
        return x + self.down(F.silu(self.up(self.ln2(x)).float()))

    def split(self, x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        return x.view(batch, length, self.heads, -1).transpose(1, 2).reshape(batch * self.heads, length, -1)


class Eyes(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        inputs = 3 * shape.patch_px**2
        self.patch = nn.Linear(inputs, shape.hidden, bias=False)
        self.positions = nn.Parameter(torch.randn(shape.patches**2, shape.hidden) * 0.1)
        self.registers = nn.Parameter(torch.randn(shape.registers, shape.hidden) * 0.1)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.post_ln = nn.LayerNorm(shape.hidden, shape.epsilon)
        merged = shape.hidden * shape.merge**2
        self.norm = nn.Parameter(torch.ones(merged))
        self.up = nn.Linear(merged, shape.projector, bias=False)
        self.down = nn.Linear(shape.projector, shape.text_size, bias=False)
        for block in self.blocks:
            for last in (block.out, block.down):
                nn.init.normal_(last.weight, std=0.01)

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        """pictures: batch × height × width × 3, of bytes. What stands for words, and what is known of each patch."""
        encoded = self.encode(pictures)
        return self.project(encoded), encoded

    def encode(self, pictures: Tensor) -> Tensor:
        shape = self.shape
        size, count = shape.patch_px, shape.patches
        x = pictures.view(-1, count, size, count, size, 3).permute(0, 1, 3, 5, 2, 4).reshape(-1, count**2, 3 * size**2)
        x = self.patch(x.float() / 127.5 - 1) + self.positions
        x = torch.cat([self.registers.expand(len(x), -1, -1).to(x.dtype), x], 1)
        for block in self.blocks:
            x = block(x)
        return self.post_ln(x)[:, shape.registers:]

    def project(self, x: Tensor) -> Tensor:
        merge, count = self.shape.merge, self.shape.patches // self.shape.merge
        x = x.view(len(x), count, merge, count, merge, -1).permute(0, 1, 3, 2, 4, 5).reshape(len(x), count**2, -1)
        x = x.float() * torch.rsqrt(x.float().square().mean(-1, keepdim=True) + 1e-6) * self.norm
        return self.down(F.relu(self.up(x).float()).square())
