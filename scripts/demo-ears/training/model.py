"""The model: a small Whisper, as whisper.cpp computes it."""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from features import BANDS

# Positions of a window of 30 s, 20 ms each, and the timestamps that stand for their edges.
POSITIONS = 1500
TIMESTAMPS = POSITIONS + 1
# whisper.cpp rounds the keys up to a multiple of 256, with zeros that take part in the softmax.
ZERO_KEYS = -POSITIONS % 256
# Ids of whisper.cpp's vocabulary, of which the others are never said.
VOCABULARY = 51_864


@dataclass(frozen=True)
class Shape:
    """Sizes of the model. Every width is a multiple of 32, the block of the quantized file types."""

    # Words as they stand within a sentence, all texts (words, capitalized words and marks), and phones.
    words: int
    texts: int
    phones: int
    state: int = 128
    heads: int = 4
    audio_layers: int = 4
    # Not 2: whisper.cpp takes two for a distilled model that knows no timestamps.
    text_layers: int = 3
    text_positions: int = 256

    # Ids in training: the texts, these, and the timestamps.
    @property
    def end_of_text(self) -> int:
        return self.texts

    @property
    def start_of_transcript(self) -> int:
        return self.texts + 1

    @property
    def previous_text(self) -> int:
        return self.texts + 2

    @property
    def no_speech(self) -> int:
        return self.texts + 3

    @property
    def first_timestamp(self) -> int:
        return self.texts + 4

    @property
    def used(self) -> int:
        return self.first_timestamp + TIMESTAMPS


def sinusoids(length: int, channels: int) -> Tensor:
    frequencies = torch.exp(-math.log(10_000) / (channels // 2 - 1) * torch.arange(channels // 2))
    angles = torch.arange(length)[:, None] * frequencies
    return torch.cat([angles.sin(), angles.cos()], 1)


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
        scores = torch.baddbmm(bias.to(query.dtype).expand(len(query), length, -1), query, key.mT, alpha=scale)
        shares = F.softmax(scores.float(), -1)
        mixed = torch.bmm(shares.to(value.dtype), value)
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


def neighbours(x: Tensor, step: int) -> Tensor:
    """Every frame (or every second) with those before and behind it in one row."""
    padded = F.pad(x, (0, 0, 1, 1))
    length = x.shape[1]
    return torch.cat([padded[:, shift : shift + length : step] for shift in range(3)], 2)


class Ears(nn.Module):
    """`lower`: which words can be capitalized."""

    def __init__(self, shape: Shape, lower: list[int]):
        super().__init__()
        self.shape = shape
        state = shape.state
        # Convolutions over three frames, as matrices: PyTorch's own in bfloat16 give gradients that are no numbers.
        self.conv1 = nn.Linear(3 * BANDS, state)
        self.conv2 = nn.Linear(3 * state, state)
        self.encoder = nn.ModuleList(Block(shape, False) for _ in range(shape.audio_layers))
        self.ln_post = nn.LayerNorm(state)
        self.phone_head = nn.Linear(state, shape.phones)
        # Capitalized words are the others and one more vector.
        self.words = nn.Embedding(shape.words, state)
        self.capital = nn.Parameter(torch.zeros(state))
        self.marks = nn.Embedding(shape.first_timestamp - shape.words - len(lower), state)
        # Timestamps are made of the positions of the audio, so that few examples teach all of them.
        self.timestamp = nn.Linear(state, state)
        # One row for all ids that are never said.
        self.unused = nn.Parameter(torch.zeros(state))
        self.text_position = nn.Parameter(0.1 * sinusoids(shape.text_positions, state))
        self.decoder = nn.ModuleList(Block(shape, True) for _ in range(shape.text_layers))
        self.ln = nn.LayerNorm(state)
        self.register_buffer("lower", torch.tensor(lower), persistent=False)
        self.register_buffer("positions", sinusoids(TIMESTAMPS, state), persistent=False)
        self.register_buffer("causal", torch.full((shape.text_positions,) * 2, -1e9).triu(1), persistent=False)
        self.apply(initialise)
        layers = shape.audio_layers + shape.text_layers
        for name, weight in self.named_parameters():
            if name.endswith(("out.weight", "mlp_2.weight")):
                nn.init.normal_(weight, std=0.05 / math.sqrt(layers))

    def hear(self, features: Tensor, places: Tensor, others: Tensor) -> tuple[Tensor, Tensor]:
        """States of the audio, and the bias for attending to them.

        features: batch × frames × bands, which end with silence; places: position of the first frame of each;
        others: batch × some positions that stand for all the rest of the window, where there is silence only.
        """
        x = F.gelu(self.conv1(neighbours(features, 1)))
        x = F.gelu(self.conv2(neighbours(x, 2)))
        length = x.shape[1]
        silence = x[:, -2:-1].expand(-1, others.shape[1], -1)
        at = torch.cat([places[:, None] + torch.arange(length), others], 1)
        x = torch.cat([x, silence], 1) + self.positions[at]
        bias = torch.zeros(1, 1, at.shape[1])
        bias[..., length:] = math.log((POSITIONS - length) / others.shape[1])
        for block in self.encoder:
            x = block(x, bias)
        return self.ln_post(x), bias

    def rows(self) -> Tensor:
        """The embedding of all ids in use."""
        words = self.words.weight
        return torch.cat([words, words[self.lower] + self.capital, self.marks.weight, self.timestamp(self.positions)])

    def write(self, ids: Tensor, wanted: Tensor, audio: Tensor, bias: Tensor) -> Tensor:
        """Logits at the flat positions `wanted`: of each id in use, and of all the others together."""
        length = ids.shape[1]
        rows = self.rows()
        x = F.embedding(ids, rows) + self.text_position[:length]
        for block in self.decoder:
            x = block(x, self.causal[:length, :length], audio, bias)
        x = self.ln(x.flatten(0, 1)[wanted])
        logits = F.linear(x, torch.cat([rows, self.unused[None]])).float()
        others = math.log(VOCABULARY - len(rows))
        return torch.cat([logits[:, :-1], logits[:, -1:] + others], 1)


def initialise(module: nn.Module) -> None:
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=0.05)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)
