"""A sheet to draw on, and the hand that draws: coordinates are shares of the sheet's side, from the top left."""

import math
from random import Random
from typing import Sequence

import cairo
import numpy as np

from palette import Rgb

Point = tuple[float, float]
Line = Sequence[Point]


class Sheet:
    """`steady`: drawn by a ruler; otherwise lines shake as they do by hand."""

    def __init__(self, random: Random, side_px: int, ground: Rgb, aspect: float = 1.0):
        self.random = random
        self.width_px = max(16, round(side_px * min(1.0, aspect)))
        self.height_px = max(16, round(side_px / max(1.0, aspect)))
        self.surface = cairo.ImageSurface(cairo.FORMAT_RGB24, self.width_px, self.height_px)
        self.context = cairo.Context(self.surface)
        self.context.set_source_rgb(*ground)
        self.context.paint()
        # Everything is drawn into the largest square in the middle.
        side = min(self.width_px, self.height_px)
        self.context.translate((self.width_px - side) / 2, (self.height_px - side) / 2)
        self.context.scale(side, side)
        self.context.set_line_cap(cairo.LINE_CAP_ROUND)
        self.context.set_line_join(cairo.LINE_JOIN_ROUND)
        self.shake = 0.0 if random.random() < 0.35 else random.uniform(0.003, 0.014)

    def pixels(self) -> np.ndarray:
        """Height × width × red, green and blue, 0 to 255."""
        self.surface.flush()
        stride = self.surface.get_stride()
        rows = np.frombuffer(self.surface.get_data(), np.uint8).reshape(self.height_px, stride)
        return rows[:, :self.width_px * 4].reshape(self.height_px, self.width_px, 4)[:, :, 2::-1]

    def draw(self, lines: Sequence[Line], rgb: Rgb, width: float) -> None:
        self.context.set_source_rgb(*rgb)
        self.context.set_line_width(width)
        for line in lines:
            self.trace(self.by_hand(line))
            self.context.stroke()

    def fill(self, outline: Line, rgb: Rgb) -> None:
        self.context.set_source_rgb(*rgb)
        self.trace(self.by_hand(outline))
        self.context.close_path()
        self.context.fill()

    def trace(self, line: Line) -> None:
        self.context.new_path()
        first, *others = line
        self.context.move_to(*first)
        for point in others or [first]:
            self.context.line_to(*point)

    def by_hand(self, line: Line) -> Line:
        """The line as a hand draws it: it sways along its length."""
        if self.shake == 0 or len(line) < 2:
            return line
        random = self.random
        dense = divided(line, 0.04)
        sways = [(random.uniform(-1, 1), random.uniform(4, 14), random.uniform(0, 6.3)) for _ in range(4)]
        swayed, way = [], 0.0
        for at, (x, y) in enumerate(dense):
            if at > 0:
                way += math.dist(dense[at - 1], (x, y))
            across, along = (
                sum(size * math.sin(frequency * way * 2 + phase) for size, frequency, phase in half)
                for half in (sways[:2], sways[2:])
            )
            swayed.append((x + self.shake * across, y + self.shake * along))
        return swayed


def divided(line: Line, longest: float) -> list[Point]:
    """The same line with a point at least every `longest`."""
    points = [line[0]]
    for (x0, y0), (x1, y1) in zip(line, line[1:]):
        parts = max(1, math.ceil(math.hypot(x1 - x0, y1 - y0) / longest))
        points += [(x0 + (x1 - x0) * part / parts, y0 + (y1 - y0) * part / parts) for part in range(1, parts + 1)]
    return points


def arc(x: float, y: float, width: float, height: float, start: float = 0, end: float = 360, points: int = 28) -> list[Point]:
    """A part of an ellipse about (x, y); angles in degrees, clockwise from the right."""
    angles = (math.radians(start + (end - start) * at / points) for at in range(points + 1))
    return [(x + width * math.cos(angle), y + height * math.sin(angle)) for angle in angles]


class Placement:
    """Puts what is drawn about (0, 0), from -1 to 1, at its place on the sheet: turned, leaned and stretched a little."""

    def __init__(self, random: Random, x: float, y: float, size: float, turn: float = 8, lean: float = 0.12):
        angle = math.radians(random.uniform(-turn, turn))
        slope = random.uniform(-lean, lean)
        wide = size * random.uniform(0.88, 1.12)
        high = size * random.uniform(0.9, 1.1)
        cos, sin = math.cos(angle), math.sin(angle)
        self.x, self.y = x, y
        self.matrix = (wide * cos, wide * slope * cos - high * sin, wide * sin, wide * slope * sin + high * cos)

    def __call__(self, line: Line) -> list[Point]:
        a, b, c, d = self.matrix
        return [(self.x + a * x + b * y, self.y + c * x + d * y) for x, y in line]
