"""What the first lesson asks of each position that the projector makes: a caption of fixed places."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "drawing"))

from palette import COLOURS  # noqa: E402
from questions import ORDINALS  # noqa: E402
from scenes import DIGITS, KINDS, LETTERS, Scene  # noqa: E402
from shapes import SHAPES  # noqa: E402
from things import THINGS  # noqa: E402

POSITIONS = 16
NONE = "none"
# What a whole picture may be of, and what single positions say.
SUBJECTS = (NONE, *KINDS, *COLOURS, *DIGITS, *LETTERS, *SHAPES, *THINGS, *ORDINALS)
MOST_SHAPES = 8
LABELS = (*SUBJECTS, *(f"{count} {colour}" for count in range(1, MOST_SHAPES + 1) for colour in COLOURS))
INDEX = {label: at for at, label in enumerate(LABELS)}
# What may stand at the middle of a patch, for the encoder's own lesson.
SPOTS = (NONE, *SHAPES, "bar")
SPOT_INDEX = {spot: at for at, spot in enumerate(SPOTS)}


def caption_of(scene: Scene) -> list[int]:
    words = [scene.kind, scene.ground]
    if scene.name != "":
        words += [scene.name, scene.colour]
    if scene.groups:
        # A position for each shape, and one for those of the same shape in another colour.
        by_shape = [[f"{count} {colour}" for count, colour, other in scene.groups if other == shape] for shape in SHAPES]
        words += [groups[at] if len(groups) > at else NONE for at in (0, 1) for groups in by_shape]
        words += [NONE, str(sum(count for count, _, _ in scene.groups))]
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
