"""Random pictures of all kinds, with what is true of them."""

from dataclasses import dataclass, field
from random import Random

import numpy as np

from glyphs import FAMILIES, HELD_OUT_FAMILIES, print_glyph, write_glyph
from palette import ALIKE, colour_on, ground_of, shade
from shapes import SHAPES, draw_shape
from sheet import Placement, Sheet
from things import THINGS, draw_thing

KINDS = {"number": 20, "letter": 22, "shapes": 50, "bars": 26, "thing": 22, "empty": 2, "unknown": 3}
DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass
class Scene:
    """What is seen in a picture; `name` and `colour` are of the one thing that is in it, if it is one."""

    kind: str
    ground: str
    name: str = ""
    colour: str = ""
    # Of the same colour and shape: count, colour, shape.
    groups: list[tuple[int, str, str]] = field(default_factory=list)
    # From left to right: colour, and height as a share of the highest possible.
    bars: list[tuple[str, float]] = field(default_factory=list)
    # Where single things are, as shares of the sheet: x, y, what it is, colour.
    spots: list[tuple[float, float, str, str]] = field(default_factory=list)


class Drawer:
    """Draws scenes; `held_out`: with the fonts that training does not see."""

    def __init__(self, seed: int, held_out: bool = False):
        self.random = Random(seed)
        self.families = HELD_OUT_FAMILIES if held_out else FAMILIES

    def draw(self, kind: str | None = None) -> tuple[Scene, np.ndarray]:
        random = self.random
        kind = kind or random.choices(tuple(KINDS), tuple(KINDS.values()))[0]
        ground, rgb = ground_of(random)
        scene = Scene(kind, ground)
        aspect = 1.0 if random.random() < 0.85 else random.choice((4 / 3, 3 / 4, 16 / 9, random.uniform(0.6, 1.6)))
        sheet = Sheet(random, random.choice((160, 192, 224, 256, 320)), rgb, aspect)
        getattr(self, f"draw_{kind}")(sheet, scene)
        return scene, worn(random, sheet.pixels())

    def draw_number(self, sheet: Sheet, scene: Scene) -> None:
        scene.name = self.random.choice(DIGITS)
        self.draw_glyph(sheet, scene, scene.name)

    def draw_letter(self, sheet: Sheet, scene: Scene) -> None:
        scene.name = self.random.choice(LETTERS)
        # A small l or i is a line, as are a large I and a 1.
        small = self.random.random() < 0.3 and scene.name not in "IL"
        self.draw_glyph(sheet, scene, scene.name.lower() if small else scene.name)

    def draw_glyph(self, sheet: Sheet, scene: Scene, glyph: str) -> None:
        scene.colour = colour_on(self.random, scene.ground)
        rgb = shade(self.random, scene.colour)
        if self.random.random() < 0.5:
            print_glyph(sheet, glyph, rgb, self.families)
        else:
            write_glyph(sheet, glyph, rgb)

    def draw_thing(self, sheet: Sheet, scene: Scene) -> None:
        random = self.random
        scene.name = random.choice((*THINGS, *SHAPES[3:5]))
        scene.colour = colour_on(random, scene.ground)
        rgb = shade(random, scene.colour)
        if scene.name in THINGS:
            draw_thing(sheet, scene.name, rgb, (1, 1, 1) if scene.colour != "white" else (0, 0, 0))
            return
        size = random.uniform(0.25, 0.43)
        place = Placement(random, *(random.uniform(size + 0.03, 0.97 - size) for _ in range(2)), size)
        draw_shape(sheet, scene.name, rgb, place, random.random() < 0.5, random.uniform(0.012, 0.04))

    def draw_shapes(self, sheet: Sheet, scene: Scene) -> None:
        random = self.random
        total = random.choice((1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8))
        kinds: list[tuple[str, str]] = []
        colours: list[str] = []
        for _ in range(min(total, random.choice((1, 1, 2, 2, 2, 3)))):
            colour = random.choice(colours) if colours and random.random() < 0.25 else distinct_colour(random, scene.ground, colours)
            kind = (colour, random.choice(SHAPES))
            if kind not in kinds:
                kinds.append(kind)
                colours.append(colour)
        counts = [1] * len(kinds)
        for _ in range(total - len(kinds)):
            counts[random.randrange(len(kinds))] += 1
        scene.groups = sorted((count, *kind) for count, kind in zip(counts, kinds))
        scene.groups.sort(key=lambda group: (SHAPES.index(group[2]), group[1]))
        filled, width = random.random() < 0.6, random.choice((8 / 512, random.uniform(0.012, 0.03)))
        tints = {colour: shade(random, colour) for colour in colours}
        for (x, y, size), (colour, shape) in zip(spread(random, total), [kind for kind, count in zip(kinds, counts) for _ in range(count)]):
            own_fill = filled if random.random() < 0.85 else not filled
            draw_shape(sheet, shape, tints[colour], Placement(random, x, y, size, lean=0.06), own_fill, width)
            scene.spots.append((x, y, shape, colour))

    def draw_bars(self, sheet: Sheet, scene: Scene) -> None:
        random = self.random
        count = random.choice((2, 3, 3, 4, 4, 5))
        heights = [0.16 + 0.84 * level for level in random.sample([at / 7 for at in range(8)], count)]
        heights = [height + random.uniform(-0.025, 0.025) for height in heights]
        one = distinct_colour(random, scene.ground, []) if random.random() < 0.25 else None
        colours: list[str] = []
        for _ in range(count):
            colours.append(one or distinct_colour(random, scene.ground, colours))
        scene.bars = list(zip(colours, heights))
        left, right, top, bottom = random.uniform(0.08, 0.2), random.uniform(0.82, 0.95), random.uniform(0.06, 0.2), random.uniform(0.84, 0.95)
        step, share = (right - left) / count, random.uniform(0.5, 0.85)
        dark = (0, 0, 0) if scene.ground != "black" else (1, 1, 1)
        if random.random() < 0.6:
            sheet.draw([[(left - 0.02, top - 0.03), (left - 0.02, bottom), (right + 0.02, bottom)]], dark, random.uniform(0.006, 0.014))
        outlined, tints = random.random() < 0.2, {colour: shade(random, colour) for colour in colours}
        for at, (colour, height) in enumerate(scene.bars):
            x0 = left + step * (at + (1 - share) / 2)
            y0 = bottom - (bottom - top) * height
            corners = [(x0, bottom), (x0, y0), (x0 + step * share, y0), (x0 + step * share, bottom), (x0, bottom)]
            if outlined:
                sheet.draw([corners], tints[colour], 0.016)
            else:
                sheet.fill(corners, tints[colour])
            scene.spots.append((x0 + step * share / 2, y0 + 0.02, "bar", colour))

    def draw_empty(self, sheet: Sheet, scene: Scene) -> None:
        """Nothing is drawn."""

    def draw_unknown(self, sheet: Sheet, scene: Scene) -> None:
        """A scribble, or noise."""
        random = self.random
        if random.random() < 0.3:
            for _ in range(random.randrange(60, 300)):
                rgb = (random.random(), random.random(), random.random())
                x, y, side = random.random(), random.random(), random.uniform(0.02, 0.12)
                sheet.fill([(x - side, y - side), (x + side, y - side), (x + side, y + side), (x - side, y + side)], rgb)
            return
        x, y, line = random.random(), random.random(), []
        for _ in range(random.randrange(25, 70)):
            x, y = (min(0.95, max(0.05, at + random.uniform(-0.35, 0.35))) for at in (x, y))
            line.append((x, y))
        sheet.draw([line], shade(random, colour_on(random, scene.ground)), random.uniform(0.01, 0.03))


