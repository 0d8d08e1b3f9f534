"""Windows of 30 s, or their beginning: sentences with pauses between them."""

from typing import NamedTuple

import numpy as np

from clips import Clips
from features import BANDS, FLOOR
from lessons import lesson_at
from shape import POSITIONS
from world import mix, reshape, stretch, warp

FRAMES = 2 * POSITIONS
# Frames around the speech in a clip (synthesise.py).
MARGIN = 5
SILENT_SHARE = 0.06
# Of sounds that are no speech, and of speech among such.
NOISE_SHARE = 0.18
NOISY_SHARE = 0.2
# Of the sounds that are no speech: speech out of which nobody hears words.
TORN_SHARE = 0.2


class Window(NamedTuple):
    """features: frames × bands of a part of the window; said: start and end (frames), and the text of each sentence."""

    features: np.ndarray
    said: list[tuple[int, int, str]]
    # The frame at which a sentence starts that does not end in the window.
    cut_at: int | None


class Windows:
    def __init__(self, clips: Clips, random: np.random.Generator):
        self.clips = clips
        self.random = random
        self.lesson = lesson_at(0)

    def draw(self) -> Window:
        random = self.random
        if random.random() < SILENT_SHARE:
            return Window(silence(2 * random.integers(20, 300)), [], None)
        return self.without_speech() if random.random() < NOISE_SHARE else self.with_speech()

    def without_speech(self) -> Window:
        random = self.random
        frames = 2 * random.integers(30, 1500 if random.random() < 0.03 else 420)
        loudness = -random.uniform(0, 4.6)
        sound = self.torn(frames) if random.random() < TORN_SHARE else self.noise(frames, loudness)
        sound = warp(sound, random)
        return Window(np.maximum(sound + (loudness - sound.max()), FLOOR), [], None)

    def with_speech(self) -> Window:
        random = self.random
        is_long = random.random() < self.lesson.long
        sentences = random.integers(3, 14) if is_long else random.choice([1, 2, 3], p=[0.6, 0.28, 0.12])
        parts = [silence(random.integers(0, 40))]
        at, said, cut_at = len(parts[0]), [], None
        for _ in range(sentences):
            features, text = self.clip()
            start, end = at + MARGIN, at + len(features) - MARGIN
            if start > FRAMES - 20:
                break
            parts.append(features)
            if end > FRAMES:
                cut_at = start
                break
            said.append((start, end, text))
            pause = silence(random.integers(5, 120 if random.random() < 0.3 else 50))
            parts.append(pause)
            at += len(features) + len(pause)
        features = np.concatenate(parts)[:FRAMES]
        if random.random() < NOISY_SHARE:
            features = mix(features, self.noise(len(features), features.max() - random.uniform(0.7, 4.5)))
        return Window(features, said, cut_at)

    def noise(self, frames: int, loudness: float) -> np.ndarray:
        """Sounds that are no speech, of which the loudest is so loud (log10 of its power)."""
        sound = np.resize(self.clips.draw_noise(self.random), (frames, BANDS))
        return np.maximum(sound + (loudness - sound.max()), FLOOR)

    def torn(self, frames: int) -> np.ndarray:
        """The spectra of speech in any order, or drawn out to 5 to 20 times their length."""
        random = self.random
        features, _ = self.clip()
        if random.random() < 0.5:
            return features[random.integers(0, len(features), frames).repeat(random.integers(1, 9))[:frames]]
        count = max(2, round(frames / random.uniform(5, 20)))
        start = random.integers(0, max(1, len(features) - count))
        drawn_out = features[start : start + count]
        at = np.linspace(0, len(drawn_out) - 1, frames)
        below = np.minimum(at.astype(int), len(drawn_out) - 2)
        share = (at - below)[:, None]
        return (drawn_out[below] * (1 - share) + drawn_out[below + 1] * share).astype(np.float32)

    def clip(self) -> tuple[np.ndarray, str]:
        features, text = self.clips.draw(self.random)
        if self.random.random() < self.lesson.harm:
            features = reshape(stretch(warp(features, self.random), self.random), self.random)
        return np.maximum(features + self.random.uniform(-1, 1), FLOOR), text


def silence(frames: int) -> np.ndarray:
    return np.full((frames, BANDS), FLOOR, np.float32)
