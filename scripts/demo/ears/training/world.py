"""What happens to speech on its way, done to its features: other throats and tempos, rooms, microphones, noise."""

import numpy as np

from features import BANDS, FLOOR

# How far the lowest and the highest bands are moved: 0.86 is down, 1.16 up.
WARPS = [(low, low + turn) for low in np.linspace(0.86, 1.16, 13) for turn in np.linspace(-0.12, 0.12, 9)]


def warp_matrix(lowest: float, highest: float) -> np.ndarray:
    """Moves all bands up or down, as a shorter or longer throat does, and some more than others: bands × bands."""
    at = np.clip(np.arange(BANDS) * np.linspace(lowest, highest, BANDS), 0, BANDS - 1)
    below = np.floor(at).astype(int)
    share = at - below
    matrix = np.zeros((BANDS, BANDS), np.float32)
    matrix[below, np.arange(BANDS)] += 1 - share
    matrix[np.minimum(below + 1, BANDS - 1), np.arange(BANDS)] += share
    return matrix


MATRICES = [warp_matrix(*warps) for warps in WARPS]


def warp(features: np.ndarray, random: np.random.Generator) -> np.ndarray:
    return features @ MATRICES[random.integers(len(MATRICES))]


def stretch(features: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Slower or faster speech of the same pitch, which also hurries and lingers."""
    knots = random.uniform(0.7, 1.4, 2 + len(features) // 30) * random.uniform(0.8, 1.2)
    speeds = np.interp(np.linspace(0, len(knots) - 1, max(20, len(features))), np.arange(len(knots)), knots)
    ends = np.cumsum(1 / speeds)
    at = np.interp(np.linspace(ends[0], ends[-1], max(20, round(ends[-1]))), ends, np.linspace(0, len(features) - 1, len(ends)))
    at = at.astype(np.float32)
    below = np.minimum(at.astype(int), len(features) - 2)
    share = (at - below)[:, None]
    return features[below] * (1 - share) + features[below + 1] * share


SMOOTH = sum(np.eye(BANDS, k=k, dtype=np.float32) * (4 - abs(k)) for k in range(-3, 4))
SMOOTH /= SMOOTH.sum(0)


def reshape(features: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Flatter or sharper formants, and more or less of the voice's single tones, which low bands tell apart."""
    smooth = features @ SMOOTH
    level = smooth.mean(1, keepdims=True)
    sharpness, tones = np.float32(random.uniform(0.75, 1.3)), np.float32(random.uniform(0, 1.5))
    return np.maximum(level + sharpness * (smooth - level) + tones * (features - smooth), FLOOR)


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
