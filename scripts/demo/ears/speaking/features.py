"""Whisper's features as whisper.cpp computes them: powers in 80 mel bands, 100 frames per second of 16 kHz audio."""

import numpy as np

RATE = 16_000
HOP = 160
WINDOW = 400
BANDS = 80
# log10 of the least power that is told from nothing.
FLOOR = -10.0
# Features are kept in bytes: steps of 1/16 of a decade above the floor.
STEPS = 16


def mel_filters() -> np.ndarray:
    """Triangles of equal area on Slaney's mel scale, linear up to 1 kHz: bands × frequencies."""
    linear, step = 200 / 3, np.log(6.4) / 27
    mels = np.linspace(0, 15 + np.log(8) / step, BANDS + 2)
    edges = np.where(mels < 15, mels * linear, 1000 * np.exp(step * (mels - 15)))
    frequencies = np.linspace(0, RATE / 2, WINDOW // 2 + 1)
    ramps = edges[:, None] - frequencies
    widths = np.diff(edges)[:, None]
    rising, falling = -ramps[:-2] / widths[:-1], ramps[2:] / widths[1:]
    triangles = np.maximum(0, np.minimum(rising, falling))
    return (triangles * (2 / (edges[2:] - edges[:-2]))[:, None]).astype(np.float32)


FILTERS = mel_filters()
HANN = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)).astype(np.float32)


def log_mel(samples: np.ndarray) -> np.ndarray:
    """log10 of the powers, frames × bands; a frame is centred on every 160th sample."""
    padded = np.concatenate([samples[1 : WINDOW // 2 + 1][::-1], samples, np.zeros(WINDOW // 2, np.float32)])
    frames = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP]
    spectrum = np.fft.rfft(frames * HANN, axis=1)
    powers = (spectrum.real**2 + spectrum.imag**2).astype(np.float32)
    return np.log10(np.maximum(powers @ FILTERS.T, 10**FLOOR))


def to_bytes(features: np.ndarray) -> np.ndarray:
    return np.clip(np.round((features - FLOOR) * STEPS), 0, 255).astype(np.uint8)


def from_bytes(stored: np.ndarray) -> np.ndarray:
    return stored.astype(np.float32) / STEPS + FLOOR


def normalise(features: np.ndarray) -> np.ndarray:
    """What the model sees: 8 decades below the loudest, around 0."""
    return (np.maximum(features, features.max() - 8) + 4) / 4
