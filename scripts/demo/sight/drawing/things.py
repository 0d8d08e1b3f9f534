"""Things as people draw them, in a few lines."""

from random import Random
from typing import Callable, NamedTuple

from palette import Rgb
from shapes import polar
from sheet import Line, Placement, Sheet, arc


class Part(NamedTuple):
    """A line from -1 to 1. `solid`: it is an outline that is filled where things are painted."""

    line: Line
    solid: bool = False
    # Painted in black or white on top of the others, as eyes and windows are.
    detail: bool = False


def closed(*points: tuple[float, float]) -> Part:
    return Part([*points, points[0]], solid=True)


def box(left: float, top: float, right: float, bottom: float, detail: bool = False) -> Part:
    return Part([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], solid=not detail, detail=detail)


def disc(x: float, y: float, radius: float, high: float | None = None) -> Part:
    return Part(arc(x, y, radius, high or radius, -90, 270), solid=True)


def ring(x: float, y: float, radius: float) -> Part:
    return Part(arc(x, y, radius, radius, -90, 270), detail=True)


def stroke(*points: tuple[float, float]) -> Part:
    return Part(list(points))


def mark(*points: tuple[float, float]) -> Part:
    return Part(list(points), detail=True)


def house(random: Random) -> list[Part]:
    roof = closed((-0.95, -0.15), (0, random.uniform(-1, -0.75)), (0.95, -0.15))
    parts = [box(-0.75, -0.15, 0.75, 0.95), roof, box(-0.15, 0.35, 0.2, 0.95, detail=True)]
    if random.random() < 0.6:
        parts.append(box(-0.6, 0.1, -0.3, 0.4, detail=True))
    if random.random() < 0.4:
        parts.append(box(0.35, 0.1, 0.62, 0.4, detail=True))
    if random.random() < 0.4:
        parts.insert(0, box(0.4, -0.85, 0.6, -0.3))
    return parts


def tree(random: Random) -> list[Part]:
    trunk = box(-0.14, 0.2, 0.14, 1)
    if random.random() < 0.4:
        return [trunk, closed((-0.6, 0.4), (0, -0.35), (0.6, 0.4)), closed((-0.5, -0.1), (0, -1), (0.5, -0.1))]
    if random.random() < 0.4:
        return [trunk, disc(-0.35, -0.1, 0.42), disc(0.35, -0.1, 0.42), disc(0, -0.5, 0.48)]
    return [trunk, disc(0, -0.35, 0.62)]


def sun(random: Random) -> list[Part]:
    count, start = random.choice((8, 8, 10, 12)), random.uniform(0, 45)
    rays = [stroke(polar(0.65, start + at * 360 / count), polar(1, start + at * 360 / count)) for at in range(count)]
    return [disc(0, 0, random.uniform(0.4, 0.55)), *rays]


def face(random: Random) -> list[Part]:
    eyes = [Part(arc(x, -0.3, 0.1, random.uniform(0.08, 0.16)), detail=True) for x in (-0.35, 0.35)]
    smile = Part(arc(0, 0.12, 0.5, random.uniform(0.3, 0.45), 15, 165, 14), detail=True)
    nose = [mark((0, -0.1), (-0.06, 0.12), (0.04, 0.14))] if random.random() < 0.3 else []
    return [disc(0, 0, 0.95), *eyes, smile, *nose]


def flower(random: Random) -> list[Part]:
    count = random.choice((5, 6, 7))
    petals = [disc(*(centre * 0.38 for centre in polar(1, at * 360 / count)), 0.24) for at in range(count)]
    moved = [Part([(x, y - 0.42) for x, y in part.line], solid=True) for part in petals]
    leaf = [Part(arc(0.25, 0.6, 0.24, 0.1), solid=True)] if random.random() < 0.6 else []
    return [stroke((0, 0), (0, 1)), *moved, *leaf, ring(0, -0.42, 0.17)]


def fish(random: Random) -> list[Part]:
    tail = closed((0.55, 0), (1, -0.42), (1, 0.42))
    fin = [stroke((-0.1, -0.05), (0.15, 0.12), (-0.1, 0.2))] if random.random() < 0.3 else []
    return [tail, disc(-0.15, 0, 0.78, random.uniform(0.36, 0.52)), ring(-0.58, -0.1, 0.06), *fin]


def boat(random: Random) -> list[Part]:
    hull = closed((-0.95, 0.35), (0.95, 0.35), (0.6, 0.85), (-0.6, 0.85))
    sails = [closed((0.08, -0.85), (0.75, 0.15), (0.08, 0.15))]
    if random.random() < 0.5:
        sails.append(closed((-0.1, -0.6), (-0.1, 0.15), (-0.6, 0.15)))
    return [hull, stroke((0, -0.95), (0, 0.35)), *sails]


def car(random: Random) -> list[Part]:
    cabin = closed((-0.5, -0.05), (-0.32, -0.5), (0.3, -0.5), (0.55, -0.05))
    windows = [mark((0, -0.45), (0, -0.05))] if random.random() < 0.6 else []
    return [box(-0.98, -0.05, 0.98, 0.4), cabin, *windows, *(part for x in (-0.52, 0.52) for part in (disc(x, 0.42, 0.22), ring(x, 0.42, 0.14)))]


