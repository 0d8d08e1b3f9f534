"""Training examples as batches of one length each, so that little is padded and attention stays small."""

from pathlib import Path
from typing import Iterator

import numpy as np
import torch
from torch import Tensor

# Lengths are rounded up to these many tokens.
LENGTH_STEP = 16


class Examples:
    """The examples of one prepared folder, read from disk as they are needed.

    ids.u16: token ids, one example after the other; learned.u8: 1 where the assistant wrote the token itself;
    ends.u32: where each example ends in the two.
    """

    def __init__(self, folder: Path):
        self.ids = np.memmap(folder / "ids.u16", dtype=np.uint16, mode="r")
        self.learned = np.memmap(folder / "learned.u8", dtype=np.uint8, mode="r")
        ends = np.fromfile(folder / "ends.u32", dtype=np.uint32).astype(np.int64)
        self.starts = np.concatenate([[0], ends[:-1]])
        self.lengths = ends - self.starts

    @property
    def token_count(self) -> int:
        return len(self.ids)

    def batches(self, tokens_per_batch: int, longest: int, seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        """Every example once, in random order: (ids, wanted, targets).

        ids and wanted: batch × length, wanted true where the next token is learned; targets: the tokens after those.
        """
        order = np.random.default_rng(seed).permutation(len(self.lengths))
        waiting: dict[int, list[int]] = {}
        for example in order:
            length = int(self.lengths[example])
            if length > longest:
                continue
            bucket = -(-length // LENGTH_STEP) * LENGTH_STEP
            members = waiting.setdefault(bucket, [])
            members.append(example)
            if len(members) * bucket >= tokens_per_batch:
                yield self.collate(members, bucket)
                waiting[bucket] = []
        for bucket, members in waiting.items():
            if members:
                yield self.collate(members, bucket)

    def collate(self, members: list[int], length: int) -> tuple[Tensor, Tensor, Tensor]:
        ids = np.zeros((len(members), length), dtype=np.int64)
        learned = np.zeros((len(members), length), dtype=bool)
        for row, example in enumerate(members):
            start, count = self.starts[example], self.lengths[example]
            ids[row, :count] = self.ids[start : start + count]
            learned[row, :count] = self.learned[start : start + count]
        wanted = learned[:, 1:]
        targets = torch.from_numpy(ids[:, 1:][wanted])
        return torch.from_numpy(ids[:, :-1].copy()), torch.from_numpy(wanted.copy()), targets
