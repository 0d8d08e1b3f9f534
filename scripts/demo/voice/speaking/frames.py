"""A reading in frames of 80 ms, each of which belongs to one piece of the text.

Every sound is stretched or pressed into whole frames, one at least: then what is said in a frame depends on the sound and
its neighbours alone, and not on how the frames happen to lie over them.
"""

from typing import NamedTuple

import numpy as np

from analysis import FEATURES, STEPS_PER_FRAME, features_of
from lexicon import MARKS, SIGN_OF
from reader import PITCH_HZ, Reading

FRAME_SECONDS = STEPS_PER_FRAME / PITCH_HZ
# The first of them tells that the speech is over.
LAST_FRAMES = 4
MOST_PAUSE_FRAMES = 4
VOWELS = set("aa ae ah ao aw ax ay eh er ey ih iy ow oy uh uw".split())
PHONE_OF = {sign: phone for phone, sign in SIGN_OF.items()}


class Span(NamedTuple):
    piece: int
    begin: float
    end: float
    frames: int


class Frames(NamedTuple):
    # Frames × (steps · features).
    patches: np.ndarray
    # Frames of each piece of the text.
    counts: list[int]


def frames_of(reading: Reading, pieces: list[str]) -> Frames | None:
    """None where what was read is not what the pieces say."""
    spans = spans_of(reading.phones, pieces)
    if spans is None:
        return None
    features = features_of(reading.samples)
    # Step j is heard around j + 1.
    times = (np.arange(len(features)) + 1) / PITCH_HZ
    made = []
    counts = [0] * len(pieces)
    for span in spans:
        steps = STEPS_PER_FRAME * span.frames
        at = span.begin + (np.arange(steps) + 0.5) / steps * (span.end - span.begin)
        at = np.clip(at, times[0], times[-1])
        made.append(np.stack([np.interp(at, times, features[:, column]) for column in range(FEATURES)], 1))
        counts[span.piece] += span.frames
    return Frames(np.concatenate(made).reshape(-1, STEPS_PER_FRAME * FEATURES), counts)


def spans_of(phones: list[tuple[str, float]], pieces: list[str]) -> list[Span] | None:
    spoken = [piece for piece, text in enumerate(pieces) if text[-1] in PHONE_OF]
    said = [index for index, (phone, _) in enumerate(phones) if phone != "pau"]
    owners = dict(zip(said, aligned([phones[i][0] for i in said], [PHONE_OF[pieces[piece][-1]] for piece in spoken])))
    if not said or any(owner is None for owner in owners.values()):
        return None
    begins = [0.0, *(end for _, end in phones)]
    first, last = said[0], said[-1]
    spans = [Span(0, begins[first] - FRAME_SECONDS, begins[first], 1)]
    for index in range(first, last + 1):
        phone, end = phones[index]
        begin = begins[index]
        frames = max(1, round((end - begin) / FRAME_SECONDS))
        if phone != "pau":
            piece = spoken[owners[index]]
        else:
            following = piece + 1
            piece = following if following < len(pieces) and pieces[following] in MARKS else piece
            frames = min(frames, MOST_PAUSE_FRAMES)
        spans.append(Span(piece, begin, end, frames))
    begin = begins[last + 1]
    return [*spans, Span(len(pieces) - 1, begin, begin + LAST_FRAMES * FRAME_SECONDS, LAST_FRAMES)]


def aligned(said: list[str], written: list[str]) -> list[int | None]:
    """For each sound that was said its place in what is written, in order; None where hardly anything fits."""
    costs = np.zeros((len(said) + 1, len(written) + 1))
    costs[:, 0], costs[0, :] = np.arange(len(said) + 1), np.arange(len(written) + 1)
    for i, heard in enumerate(said):
        for j, meant in enumerate(written):
            other = 0 if heard == meant else 0.6 if (heard in VOWELS) == (meant in VOWELS) else 1.5
            costs[i + 1, j + 1] = min(costs[i, j] + other, costs[i, j + 1] + 1, costs[i + 1, j] + 1)
    if not written or costs[-1, -1] > 0.2 * len(written) + 1:
        return [None] * len(said)
    places: list[int | None] = [None] * len(said)
    i, j = len(said), len(written)
    while i > 0:
        heard, meant = said[i - 1], written[max(0, j - 1)]
        other = 0 if heard == meant else 0.6 if (heard in VOWELS) == (meant in VOWELS) else 1.5
        if j > 0 and costs[i, j] == costs[i - 1, j - 1] + other:
            i, j = i - 1, j - 1
            places[i] = j
        elif j > 0 and costs[i, j] == costs[i, j - 1] + 1:
            j -= 1
        else:
            i -= 1
            places[i] = max(0, j - 1)
    return places
