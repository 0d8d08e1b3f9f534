"""Training examples as batches of one length each, so that little is padded and attention stays small."""

from pathlib import Path
from typing import Iterator, NamedTuple, Sequence

import numpy as np
import torch
from torch import Tensor

# Lengths are rounded up to these many tokens.
LENGTH_STEP = 16
# So many batches are made ahead of the one that is computed.
BATCHES_AHEAD = 16


class Batch(NamedTuple):
    """ids: batch × length; wanted: flat positions in them whose next token is learned; targets: those tokens."""

    ids: Tensor
    wanted: Tensor
    targets: Tensor


class Examples:
    """The examples of one or several prepared folders.

    ids.u16: token ids, one example after the other; learned.u8: 1 where the assistant wrote the token itself;
    ends.u32: where each example ends in the two.
    """

    def __init__(self, folders: Sequence[Path]):
        self.ids = np.concatenate([np.fromfile(folder / "ids.u16", dtype=np.uint16) for folder in folders])
        self.learned = np.concatenate([np.fromfile(folder / "learned.u8", dtype=bool) for folder in folders])
        ends = [np.fromfile(folder / "ends.u32", dtype=np.uint32).astype(np.int64) for folder in folders]
        self.lengths = np.concatenate([np.diff(each, prepend=0) for each in ends])
        self.starts = np.cumsum(self.lengths) - self.lengths

    def batches(self, tokens_per_batch: int, longest: int, seed: int) -> Iterator[Batch]:
        """Every example of up to `longest` tokens once, in random order."""
        waiting: dict[int, list[int]] = {}
        lengths = self.lengths.tolist()
        for example in np.random.default_rng(seed).permutation(len(lengths)).tolist():
            if lengths[example] > longest:
                continue
            bucket = -(-lengths[example] // LENGTH_STEP) * LENGTH_STEP
            members = waiting.setdefault(bucket, [])
            members.append(example)
            if len(members) * bucket >= tokens_per_batch:
                yield self.collate(members, bucket)
                waiting[bucket] = []
        for bucket, members in waiting.items():
            if members:
                yield self.collate(members, bucket)

    def collate(self, members: list[int], length: int) -> Batch:
        columns = np.arange(length)
        filled = columns < self.lengths[members][:, None]
        places = np.where(filled, self.starts[members][:, None] + columns, 0)
        ids = np.where(filled, self.ids[places], 0).astype(np.int64)
        wanted = (filled & self.learned[places])[:, 1:]
        tensors = ids[:, :-1].copy(), np.flatnonzero(wanted), ids[:, 1:][wanted]
        return Batch(*map(torch.from_numpy, tensors))
