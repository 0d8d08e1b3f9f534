"""What synthesise.py wrote so far."""

import json
from pathlib import Path

import numpy as np

from features import BANDS, from_bytes


class Clips:
    def __init__(self, folder: Path):
        self.folder = folder
        self.files: list[tuple[np.ndarray, list[dict]]] = []
        self.known: set[Path] = set()
        self.noises = np.memmap(folder / "noises.u8", np.uint8, "r").reshape(-1, BANDS)
        self.noise_clips = json.loads((folder / "noises.json").read_text())
        self.look_again()

    def look_again(self) -> None:
        for path in sorted(self.folder.glob("[0-9]*.json")):
            if path not in self.known:
                self.known.add(path)
                features = np.memmap(path.with_suffix(".u8"), np.uint8, "r").reshape(-1, BANDS)
                self.files.append((features, json.loads(path.read_text())))

    def draw(self, random: np.random.Generator) -> tuple[np.ndarray, str]:
        features, clips = self.files[random.integers(len(self.files))]
        clip = clips[random.integers(len(clips))]
        return from_bytes(features[clip["start"] : clip["start"] + clip["frames"]]), clip["text"]

    def draw_noise(self, random: np.random.Generator) -> np.ndarray:
        clip = self.noise_clips[random.integers(len(self.noise_clips))]
        return from_bytes(self.noises[clip["start"] : clip["start"] + clip["frames"]])
