"""Conversations packed end to end, as a GPU computes them: no padding, and every step has the same shape."""

from pathlib import Path
from typing import Callable, Iterator, NamedTuple, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from batches import Examples
from model import Attention, Block, DemoModel

# Stands in ids.u16 for a position of a picture.
PICTURE = 65_535
# A batch holds fewer conversations than this, so that the list of their ends has one length.
MOST_CONVERSATIONS = 2048


class PackedBatch(NamedTuple):
    """ids, positions: one for each token; ends: where each conversation ends, from 0 on, padded with the last; wanted:
    tokens whose next one is learned; targets, weights: of those; pictures: positions of pictures, and what they show."""

    ids: Tensor
    positions: Tensor
    ends: Tensor
    wanted: Tensor
    targets: Tensor
    weights: Tensor
    pictures: Tensor
    shown: Tensor


class Packing:
    """Examples of prepared folders, and of a folder of conversations about pictures, whose tokens weigh `seen_weight`."""

    def __init__(self, folders: Sequence[Path], seen: Path, longest: int, seen_weight: float):
        examples = Examples([*folders, seen])
        self.ids, self.learned = examples.ids, examples.learned
        self.lengths, self.starts = examples.lengths, examples.starts
        self.seen_weight = seen_weight
        self.picture_of = np.fromfile(seen / "pictures.u32", dtype=np.uint32).astype(np.int64)
        self.first_seen = len(self.lengths) - len(self.picture_of)
        self.texts = np.flatnonzero(self.lengths[:self.first_seen] <= longest)
        self.seen = np.arange(self.first_seen, len(self.lengths))
        self.shown = np.load(seen / "shown.npy")

    def batches(self, tokens: int, seen_per_batch: int, seed: int) -> Iterator[PackedBatch]:
        """Each text once, in random order, and as many conversations about pictures in every batch."""
        random = np.random.default_rng(seed)
        texts = random.permutation(self.texts)
        ends = np.cumsum(self.lengths[texts])
        at = 0
        while at < len(texts):
            seen = random.choice(self.seen, seen_per_batch) if seen_per_batch else self.seen[:0]
            room = tokens - int(self.lengths[seen].sum())
            before = ends[at - 1] if at else 0
            until = min(int(np.searchsorted(ends, before + room, side="right")), at + MOST_CONVERSATIONS - seen_per_batch - 2)
            if until == at or until == len(texts):
                return
            yield self.pack(np.concatenate([seen, texts[at:until]]), tokens)
            at = until

    def pack(self, members: np.ndarray, tokens: int) -> PackedBatch:
        lengths = self.lengths[members]
        total = int(lengths.sum())
        ends = np.cumsum(lengths)
        within = np.arange(total) - np.repeat(ends - lengths, lengths)
        source = np.repeat(self.starts[members], lengths) + within
        ids = np.zeros(tokens, np.int64)
        ids[:total] = self.ids[source]
        positions = np.zeros(tokens, np.int64)
        positions[:total] = within
        positions[total:] = np.arange(tokens - total)
        all_ends = np.full(MOST_CONVERSATIONS + 1, tokens, np.int32)
        all_ends[0] = 0
        all_ends[1:len(ends) + 1] = ends
        # No conversation begins with something learned, so what is learned follows in the same one.
        wanted = np.flatnonzero(self.learned[source][1:])
        is_seen = np.repeat(members >= self.first_seen, lengths)[wanted]
        weights = np.where(is_seen, self.seen_weight, 1.0).astype(np.float32)
        targets = ids[wanted + 1]
        pictures = np.flatnonzero(ids == PICTURE)
        ids[pictures] = 0
        shown = self.shown[self.picture_of[members[members >= self.first_seen] - self.first_seen]]
        arrays = ids, positions, all_ends, wanted, targets, weights, pictures, shown.reshape(-1, shown.shape[-1])
        return PackedBatch(*map(torch.from_numpy, arrays))


def packed_logits(model: DemoModel, batch: PackedBatch, longest: int, compute_block: Callable[..., Tensor]) -> Tensor:
    """Logits at the wanted tokens: wanted × vocabulary."""
    rotation = torch.view_as_real(model.rotation)[batch.positions]
    x = model.embedding(batch.ids)
    x = x.index_copy(0, batch.pictures, batch.shown.to(x.dtype))
    for block in model.blocks:
        x = compute_block(block, x, rotation, batch.ends, longest)
    # In 32 bits: with 16, logits of 20 have steps of 0.1.
    with torch.autocast(x.device.type, enabled=False):
        return F.linear(model.output_norm(x[batch.wanted].float()), model.embedding.weight)


def packed_block(block: Block, x: Tensor, rotation: Tensor, ends: Tensor, longest: int) -> Tensor:
    x = x + attention(block.attention, block.attention_norm(x), rotation, ends, longest)
    feed = block.feed_forward
    y = block.feed_forward_norm(x)
    return x + feed.down(F.silu(feed.gate(y)) * feed.up(y))


def attention(part: Attention, x: Tensor, rotation: Tensor, ends: Tensor, longest: int) -> Tensor:
    shape = part.shape
    q = turned(part.q(x).view(len(x), shape.heads, shape.head_size), rotation)
    k = turned(part.k(x).view(len(x), shape.kv_heads, shape.head_size), rotation)
    v = part.v(x).view(len(x), shape.kv_heads, shape.head_size)
    group = shape.heads // shape.kv_heads
    mixed = attend(q, k.repeat_interleave(group, 1), v.repeat_interleave(group, 1), ends, longest)
    return part.output(mixed.flatten(1))


def turned(x: Tensor, rotation: Tensor) -> Tensor:
    """As `rotate` of the model, without complex numbers; rotation: tokens × 1 × half a head × 2."""
    even, odd = x[..., 0::2].float(), x[..., 1::2].float()
    cos, sin = rotation[..., 0], rotation[..., 1]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2).to(x.dtype)


def attend(q: Tensor, k: Tensor, v: Tensor, ends: Tensor, longest: int) -> Tensor:
    """Causal attention within each conversation; all are tokens × heads × head_size."""
    return torch.ops.aten._flash_attention_forward(q, k, v, ends, ends, longest, longest, 0.0, True, False)[0]
