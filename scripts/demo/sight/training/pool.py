"""The pictures that draw.py wrote, or still writes."""

import pickle
import sys
from dataclasses import replace
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
            yield moved(pictures[order], [scenes[at] for at in order], random)


def moved(pictures: np.ndarray, scenes: list[Scene], random: Random) -> tuple[Tensor, list[Scene]]:
    """The pictures a little further to one side, so that each is cut into other patches."""
    right, down = (random.randint(-FURTHEST_PX, FURTHEST_PX) for _ in range(2))
    height, width = pictures.shape[1:3]
    margins = ((0, 0), (FURTHEST_PX, FURTHEST_PX), (FURTHEST_PX, FURTHEST_PX), (0, 0))
    top, left = FURTHEST_PX - down, FURTHEST_PX - right
    there = np.pad(pictures, margins, "edge")[:, top:top + height, left:left + width]
    spots = [[(x + right / width, y + down / height, what, colour) for x, y, what, colour in scene.spots] for scene in scenes]
    return torch.from_numpy(np.ascontiguousarray(there)), [replace(scene, spots=spot) for scene, spot in zip(scenes, spots)]