def cloud(random: Random) -> list[Part]:
    bumps = [(-0.55, 0.1, 0.38), (-0.15, -0.2, 0.45), (0.35, -0.12, 0.4), (0.62, 0.15, 0.32)]
    line = [(-0.8, 0.45)]
    for at, (x, y, radius) in enumerate(bumps):
        line += arc(x, y, radius, radius, 150 if at == 0 else 205, 320 if at < 3 else 420, 10)
    return [Part([*line, (-0.8, 0.45)], solid=True)]


def arrow(random: Random) -> list[Part]:
    turned = random.choice((lambda x, y: (x, y), lambda x, y: (-x, y), lambda x, y: (y, x), lambda x, y: (y, -x)))
    if random.random() < 0.4:
        points = [(-1, -0.18), (0.3, -0.18), (0.3, -0.5), (1, 0), (0.3, 0.5), (0.3, 0.18), (-1, 0.18)]
        return [closed(*(turned(x, y) for x, y in points))]
    return [stroke(turned(-1, 0), turned(1, 0)), stroke(turned(0.55, -0.4), turned(1, 0), turned(0.55, 0.4))]


def umbrella(random: Random) -> list[Part]:
    roof = Part([*arc(0, 0, 0.95, 0.85, 180, 360, 16), (-0.95, 0)], solid=True)
    return [stroke((0, 0), (0, 0.75), *arc(0.14, 0.78, 0.14, 0.16, 180, 20, 8)), roof]


def moon(random: Random) -> list[Part]:
    inner = random.uniform(0.3, 0.55)
    line = [*arc(0, 0, 0.9, 0.95, 90, 270, 18), *reversed(arc(0, 0, inner, 0.95, 90, 270, 18))]
    return [Part([(x + 0.4, y) for x, y in line], solid=True)]


def person(random: Random) -> list[Part]:
    arms = random.uniform(-0.35, 0.15)
    return [disc(0, -0.72, 0.26), stroke((0, -0.46), (0, 0.3)), stroke((-0.5, arms), (0, -0.2), (0.5, arms)),
            stroke((-0.4, 1), (0, 0.3), (0.4, 1))]


def cup(random: Random) -> list[Part]:
    handle = Part(arc(0.5, 0.05, 0.38, 0.35, -80, 80, 12))
    steam = [stroke((x, -0.75), (x + 0.1, -0.85), (x, -0.95)) for x in (-0.35, 0, 0.3)] if random.random() < 0.4 else []
    return [handle, closed((-0.75, -0.5), (0.5, -0.5), (0.4, 0.8), (-0.65, 0.8)), *steam]


def cat(random: Random) -> list[Part]:
    ears = [closed((side * 0.75, -0.35), (side * 0.7, -1), (side * 0.2, -0.65)) for side in (-1, 1)]
    eyes = [ring(x, -0.12, 0.09) for x in (-0.3, 0.3)]
    whiskers = [mark((side * 0.3, 0.28), (side * 0.95, y)) for side in (-1, 1) for y in (0.15, 0.4)]
    return [*ears, disc(0, 0.1, 0.8, 0.75), *eyes, mark((-0.08, 0.15), (0.08, 0.15), (0, 0.25), (-0.08, 0.15)), *whiskers]


def snowman(random: Random) -> list[Part]:
    buttons = [ring(0, y, 0.04) for y in (0.25, 0.5)]
    hat = [box(-0.22, -1, 0.22, -0.75)] if random.random() < 0.5 else []
    return [disc(0, 0.45, 0.52), disc(0, -0.38, 0.36), *hat, ring(-0.12, -0.45, 0.04), ring(0.12, -0.45, 0.04), *buttons]


def balloon(random: Random) -> list[Part]:
    return [stroke((0, 0.3), (0.08, 0.55), (-0.08, 0.8), (0, 1)), closed((0, 0.2), (0.12, 0.36), (-0.12, 0.36)), disc(0, -0.36, 0.52, 0.6)]


def key(random: Random) -> list[Part]:
    teeth = [stroke((x, 0), (x, 0.35)) for x in (0.55, 0.9)]
    return [disc(-0.6, 0, 0.38), ring(-0.6, 0, 0.16), stroke((-0.22, 0), (0.95, 0)), *teeth]


THINGS: dict[str, Callable[[Random], list[Part]]] = {
    "house": house, "tree": tree, "sun": sun, "face": face, "flower": flower, "fish": fish, "boat": boat, "car": car,
    "cloud": cloud, "arrow": arrow, "umbrella": umbrella, "moon": moon, "person": person, "cup": cup, "cat": cat,
    "snowman": snowman, "balloon": balloon, "key": key,
}


def draw_thing(sheet: Sheet, thing: str, rgb: Rgb, detail: Rgb) -> None:
    """`detail`: the colour of what is painted upon it."""
    random = sheet.random
    size = random.uniform(0.24, 0.44)
    x, y = (random.uniform(size + 0.04, 0.96 - size) for _ in range(2))
    place = Placement(random, x, y, size, turn=7)
    mirrored = random.random() < 0.5
    width = random.choice((8 / 512, 8 / 512, random.uniform(0.012, 0.04)))
    painted = random.random() < 0.4
    for line, solid, is_detail in THINGS[thing](random):
        line = place([(-x, y) for x, y in line] if mirrored else line)
        if painted and solid:
            sheet.fill(line, rgb)
        else:
            sheet.draw([line], detail if painted and is_detail else rgb, width)
