"""Has sentences that nobody read in the training read by voices that are not heard in it, and makes sounds that are no
speech: WAV files, and list.json."""

import argparse
import json
import random
import subprocess
import sys
import wave
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "corpus"))

from features import RATE  # noqa: E402
from grammar import Grammar  # noqa: E402
from noises import draw_noises  # noqa: E402
from synthesise import is_held_out  # noqa: E402
from voices import draw_voice, speak_all  # noqa: E402

NOISES_OF_EACH = 17
# Groups whose sentences are written, not drawn.
WRITTEN = {"other wording": "other-wording.txt", "children's books": "childrens-books.txt"}


def main() -> None:
    options = parse_options()
    options.out.mkdir(parents=True, exist_ok=True)
    grammar, chance = Grammar(), random.Random(options.seed)
    described = []
    for group, (new_voices, sentences, change) in GROUPS.items():
        count = options.clips if sentences < 10 else options.clips // 8
        texts = [draw_text(grammar, chance, sentences) for _ in range(count)]
        if group in WRITTEN:
            written = (Path(__file__).parents[1] / "corpus" / WRITTEN[group]).read_text().splitlines()
            texts = [[line] for line in written if not line.startswith("#")]
        voices = [draw_voice(chance, held_out=new_voices) for _ in texts]
        spoken = speak_all([(voice, text) for voice, said in zip(voices, texts) for text in said])
        for index, (voice, said) in enumerate(zip(voices, texts)):
            parts = [spoken.pop(0) for _ in said]
            samples, times = join(parts, chance)
            name = f"{file_name(group)}-{index:02}.wav"
            write_wave(options.out / name, change(samples, np.random.default_rng(index)))
            described.append({"file": name, "group": group, "voice": f"{voice.engine} {voice.name}",
                              "segments": [{"text": text, **time} for text, time in zip(said, times)]})
    for index, (kind, sound) in enumerate(draw_noises(np.random.default_rng(options.seed), NOISES_OF_EACH)):
        name = f"{kind}-{index:03}.wav"
        write_wave(options.out / name, sound)
        described.append({"file": name, "group": "noise and music", "voice": kind, "segments": []})
    (options.out / "list.json").write_text(json.dumps(described, indent=1))


def file_name(group: str) -> str:
    return group.replace(" ", "-").replace("'", "")


def draw_text(grammar: Grammar, chance: random.Random, sentences: int) -> list[str]:
    texts: list[str] = []
    while len(texts) < sentences:
        text = grammar.sentence(chance)
        if is_held_out(text):
            texts.append(text)
    return texts


def join(parts: list[np.ndarray], chance: random.Random) -> tuple[np.ndarray, list[dict[str, float]]]:
    """The sentences with pauses around them, and when each is said (s)."""
    joined, times, at = [], [], 0
    for part in parts:
        loud = np.flatnonzero(np.abs(part) > 0.02 * np.abs(part).max())
        pause = np.zeros(round(RATE * chance.uniform(0.1, 0.6)), np.float32)
        at += len(pause)
        times.append({"start": round((at + loud[0]) / RATE, 2), "end": round((at + loud[-1]) / RATE, 2)})
        joined += [pause, part]
        at += len(part)
    return np.concatenate([*joined, np.zeros(RATE // 5, np.float32)]), times


def as_is(samples: np.ndarray, _: np.random.Generator) -> np.ndarray:
    return samples


def with_noise(samples: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """Noise that falls towards high frequencies, 10 to 25 dB below the speech."""
    white = np.fft.rfft(chance.normal(size=len(samples)))
    white /= np.sqrt(np.arange(len(white)) + 20.0)
    noise = np.fft.irfft(white, len(samples)).astype(np.float32)
    power = np.square(samples[np.abs(samples) > 0.01 * np.abs(samples).max()]).mean()
    return samples + noise * np.sqrt(power / np.square(noise).mean()) * 10 ** (-chance.uniform(10, 25) / 20)


def noise_alone(samples: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """3 to 8 s of noise."""
    tone = np.full(round(RATE * chance.uniform(3, 8)), 0.1 * chance.random(), np.float32)
    return with_noise(tone, chance) - tone


def in_room(samples: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """A room in which sounds fall by 60 dB in 0.2 to 0.6 s."""
    length = round(RATE * chance.uniform(0.2, 0.6))
    echo = 0.05 * chance.normal(size=length) * 10 ** (-3 * np.arange(length) / length)
    echo[: RATE // 100] = 0
    echo[0] = 1
    size = len(samples) + length
    return np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(echo, size), size)[: len(samples)]


def through_codec(samples: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """A telephone's µ-law, MP3 of 24 kbit/s, or Opus of 12 kbit/s."""
    codecs = [["-ar", "8000", "-c:a", "pcm_mulaw", "-f", "wav"], ["-c:a", "libmp3lame", "-b:a", "24k", "-f", "mp3"],
              ["-c:a", "libopus", "-b:a", "12k", "-f", "ogg"]]
    raw = ["-f", "s16le", "-ar", str(RATE), "-ac", "1"]
    packed = ffmpeg([*raw, "-i", "-", *codecs[chance.integers(3)], "-"], to_int16(samples).tobytes())
    return np.frombuffer(ffmpeg(["-i", "-", *raw, "-"], packed), np.int16).astype(np.float32) / 32768


def ffmpeg(options: list[str], data: bytes) -> bytes:
    return subprocess.run(["ffmpeg", "-v", "error", *options], input=data, check=True, capture_output=True).stdout


GROUPS = {
    "known voices": (False, 1, as_is),
    "new voices": (True, 1, as_is),
    "other wording": (True, 1, as_is),
    "noise": (True, 1, with_noise),
    "room": (True, 1, in_room),
    "codecs": (True, 1, through_codec),
    "several sentences": (True, 4, as_is),
    "over 30 s": (True, 18, as_is),
    "no speech": (True, 0, noise_alone),
    "children's books": (True, 1, as_is),
}


def to_int16(samples: np.ndarray) -> np.ndarray:
    return (np.clip(samples / max(1.0, np.abs(samples).max()), -1, 1) * 32767).astype(np.int16)


def write_wave(path: Path, samples: np.ndarray) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(to_int16(samples).tobytes())


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--clips", type=int, default=40, help="of each group")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