def distinct_colour(random: Random, ground: str, taken: list[str]) -> str:
    """A colour that nobody takes for another one of the picture."""
    while True:
        colour = colour_on(random, ground, tuple(taken))
        if not any({colour, other} in ALIKE for other in taken) or random.random() < 0.1:
            return colour


def spread(random: Random, count: int) -> list[tuple[float, float, float]]:
    """Places that do not touch each other: x, y and half the size."""
    largest = {1: 0.4, 2: 0.23, 3: 0.2, 4: 0.18}.get(count, 0.145)
    while True:
        places: list[tuple[float, float, float]] = []
        size = random.uniform(0.55, 1) * largest
        for _ in range(60):
            own = size * random.uniform(0.8, 1.1)
            x, y = (random.uniform(own + 0.02, 0.98 - own) for _ in range(2))
            if all(max(abs(x - px), abs(y - py)) > 1.12 * (own + other) + 0.01 for px, py, other in places):
                places.append((x, y, own))
            if len(places) == count:
                return places
        largest *= 0.93


def worn(random: Random, pixels: np.ndarray) -> np.ndarray:
    """The picture as it may come: with noise, in blocks as from a strong JPEG, darker or paler."""
    if random.random() < 0.7:
        return pixels
    noise = np.random.default_rng(random.getrandbits(32))
    changed = pixels.astype(np.float32)
    if random.random() < 0.6:
        changed += noise.normal(0, random.uniform(2, 14), changed.shape)
    if random.random() < 0.4:
        changed = (changed[:-1, :-1] + changed[1:, :-1] + changed[:-1, 1:] + changed[1:, 1:]) / 4
    if random.random() < 0.4:
        changed = changed * random.uniform(0.85, 1) + random.uniform(0, 20)
    return changed.clip(0, 255).astype(np.uint8)
