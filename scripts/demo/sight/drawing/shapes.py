"""Plain shapes, which are drawn alone or counted."""

import math
from random import Random

from palette import Rgb
from sheet import Line, Placement, Sheet, arc

SHAPES = ("circle", "square", "triangle", "star", "heart", "cross")


def outline_of(random: Random, shape: str) -> Line:
    """The closed outline, from -1 to 1."""
    if shape == "circle":
        return arc(0, 0, 1, 1, -90, 270)
    if shape == "square":
        return [(-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88), (-0.88, -0.88)]
    if shape == "triangle":
        top = random.choice((0, 0, 0, -0.5, 0.5))
        return [(top, -0.95), (1, 0.85), (-1, 0.85), (top, -0.95)]
    if shape == "star":
        inner = random.uniform(0.36, 0.48)
        points = [polar(1 if at % 2 == 0 else inner, at * 36 - 90) for at in range(10)]
        return [*points, points[0]]
    if shape == "heart":
        angles = [math.radians(at * 12) for at in range(31)]
        return [(math.sin(t) ** 3, -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)) / 16) for t in angles]
    width = random.uniform(0.24, 0.36)
    corner = [(-width, -1), (width, -1), (width, -width), (1, -width), (1, width), (width, width), (width, 1), (-width, 1),
              (-width, width), (-1, width), (-1, -width), (-width, -width)]
    return [*corner, corner[0]]


def draw_shape(sheet: Sheet, shape: str, rgb: Rgb, place: Placement, filled: bool, width: float) -> None:
    if shape == "cross" and not filled:
        sheet.draw([place([(-1, 0), (1, 0)]), place([(0, -1), (0, 1)])], rgb, width)
        return
    if shape == "star" and not filled and sheet.random.random() < 0.4:
        sheet.draw([place([polar(1, at * 144 - 90) for at in range(6)])], rgb, width)
        return
    outline = place(outline_of(sheet.random, shape))
    if filled:
        sheet.fill(outline, rgb)
    else:
        sheet.draw([outline], rgb, width)


def polar(radius: float, degrees: float) -> tuple[float, float]:
    return radius * math.cos(math.radians(degrees)), radius * math.sin(math.radians(degrees))
