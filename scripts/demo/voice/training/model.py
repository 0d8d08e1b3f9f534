"""The model that reads texts and predicts frames, as llama.cpp computes Pocket TTS (pre-norm, rotary positions, GELU)."""

import math
import sys
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

sys.path.append(str(Path(__file__).parents[2] / "text" / "training"))

from codec import LATENTS  # noqa: E402
from products import products  # noqa: E402


@dataclass(frozen=True)
class Shape:
    """Sizes of the model. Every width is a multiple of 32, the block of the Q8_0 file type."""

    pieces: int
    hidden: int = 256
    layers: int = 4
    heads: int = 8
    feed_forward: int = 768
    flow_hidden: int = 256
    norm_epsilon: float = 1e-5
    rope_base: float = 1000.0

    @property
    def head_size(self) -> int:
        return self.hidden // self.heads


class Attention(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        size = shape.hidden
        self.q, self.k, self.v, self.output = (nn.Linear(size, size, bias=False) for _ in range(4))

    def forward(self, x: Tensor, rotation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """x: batch × length × hidden, whose first row stands for all rows of the voice. Also returns the scores of the first head."""
        batch, length, hidden = x.shape
        heads, size = self.shape.heads, self.shape.head_size
        voice = len(rotation) - length
        split = lambda part: part.view(batch, length, heads, size)  # noqa: E731
        repeated = lambda part: torch.cat([part[:, :1].expand(-1, voice, -1, -1), part], 1)  # noqa: E731
        q = rotate(split(self.q(x)), rotation[voice:])
        k = rotate(repeated(split(self.k(x))), rotation)
        v = repeated(split(self.v(x)))
        as_matrices = lambda part: part.permute(0, 2, 1, 3).reshape(batch * heads, -1, size)  # noqa: E731
        scores = products(as_matrices(q) * size**-0.5, as_matrices(k).transpose(1, 2).contiguous()) + mask
        weights = torch.softmax(scores, -1)
        mixed = products(weights, as_matrices(v)).view(batch, heads, length, size).transpose(1, 2)
        return self.output(mixed.reshape(batch, length, hidden)), scores.view(batch, heads, length, -1)[:, 0]


class Block(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.attention_norm = nn.LayerNorm(shape.hidden, shape.norm_epsilon)
        self.attention = Attention(shape)
        self.feed_forward_norm = nn.LayerNorm(shape.hidden, shape.norm_epsilon)
        self.up = nn.Linear(shape.hidden, shape.feed_forward, bias=False)
        self.down = nn.Linear(shape.feed_forward, shape.hidden, bias=False)

    def forward(self, x: Tensor, rotation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        mixed, looked = self.attention(self.attention_norm(x), rotation, mask)
        x = x + mixed
        return x + self.down(F.gelu(self.up(self.feed_forward_norm(x)), approximate="tanh")), looked


class Voice(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.pieces, shape.hidden)
        self.input = nn.Linear(LATENTS, shape.hidden, bias=False)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.output_norm = nn.LayerNorm(shape.hidden, shape.norm_epsilon)
        self.condition = nn.Linear(shape.hidden, shape.flow_hidden)
        self.frame = nn.Linear(shape.flow_hidden, LATENTS)
        self.end = nn.Linear(shape.hidden, 1)
        for parameter in self.parameters():
            if parameter.ndim == 2:
                nn.init.normal_(parameter, std=0.02)
        nn.init.normal_(self.embedding.weight, std=0.5)
        nn.init.normal_(self.input.weight, std=0.5 / math.sqrt(LATENTS))
        for block in self.blocks:
            nn.init.normal_(block.attention.output.weight, std=0.02 / math.sqrt(2 * shape.layers))
            nn.init.normal_(block.down.weight, std=0.02 / math.sqrt(2 * shape.layers))

    def forward(self, ids: Tensor, frames: Tensor, is_frame: Tensor, voice: int) -> tuple[Tensor, Tensor, list[Tensor]]:
        """What follows each row: its frame, the score of the end of speech, and where the first heads looked.

        ids: batch × length; frames: batch × length × latents, in place of the ids where `is_frame`. A row that stands
        for `voice` rows of the voice is put in front; without a voice nobody sees it.
        """
        rows = torch.where(is_frame.unsqueeze(-1), self.input(frames), self.embedding(ids))
        x = torch.cat([rows.new_zeros(len(rows), 1, rows.shape[-1]), rows], 1)
        length = x.shape[1]
        # The first row of x stands at the last position of the voice: it is one of those that are repeated.
        more = max(voice, 1) - 1
        rotation = rotations(length + more, self.shape)
        columns, lines = torch.arange(length + more) - more, torch.arange(length).unsqueeze(1)
        seen = (columns <= lines) & ((columns > 0) | (lines == 0) | (voice > 0))
        mask = torch.where(seen, 0.0, -1e9)
        looks = []
        for block in self.blocks:
            x, looked = block(x, rotation, mask)
            looks.append(looked[:, 1:])
        x = self.output_norm(x[:, 1:])
        return self.frame(F.silu(self.condition(x))), self.end(x).squeeze(-1), looks


def rotations(length: int, shape: Shape) -> Tensor:
    """The complex factors of rotary position embedding: positions × 1 × half a head."""
    frequencies = shape.rope_base ** (-torch.arange(0, shape.head_size, 2) / shape.head_size)
    angles = torch.outer(torch.arange(length), frequencies)
    return torch.polar(torch.ones_like(angles), angles).unsqueeze(1)


def rotate(x: Tensor, rotation: Tensor) -> Tensor:
    """Neighbouring pairs of each head are turned as complex numbers, which is llama.cpp's order here."""
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * rotation).flatten(-2)
