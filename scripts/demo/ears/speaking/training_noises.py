"""Sounds that are no speech to train on. The evaluation's (noises.py) are other ones, and some of kinds that are not here."""

import json
from pathlib import Path

import numpy as np

from features import RATE, log_mel, to_bytes
from noises import coloured, one_after_the_other, seconds


def steady(chance: np.random.Generator, length: int) -> np.ndarray:
    """Noise of any colour, at times of some octaves only, at times swelling."""
    sound = coloured(chance, length, chance.uniform(-1.5, 2.5))
    if chance.random() < 0.3:
        spectrum, low = np.fft.rfft(sound), chance.uniform(50, 3000)
        frequencies = np.fft.rfftfreq(length, 1 / RATE)
        sound = np.fft.irfft(spectrum * (frequencies > low) * (frequencies < low * chance.uniform(1.2, 6)), length)
    depth = chance.random() if chance.random() < 0.4 else 0
    return sound * (1 + depth * np.sin(2 * np.pi * chance.uniform(0.2, 6) * seconds(length)))


def harmonics(chance: np.random.Generator, length: int) -> np.ndarray:
    """A hum, a buzz or a single tone, at times going on and off."""
    pitch = 40 * 2 ** chance.uniform(0, 7)
    count = chance.integers(1, 16)
    parts = pitch * np.arange(1, count + 1)
    loud = chance.random(count) / np.arange(1, count + 1) ** chance.uniform(0, 1.5)
    sound = sum(size * np.sin(2 * np.pi * part * seconds(length) + chance.uniform(0, 6)) for part, size in zip(parts, loud) if part < RATE / 2)
    if chance.random() < 0.3:
        sound = sound * (np.sin(2 * np.pi * chance.uniform(0.5, 6) * seconds(length)) > chance.uniform(-0.7, 0.7))
    return sound


def music(chance: np.random.Generator, length: int) -> np.ndarray:
    """One to three players of single notes or chords."""
    return sum(player(chance, length) * chance.uniform(0.3, 1) for _ in range(chance.integers(1, 4)))


def player(chance: np.random.Generator, length: int) -> np.ndarray:
    lowest, octaves, timbre = 80 * 2 ** chance.uniform(0, 4), chance.uniform(0.5, 2), chance.uniform(0.3, 2.5)
    fall, attack = chance.choice([0, chance.uniform(0, 8)]), chance.uniform(0.001, 0.1)
    trill, depth = chance.uniform(3, 8), chance.choice([0, chance.uniform(0, 0.15)])
    most, shortest = chance.choice([1, 1, 2, 3, 4]), chance.uniform(0.08, 0.8)
    parts = np.arange(1, chance.integers(2, 9))

    def draw(size: int) -> np.ndarray:
        if chance.random() < 0.1:
            return np.zeros(size)
        at = seconds(size)
        swell = np.minimum(1, np.minimum(at, at[::-1]) / attack) * np.exp(-fall * at)
        waver = depth * np.sin(2 * np.pi * trill * at)
        sound = np.zeros(size)
        for _ in range(most):
            pitch = lowest * 2 ** (round(12 * chance.uniform(0, octaves)) / 12)
            phase = 2 * np.pi * pitch * at + waver
            sound += sum(np.sin(part * phase) / part**timbre for part in parts if part * pitch < RATE / 2)
        return sound * swell

    return one_after_the_other(chance, length, draw, shortest, shortest * chance.uniform(1, 3))


def knocks(chance: np.random.Generator, length: int) -> np.ndarray:
    """Short sounds now and then, over faint noise or none."""
    sound = chance.choice([0, chance.uniform(0, 0.02)]) * chance.normal(size=length)
    decay, size = chance.uniform(4, 400), 2400
    for at in chance.integers(0, length - size, max(1, round(length / RATE * chance.uniform(0.5, 15)))):
        sound[at : at + size] += chance.normal(size=size) * np.exp(-np.arange(size) / decay) * chance.uniform(0.2, 1)
    return sound


def unsteady(chance: np.random.Generator, length: int) -> np.ndarray:
    """Noise of some octaves each, each of which swells and fades on its own, fast or slowly."""
    sound, frequencies = np.zeros(length), np.fft.rfftfreq(length, 1 / RATE)
    for _ in range(chance.integers(1, 7)):
        low = 50 * 2 ** chance.uniform(0, 7)
        band = (frequencies > low) * (frequencies < low * 2 ** chance.uniform(0.1, 3))
        turns = max(2, round(length / RATE * 2 ** chance.uniform(-1, 4)))
        loudness = np.interp(np.linspace(0, turns - 1, length), np.arange(turns), chance.uniform(-chance.uniform(0.3, 3), 0, turns))
        sound += np.fft.irfft(np.fft.rfft(chance.normal(size=length)) * band, length) * 10 ** (loudness - chance.random())
    return sound


def mixture(chance: np.random.Generator, length: int) -> np.ndarray:
    pair = [SOUNDS[chance.integers(5)](chance, length) for _ in range(2)]
    return sum(sound / (np.abs(sound).max() + 1e-9) * 10 ** -chance.uniform(0, 1.5) for sound in pair)


SOUNDS = [steady, harmonics, music, knocks, unsteady, music, mixture]


def write_noises(count: int, folder: Path) -> None:
    """noises.u8 (frames × 80 bands) and noises.json: clips of 1.5 to 8 s at full scale, without texts."""
    chance, features, clips, frames = np.random.default_rng(1_000_003), [], [], 0
    for index in range(count):
        sound = SOUNDS[index % len(SOUNDS)](chance, round(RATE * chance.uniform(1.5, 8)))
        heard = to_bytes(log_mel((sound / (np.abs(sound).max() + 1e-9)).astype(np.float32)))
        clips.append({"start": frames, "frames": len(heard)})
        frames += len(heard)
        features.append(heard)
    np.concatenate(features).tofile(folder / "noises.u8")
    (folder / "noises.json").write_text(json.dumps(clips))
