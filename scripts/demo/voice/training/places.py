"""Where in the text a frame is, as latents that the model reads with its frame and predicts with the next one.

A turn for each of some rotary frequencies tells how many rows back the piece stands that is spoken: a head whose query
turns so finds it without a search. Two more latents count the frames of the piece.
"""

import numpy as np

from codec import COMPONENTS, LATENTS
from model import Shape

# Numbers of rotary pairs: 6, 23 and 146 positions to a turn.
PAIRS = [0, 3, 7]
PLACES = LATENTS - COMPONENTS
assert PLACES == 2 * len(PAIRS) + 2


def places_of(counts: list[int], shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """For frames of pieces that last so many frames each: frames × places, and the piece of each frame."""
    pieces = np.repeat(np.arange(len(counts)), counts)
    # Behind the pieces stands the row that begins the speech, and then the frames.
    distances = len(counts) + 1 + np.arange(len(pieces)) - pieces
    done = np.concatenate([np.arange(count) for count in counts])
    left = np.concatenate([count - 1 - np.arange(count) for count in counts])
    return np.concatenate([turns_of(distances, shape), np.stack([done - 0.5, left - 0.5], 1)], 1), pieces


def turns_of(distances: np.ndarray, shape: Shape) -> np.ndarray:
    frequencies = shape.rope_base ** (-2 * np.array(PAIRS) / shape.head_size)
    angles = distances[:, None] * frequencies
    return np.concatenate([np.cos(angles), np.sin(angles)], 1)
