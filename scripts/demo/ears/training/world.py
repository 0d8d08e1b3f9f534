"""What happens to speech on its way, done to its features: other throats and tempos, rooms, microphones, noise."""

import numpy as np

from features import BANDS, FLOOR

WARPS = np.linspace(0.86, 1.16, 21)


def warp_matrix(factor: float) -> np.ndarray:
    """Moves all bands up or down, as a shorter or longer throat does: bands × bands."""
    at = np.clip(np.arange(BANDS) * factor, 0, BANDS - 1)
    below = np.floor(at).astype(int)
    share = at - below
    matrix = np.zeros((BANDS, BANDS), np.float32)
    matrix[below, np.arange(BANDS)] += 1 - share
    matrix[np.minimum(below + 1, BANDS - 1), np.arange(BANDS)] += share
    return matrix


MATRICES = [warp_matrix(factor) for factor in WARPS]


def warp(features: np.ndarray, random: np.random.Generator) -> np.ndarray:
    return features @ MATRICES[random.integers(len(MATRICES))]


def stretch(features: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Slower or faster speech of the same pitch."""
    length = max(20, round(len(features) * random.uniform(0.75, 1.25)))
    at = np.linspace(0, len(features) - 1, length, dtype=np.float32)
    below = np.minimum(at.astype(int), len(features) - 2)
    share = (at - below)[:, None]
    return features[below] * (1 - share) + features[below + 1] * share


def spoil(features: np.ndarray, lengths: list[int], harm: float, random: np.random.Generator) -> None:
    """Rooms, microphones and noise for each window of a batch (windows × frames × bands), in place."""
    for window, length in zip(features, lengths):
        heard = window[:length]
        is_empty = heard.max() <= FLOOR
        if not is_empty and random.random() > harm:
            continue
        level = -2.0 if is_empty else heard.max() - 1
        if not is_empty:
            if random.random() < 0.3:
                heard[:] = reverberate(heard, random)
            if random.random() < 0.6:
                heard += curve(random, 0.6)
            if random.random() < 0.1:
                heard[:, random.integers(50, 66) :] -= 6
        if random.random() < (0.85 if is_empty else 0.65):
            heard[:] = mix(heard, noise(len(heard), level, random))
        if not is_empty and random.random() < 0.4:
            mask(heard, random)
        np.maximum(heard, FLOOR, out=heard)


LOG2 = np.float32(np.log2(10))


def mix(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.logaddexp2(one * LOG2, other * LOG2) / LOG2


def curve(random: np.random.Generator, size: float) -> np.ndarray:
    """A smooth curve over the bands, of about this size."""
    bands = np.linspace(0, np.pi, BANDS, dtype=np.float32)
    return sum(random.normal(0, size / (wave + 1)) * np.cos(wave * bands) for wave in range(1, 4)).astype(np.float32)


def noise(length: int, speech: float, random: np.random.Generator) -> np.ndarray:
    """Steady noise, 3 to 45 dB below the speech, with the unrest of a single frame's power."""
    level = speech - random.uniform(0.3, 4.5)
    unrest = random.gamma(2.0, 0.5, (length, BANDS)).astype(np.float32)
    swell = 0.3 * np.sin(np.arange(length) * random.uniform(0.005, 0.1) + random.uniform(0, 6)) * random.random()
    return level + curve(random, 1.2) + np.log10(unrest + 1e-4) + swell.astype(np.float32)[:, None]


def reverberate(features: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The sound of a room that falls by 60 dB in 0.15 to 0.7 s."""
    seconds, share = random.uniform(0.15, 0.7), 10 ** random.uniform(-1.5, -0.3)
    decay = 10 ** (-6 / (100 * seconds))
    powers = 10**features
    tail = np.zeros_like(powers)
    for frame in range(1, len(powers)):
        tail[frame] = decay * (tail[frame - 1] + (1 - decay) * powers[frame - 1])
    return np.log10(powers + share * tail + 1e-10)


def mask(features: np.ndarray, random: np.random.Generator) -> None:
    """A few bands and frames are not heard."""
    band, frame = random.integers(0, BANDS - 8), random.integers(0, max(1, len(features) - 6))
    features[:, band : band + random.integers(1, 8)] = FLOOR
    features[frame : frame + random.integers(1, 6)] = FLOOR
