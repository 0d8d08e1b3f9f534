"""Latents of frames: principal components of their features, of which decoder.py makes sound."""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1] / "speaking"))

from analysis import FEATURES, STEPS_PER_FRAME  # noqa: E402
from synthesis import amplitude_matrix  # noqa: E402

# Numbers of a frame: components, and what train.py adds to tell where in the text the frame is.
LATENTS = 32
COMPONENTS = 24
# How a component may move within a frame: so many cosines.
COSINES = 6


class Codec:
    """peaks: the largest logarithm of each amplitude that decoder.py computes."""

    def __init__(self, mean: np.ndarray, components: np.ndarray, deviations: np.ndarray, peaks: np.ndarray):
        self.mean, self.components, self.deviations, self.peaks = mean, components, deviations, peaks

    def latents(self, patches: np.ndarray) -> np.ndarray:
        """Frames × components, each of deviation 1."""
        return ((patches - self.mean) @ self.components.T) / self.deviations

    def patches(self, latents: np.ndarray) -> np.ndarray:
        return (latents * self.deviations) @ self.components + self.mean


def fit(patches: np.ndarray) -> Codec:
    slow = in_cosines(patches)
    mean = slow.mean(0)
    variances, vectors = np.linalg.eigh((slow - mean).T @ (slow - mean) / len(slow))
    components = np.ascontiguousarray(vectors[:, ::-1][:, :COMPONENTS].T)
    return Codec(mean, components, np.sqrt(variances[::-1][:COMPONENTS]), peaks_of(patches))


def cosines() -> np.ndarray:
    """Orthonormal: cosines × steps of a frame."""
    steps = np.arange(STEPS_PER_FRAME) + 0.5
    waves = np.cos(np.pi * np.arange(COSINES)[:, None] * steps / STEPS_PER_FRAME)
    return waves / np.sqrt((waves**2).sum(1, keepdims=True))


def in_cosines(patches: np.ndarray) -> np.ndarray:
    """Patches without what moves faster than the decoder can follow."""
    waves = cosines()
    steps = patches.reshape(-1, STEPS_PER_FRAME, FEATURES)
    return np.einsum("ms,mt,ntf->nsf", waves, waves, steps, optimize=True).reshape(patches.shape)


def load_codec(path: Path) -> Codec:
    return Codec(**np.load(path))


def peaks_of(patches: np.ndarray) -> np.ndarray:
    matrix, added = amplitude_matrix()
    steps = patches.reshape(-1, FEATURES)
    return np.concatenate([part @ matrix.T + added for part in np.array_split(steps, 20)]).max(0)


def read_patches(data: Path, files: int) -> np.ndarray:
    return np.concatenate([np.load(path)["arr_0"] for path in sorted(data.glob("[0-9]*.npz"))[:files]])


def main() -> None:
    parser = argparse.ArgumentParser(description="Computes the codec from what synthesise.py wrote: codec.npz in --out.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--files", type=int, default=2, help="so many are enough")
    options = parser.parse_args()
    patches = read_patches(options.data, options.files).astype(np.float64)
    codec = fit(patches)
    kept = 1 - ((patches - codec.patches(codec.latents(patches))) ** 2).sum() / ((patches - codec.mean) ** 2).sum()
    options.out.mkdir(parents=True, exist_ok=True)
    np.savez(options.out / "codec.npz", **vars(codec))
    print(json.dumps({"frames": len(patches), "kept": round(kept, 4), "deviations": codec.deviations.round(2).tolist()}))


if __name__ == "__main__":
    main()
