"""The pictures that draw.py wrote, or still writes."""

import pickle
import sys
from pathlib import Path
from random import Random
from typing import Iterator

import numpy as np
import torch
from torch import Tensor

sys.path.append(str(Path(__file__).parents[1] / "drawing"))

from scenes import Scene  # noqa: E402


FURTHEST_PX = 5


class Pool:
    def __init__(self, folder: Path):
        self.folder = folder
        self.files: dict[str, tuple[np.ndarray, list[Scene]]] = {}

    def look_for_more(self) -> None:
        for path in self.folder.glob("*[0-9].npy"):
            if path.stem not in self.files and not path.stem.endswith(".tmp"):
                scenes = pickle.loads(path.with_suffix(".scenes").read_bytes())
                self.files[path.stem] = np.load(path, mmap_mode="r"), scenes

    def batches(self, size: int, random: Random) -> Iterator[tuple[Tensor, list[Scene]]]:
        """Random pictures of one random file at a time, for ever."""
        while True:
            self.look_for_more()
            pictures, scenes = self.files[random.choice(tuple(self.files))]
            order = random.sample(range(len(scenes)), size)
            yield torch.from_numpy(moved(pictures[order], random)), [scenes[at] for at in order]


def moved(pictures: np.ndarray, random: Random) -> np.ndarray:
    """The pictures a little further to one side, so that each is cut into other patches."""
    down, right = (random.randrange(2 * FURTHEST_PX + 1) for _ in range(2))
    height, width = pictures.shape[1:3]
    margins = ((0, 0), (FURTHEST_PX, FURTHEST_PX), (FURTHEST_PX, FURTHEST_PX), (0, 0))
    return np.ascontiguousarray(np.pad(pictures, margins, "edge")[:, down:down + height, right:right + width])
