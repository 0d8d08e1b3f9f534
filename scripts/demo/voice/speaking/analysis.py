"""What is said in each step of 5 ms, as the decoder says it again: how loud 32 bands are, and what of it is voiced."""

import numpy as np

from reader import PITCH_HZ, RATE

BANDS = 32
# Of the voiced share: what is below the limit, and what is above.
PARTS = 2
PART_LIMIT_HZ = 2500
FEATURES = BANDS + 2 * PARTS
STEP = RATE // PITCH_HZ
STEPS_PER_FRAME = 16
WINDOW = 3 * STEP
SPECTRUM = 512
HIGHEST_HZ = RATE / 2
# Powers below these are told from nothing no more.
LEAST_POWER = 1e-4
LEAST_SHARE = 0.004

HANN = 0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(WINDOW) + 0.5) / WINDOW)
# Of a harmonic of amplitude 1 after its power was spread over the distance to the next one.
HARMONIC_POWER = (HANN**2).sum() * RATE / PITCH_HZ / 4
NOISE_POWER = (HANN**2).sum()


def mel(hz):
    return 1127 * np.log1p(np.asarray(hz) / 700)


def hz_of(mels):
    return 700 * np.expm1(np.asarray(mels) / 1127)


EDGES_HZ = hz_of(np.linspace(mel(60), mel(HIGHEST_HZ), BANDS + 2))
CENTRES_HZ = EDGES_HZ[1:-1]


def band_weights() -> np.ndarray:
    """Triangles of sum 1: bands × frequencies."""
    frequencies = np.arange(SPECTRUM // 2 + 1) * RATE / SPECTRUM
    rising = (frequencies - EDGES_HZ[:-2, None]) / np.diff(EDGES_HZ)[:-1, None]
    falling = (EDGES_HZ[2:, None] - frequencies) / np.diff(EDGES_HZ)[1:, None]
    triangles = np.maximum(0, np.minimum(rising, falling))
    nearest = np.abs(frequencies - CENTRES_HZ[:, None]).argmin(1)
    triangles[np.arange(BANDS), nearest] += 1e-3
    return triangles / triangles.sum(1, keepdims=True)


WEIGHTS = band_weights()


def features_of(samples: np.ndarray) -> np.ndarray:
    """Steps × features: half the logarithms of the bands' powers, of the voiced shares and of the unvoiced ones."""
    steps = len(samples) // STEP // STEPS_PER_FRAME * STEPS_PER_FRAME
    # Step j is heard between j and j + 2 steps: its window stands around j + 1.
    padded = np.pad(samples.astype(np.float64), (WINDOW // 2, 6 * STEP))
    starts = STEP * (1 + np.arange(steps))
    windows = padded[starts[:, None] + np.arange(WINDOW)]
    powers = np.abs(np.fft.rfft(windows * HANN, SPECTRUM)) ** 2
    bands = smoothed(powers) @ WEIGHTS.T
    voiced = voiced_shares(samples, steps)
    shares = np.concatenate([voiced, 1 - voiced], 1)
    return 0.5 * np.log(np.concatenate([bands + LEAST_POWER, shares + LEAST_SHARE], 1)).astype(np.float32)


def smoothed(powers: np.ndarray) -> np.ndarray:
    """Powers spread over the distance of two harmonics, so that none of them is seen."""
    width = PITCH_HZ * SPECTRUM / RATE
    whole = int(width - 1) // 2
    kernel = np.ones(2 * whole + 3)
    kernel[[0, -1]] = (width - 2 * whole - 1) / 2
    kernel /= kernel.sum()
    mirrored = np.pad(powers, ((0, 0), (whole + 1, whole + 1)), "reflect")
    return sum(weight * mirrored[:, i : i + powers.shape[1]] for i, weight in enumerate(kernel))


def voiced_shares(samples: np.ndarray, steps: int) -> np.ndarray:
    """Steps × parts: how alike a period and the next one are, 0 to 1."""
    shares = []
    for part in in_parts(samples):
        padded = np.pad(part, (2 * STEP, 6 * STEP))
        starts = STEP * (1 + np.arange(steps))
        span = 3 * STEP
        here = padded[starts[:, None] + np.arange(span)]
        next_one = padded[starts[:, None] + STEP + np.arange(span)]
        both = np.sqrt((here**2).sum(1) * (next_one**2).sum(1)) + 1e-6
        shares.append((here * next_one).sum(1) / both)
    return np.clip(np.stack(shares, 1) * 1.1 - 0.1, 0, 1)


def in_parts(samples: np.ndarray) -> list[np.ndarray]:
    spectrum = np.fft.rfft(samples)
    frequencies = np.arange(len(spectrum)) * RATE / len(samples)
    low = frequencies < PART_LIMIT_HZ
    return [np.fft.irfft(spectrum * chosen, len(samples)) for chosen in (low & (frequencies > 100), ~low)]
