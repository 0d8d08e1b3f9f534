"""Sound from features, as the decoder makes it: harmonics of one note, and noises that come again after a frame."""

import numpy as np

from analysis import BANDS, CENTRES_HZ, EDGES_HZ, HARMONIC_POWER, HIGHEST_HZ, NOISE_POWER, PART_LIMIT_HZ, PARTS, STEPS_PER_FRAME
from reader import PITCH_HZ

OUT_RATE = 24_000
OUT_STEP = OUT_RATE // PITCH_HZ
# A step is heard while the next one begins.
KERNEL = 2 * OUT_STEP
HARMONICS_HZ = np.arange(PITCH_HZ, HIGHEST_HZ, PITCH_HZ)
NOISES = 16
FADE = 0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(KERNEL) + 0.5) / KERNEL)
VOICED, UNVOICED = BANDS, BANDS + PARTS


def part_of(hz: np.ndarray) -> np.ndarray:
    return (hz >= PART_LIMIT_HZ).astype(int)


def interpolation(hz: np.ndarray) -> np.ndarray:
    """Weights of the bands' logarithms at each frequency: frequencies × bands."""
    rows = np.zeros((len(hz), BANDS))
    for row, at in zip(rows, hz):
        above = int(np.clip(np.searchsorted(CENTRES_HZ, at), 1, BANDS - 1))
        share = np.clip((at - CENTRES_HZ[above - 1]) / (CENTRES_HZ[above] - CENTRES_HZ[above - 1]), 0, 1)
        row[above - 1], row[above] = 1 - share, share
    return rows


def amplitude_matrix() -> tuple[np.ndarray, np.ndarray]:
    """(harmonics + noises) × features, and what is added: the logarithms of the amplitudes from the features."""
    edges = np.linspace(0, BANDS, NOISES + 1).astype(int)
    low, high = EDGES_HZ[edges[:-1] + 0], EDGES_HZ[edges[1:] + 1]
    noise_hz = np.sqrt(low * high)
    matrix = np.zeros((len(HARMONICS_HZ) + NOISES, BANDS + 2 * PARTS))
    matrix[: len(HARMONICS_HZ), :BANDS] = interpolation(HARMONICS_HZ)
    matrix[len(HARMONICS_HZ) :, :BANDS] = interpolation(noise_hz)
    matrix[np.arange(len(HARMONICS_HZ)), VOICED + part_of(HARMONICS_HZ)] = 1
    matrix[len(HARMONICS_HZ) + np.arange(NOISES), UNVOICED + part_of(noise_hz)] = 1
    added = np.empty(len(matrix))
    added[: len(HARMONICS_HZ)] = -0.5 * np.log(HARMONIC_POWER)
    added[len(HARMONICS_HZ) :] = 0.5 * np.log((high - low) / HIGHEST_HZ / NOISE_POWER)
    return matrix, added


def harmonic_kernels() -> np.ndarray:
    """Harmonics × samples. Their phases are spread, so that no period is one high peak."""
    turns = np.arange(len(HARMONICS_HZ)) ** 2 / (2 * len(HARMONICS_HZ)) * 0.5
    times = np.arange(KERNEL) / OUT_RATE
    return FADE * np.cos(2 * np.pi * (HARMONICS_HZ[:, None] * times + turns[:, None]))


def noise_kernels() -> np.ndarray:
    """Steps of a frame × noises × samples."""
    chance = np.random.default_rng(7)
    edges = np.linspace(0, BANDS, NOISES + 1).astype(int)
    low, high = EDGES_HZ[edges[:-1] + 0], EDGES_HZ[edges[1:] + 1]
    frequencies = np.fft.rfftfreq(KERNEL, 1 / OUT_RATE)
    kernels = np.empty((STEPS_PER_FRAME, NOISES, KERNEL))
    for step in range(STEPS_PER_FRAME):
        spectrum = np.fft.rfft(chance.standard_normal(KERNEL))
        for noise in range(NOISES):
            # Narrow bands have few frequencies: neighbours fade into each other.
            inside = np.clip((frequencies - low[noise]) / 100 + 0.5, 0, 1) * np.clip((high[noise] - frequencies) / 100 + 0.5, 0, 1)
            made = np.fft.irfft(spectrum * inside, KERNEL)
            kernels[step, noise] = FADE * made / (made.std() + 1e-9)
    return kernels


def sound_of(features: np.ndarray) -> np.ndarray:
    """Features of steps as samples at 24 kHz."""
    matrix, added = amplitude_matrix()
    amplitudes = np.exp(features @ matrix.T + added)
    harmonics, noises = harmonic_kernels(), noise_kernels()
    made = np.zeros(OUT_STEP * len(features) + KERNEL)
    for step, row in enumerate(amplitudes):
        piece = row[: len(harmonics)] @ harmonics + row[len(harmonics) :] @ noises[step % STEPS_PER_FRAME]
        made[OUT_STEP * step :][:KERNEL] += piece
    return made[: OUT_STEP * len(features)]
