"""What libmtmd makes of a picture before its encoder sees it: a square with black margins, resized as Pillow does."""

import math
from functools import lru_cache

import numpy as np

SIDE_PX = 128


def to_square(pixels: np.ndarray) -> np.ndarray:
    """pixels: height × width × 3, 0 to 255; what comes back: SIDE_PX × SIDE_PX × 3 of the same."""
    height, width, _ = pixels.shape
    if (height, width) == (SIDE_PX, SIDE_PX):
        return pixels
    scale = min(SIDE_PX / np.float32(width), SIDE_PX / np.float32(height))
    new_width, new_height = (min(SIDE_PX, math.ceil(np.float32(size) * scale)) for size in (width, height))
    # Rounded after each direction.
    across = np.rint(np.einsum("ow,hwc->hoc", bicubic(width, new_width), pixels.astype(np.float32), optimize=True).clip(0, 255))
    both = np.rint((bicubic(height, new_height) @ across.reshape(height, -1)).clip(0, 255))
    square = np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
    top, left = (SIDE_PX - new_height) // 2, (SIDE_PX - new_width) // 2
    square[top:top + new_height, left:left + new_width] = both.reshape(new_height, new_width, 3)
    return square


@lru_cache(None)
def bicubic(size: int, new_size: int) -> np.ndarray:
    """new size × size: the share of each old pixel in each new one. The cubic is Pillow's, with a = -0.5."""
    scale = size / new_size
    widening = max(1.0, scale)
    shares = np.zeros((new_size, size), np.float64)
    for at in range(new_size):
        centre = (at + 0.5) * scale
        first, end = max(0, int(centre - 2 * widening + 0.5)), min(size, int(centre + 2 * widening + 0.5))
        distances = np.abs((np.arange(first, end) - centre + 0.5) / widening)
        near = (1.5 * distances - 2.5) * distances**2 + 1
        far = ((-0.5 * distances + 2.5) * distances - 4) * distances + 2
        weights = np.where(distances < 1, near, np.where(distances < 2, far, 0))
        shares[at, first:end] = weights / weights.sum()
    return shares.astype(np.float32)
