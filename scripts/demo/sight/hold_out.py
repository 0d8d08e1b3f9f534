"""Draws what the evaluation shows: with fonts and asked in words that training has not seen, as PNG files and a list.json."""

import argparse
import json
import sys
from pathlib import Path

import cairo
import numpy as np

sys.path.append(str(Path(__file__).parent / "drawing"))

from questions import Asked, Questioner  # noqa: E402
from scenes import Drawer, Scene  # noqa: E402

# Far from those of draw.py.
SEED = 1_000_000
GROUPS = ("what", "numbers", "letters", "colours", "counts", "bars", "yes or no", "not there")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=60, help="pictures for each group of questions")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    drawer, questioner = Drawer(options.seed, held_out=True), Questioner(options.seed, held_out=True)
    missing = {group: options.each for group in GROUPS}
    cases = []
    while any(missing.values()):
        scene, pixels = drawer.draw()
        wanted = [asked for asked in questioner.ask(scene, 4) if missing[asked.group] > 0 and is_clear(scene, asked)]
        if not wanted:
            continue
        asked = wanted[0]
        missing[asked.group] -= 1
        file = f"{len(cases)}.png"
        write_png(pixels, options.out / file)
        cases.append({"file": file, "kind": scene.kind, **asked._asdict()})
    (options.out / "list.json").write_text(json.dumps(cases, indent=1))


def is_clear(scene: Scene, asked: Asked) -> bool:
    """False where nobody could tell a letter from a digit, or from a circle, that is not told which it is."""
    return not (asked.group == "what" and scene.kind in ("number", "letter") and scene.name in "01OI")


def write_png(pixels: np.ndarray, path: Path) -> None:
    height, width, _ = pixels.shape
    rows = np.zeros((height, width, 4), np.uint8)
    rows[:, :, 2::-1] = pixels
    cairo.ImageSurface.create_for_data(rows, cairo.FORMAT_RGB24, width, height).write_to_png(str(path))


if __name__ == "__main__":
    main()
