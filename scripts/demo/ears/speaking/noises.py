"""Sounds that are no speech, for the evaluation. Nothing like the drums, wind, sirens, rain and bells is in the training."""

from typing import Callable, Iterator

import numpy as np

from features import RATE


def coloured(chance: np.random.Generator, length: int, fall: float) -> np.ndarray:
    """Noise whose power falls with the frequency to the power of `fall`."""
    spectrum = np.fft.rfft(chance.normal(size=length))
    lowest = 20 * length / RATE
    return np.fft.irfft(spectrum / np.maximum(np.arange(len(spectrum)), lowest) ** (fall / 2), length)


def seconds(length: int) -> np.ndarray:
    return np.arange(length) / RATE


def hum(chance: np.random.Generator, length: int) -> np.ndarray:
    mains = chance.choice([50, 60])
    return sum(np.sin(2 * np.pi * mains * part * seconds(length) + chance.uniform(0, 6)) * chance.random() / part for part in range(1, 12))


def tone(chance: np.random.Generator, length: int) -> np.ndarray:
    return np.sin(2 * np.pi * chance.uniform(80, 4000) * seconds(length))


def note(pitch: float, length: int, fall: float) -> np.ndarray:
    return sum(np.sin(2 * np.pi * pitch * part * seconds(length)) / part**fall for part in range(1, 6))


def chord(chance: np.random.Generator, length: int) -> np.ndarray:
    lowest = chance.uniform(110, 440)
    return sum(note(lowest * step, length, 1.5) for step in chance.choice([1, 1.2, 1.25, 1.333, 1.5, 2], 3))


def one_after_the_other(chance: np.random.Generator, length: int, draw: Callable[[int], np.ndarray], shortest: float, longest: float) -> np.ndarray:
    sound, at = np.zeros(length), 0
    while at < length:
        part = min(length - at, round(RATE * chance.uniform(shortest, longest)))
        sound[at : at + part] = draw(part)
        at += part
    return sound


def chords(chance: np.random.Generator, length: int) -> np.ndarray:
    fall = chance.uniform(0, 2)
    return one_after_the_other(chance, length, lambda part: chord(chance, part) * np.exp(-fall * seconds(part)), 0.4, 1.5)


def melody(chance: np.random.Generator, length: int) -> np.ndarray:
    lowest, fall, timbre = chance.uniform(200, 500), chance.uniform(0, 6), chance.uniform(1, 2)

    def draw(part: int) -> np.ndarray:
        pitch = lowest * 2 ** (chance.choice([0, 2, 4, 5, 7, 9, 11, 12]) / 12)
        swell = np.minimum(1, 200 * np.minimum(seconds(part), seconds(part)[::-1]))
        return note(pitch, part, timbre) * np.exp(-fall * seconds(part)) * swell

    return one_after_the_other(chance, length, draw, 0.15, 0.5)


def clicks(chance: np.random.Generator, length: int) -> np.ndarray:
    sound = 0.003 * chance.normal(size=length)
    for at in chance.integers(0, length - 80, round(length / RATE * chance.uniform(1, 8))):
        sound[at : at + 80] += chance.normal(size=80) * np.exp(-np.arange(80) / 10)
    return sound


def drums(chance: np.random.Generator, length: int) -> np.ndarray:
    sound, size = np.zeros(length), RATE // 4
    for beat, at in enumerate(range(0, length - size, round(RATE * chance.uniform(0.2, 0.6)))):
        low = np.sin(2 * np.pi * 60 * seconds(size)) * np.exp(-20 * seconds(size))
        sound[at : at + size] += low if beat % 2 == 0 else 0.5 * chance.normal(size=size) * np.exp(-40 * seconds(size))
    return sound


def wind(chance: np.random.Generator, length: int) -> np.ndarray:
    gusts = coloured(chance, length, 2.5)[::1600]
    swell = 10 ** np.interp(np.arange(length), 1600 * np.arange(len(gusts)), gusts / np.abs(gusts).max())
    return coloured(chance, length, 2) * swell


def siren(chance: np.random.Generator, length: int) -> np.ndarray:
    pitch, octaves = chance.uniform(300, 900), chance.uniform(0.3, 1.5)
    swing = 0.5 + 0.5 * np.sin(2 * np.pi * chance.uniform(0.2, 2) * seconds(length))
    phase = 2 * np.pi * np.cumsum(pitch * 2 ** (octaves * swing)) / RATE
    return sum(np.sin(part * phase) / part**2 for part in range(1, 4))


def rain(chance: np.random.Generator, length: int) -> np.ndarray:
    sound, drop = 0.01 * coloured(chance, length, -0.5), 160
    for at in chance.integers(0, length - drop, round(length / RATE * chance.uniform(50, 400))):
        ring = np.sin(2 * np.pi * chance.uniform(1000, 6000) * seconds(drop))
        sound[at : at + drop] += ring * np.exp(-np.arange(drop) / 30) * chance.exponential()
    return sound


def bells(chance: np.random.Generator, length: int) -> np.ndarray:
    """Partials that are no multiples of each other, as a bell's."""
    sound = np.zeros(length)
    for at in np.sort(chance.integers(0, length - RATE, chance.integers(2, 8))):
        rest, pitch = seconds(length - at), chance.uniform(200, 1200)
        sound[at:] += sum(np.sin(2 * np.pi * pitch * part * rest) * np.exp(-part * rest) for part in (0.5, 1, 1.2, 1.5, 2, 2.7, 3.8))
    return sound


NOISES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    **{name: lambda chance, length, fall=fall: coloured(chance, length, fall)
       for name, fall in (("white", 0), ("pink", 1), ("brown", 2), ("blue", -1))},
    "hum": hum, "tone": tone, "chord": chord, "chords": chords, "melody": melody, "clicks": clicks, "drums": drums, "wind": wind,
    "siren": siren, "rain": rain, "bells": bells,
}


def draw_noises(chance: np.random.Generator, of_each: int) -> Iterator[tuple[str, np.ndarray]]:
    """Clips of 2 to 8 s of each kind with its name, from 1 to 46 dB below full scale."""
    for name, draw in NOISES.items():
        for _ in range(of_each):
            sound = draw(chance, round(RATE * chance.uniform(2, 8)))
            yield name, (sound / np.abs(sound).max() * 10 ** (-chance.uniform(1, 46) / 20)).astype(np.float32)
