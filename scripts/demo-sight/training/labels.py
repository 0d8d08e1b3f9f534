"""What the first lesson asks of each position that the projector makes: a caption of fixed places."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "drawing"))

from palette import COLOURS  # noqa: E402
from scenes import DIGITS, KINDS, LETTERS, Scene  # noqa: E402
from shapes import SHAPES  # noqa: E402
from things import THINGS  # noqa: E402

POSITIONS = 16
NONE = "none"
ORDINALS = ("first", "second", "third", "fourth", "fifth")
LABELS = (NONE, *KINDS, *COLOURS, *DIGITS, *LETTERS, *SHAPES, *THINGS, *ORDINALS)
INDEX = {label: at for at, label in enumerate(LABELS)}
# What may stand at the middle of a patch, for the encoder's own lesson.
SPOTS = (NONE, *SHAPES, "bar")
SPOT_INDEX = {spot: at for at, spot in enumerate(SPOTS)}


def caption_of(scene: Scene) -> list[int]:
    words = [scene.kind, scene.ground]
    if scene.name != "":
        words += [scene.name, scene.colour]
    for count, colour, shape in scene.groups:
        words += [str(count), colour, shape]
    if scene.groups:
        words += [NONE] * (POSITIONS - 1 - len(words)) + [str(sum(count for count, _, _ in scene.groups))]
    if scene.bars:
        order = sorted(range(len(scene.bars)), key=lambda bar: -scene.bars[bar][1])
        for bar, (colour, _) in enumerate(scene.bars):
            words += [colour, ORDINALS[order.index(bar)]]
        words += [NONE] * (POSITIONS - 4 - len(words))
        words += [scene.bars[order[0]][0], ORDINALS[order[0]], scene.bars[order[-1]][0], str(len(scene.bars))]
    words += [NONE] * (POSITIONS - len(words))
    return [INDEX[word] for word in words]


def subject_of(scene: Scene) -> int:
    return INDEX[scene.name or scene.kind]


def spots_of(scene: Scene, patches: int) -> list[tuple[int, int, int]]:
    """Which patch (row by row), what is there, and in which colour."""
    found = []
    for x, y, what, colour in scene.spots:
        column, row = (min(patches - 1, max(0, int(at * patches))) for at in (x, y))
        found.append((row * patches + column, SPOT_INDEX[what], COLOURS.index(colour)))
    return found
