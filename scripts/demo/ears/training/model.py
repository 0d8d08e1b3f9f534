"""The model: a small Whisper, as whisper.cpp computes it."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from blocks import NEARBY, Block, listen_nearby, sinusoids
from features import BANDS
from shape import POSITIONS, TIMESTAMPS, VOCABULARY, Shape
from vocabulary import Vocabulary


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
        for block, distances in zip(self.encoder, NEARBY):
            listen_nearby(block.attn, distances)
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


def untrained(vocabulary: Vocabulary) -> Ears:
    shape = Shape(len(vocabulary.words), len(vocabulary.texts), len(vocabulary.phones) + 1)
    return Ears(shape, vocabulary.lower)
