"""Draws pictures for the training until it is ended, as files of 2,048 with what is true of them."""

import argparse
import os
import pickle
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent / "drawing"))

from preprocess import to_square  # noqa: E402
from scenes import Drawer  # noqa: E402

PICTURES_PER_FILE = 2048


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first file, which is its seed too")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for number in range(options.first, options.first + options.files):
        drawer = Drawer(number)
        scenes, pictures = zip(*(drawer.draw() for _ in range(PICTURES_PER_FILE)))
        np.save(options.out / f"{number}.tmp.npy", np.stack([to_square(picture) for picture in pictures]))
        (options.out / f"{number}.scenes").write_bytes(pickle.dumps(scenes))
        os.replace(options.out / f"{number}.tmp.npy", options.out / f"{number}.npy")


if __name__ == "__main__":
    main()
