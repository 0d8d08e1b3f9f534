"""What is learned when: easy sentences with hints at first, all that happens to speech in the end."""

from typing import NamedTuple


class Lesson(NamedTuple):
    # Weight of the phones, which teach the encoder faster than the words do.
    phones: float
    # Weight of the guessed places of the phones.
    guess: float
    # Share of what is changed: throats, tempo, rooms, noise.
    harm: float
    # Share of windows of many sentences.
    long: float


def lesson_at(progress: float) -> Lesson:
    """progress: share of the training that is done."""
    return Lesson(
        phones=1 + 3 * max(0.0, 1 - progress / 0.3),
        guess=3 * max(0.0, 1 - progress / 0.05),
        harm=0.3 + 0.3 * min(1.0, max(0.0, (progress - 0.2) / 0.3)),
        long=0.15 * min(1.0, max(0.0, (progress - 0.25) / 0.2)),
    )
