"""Free voices of Debian's archive (espeak-ng, flite, festival) that read sentences, each in many manners."""

import random
import subprocess
import tempfile
import wave
from pathlib import Path
from typing import NamedTuple

import numpy as np

from features import RATE

ESPEAK_DATA = Path("/usr/lib/x86_64-linux-gnu/espeak-ng-data/voices/!v")
ESPEAK_ACCENTS = ["en", "en-us", "en-gb-scotland", "en-gb-x-gbclan", "en-gb-x-rp", "en-gb-x-gbcwmd", "en-us-nyc"]
# Not speech, or hardly: these are left out.
ODD_VARIANTS = {"Demonic", "croak", "whisper", "whisperf", "UniRobot", "anikaRobot", "fast", "Mr serious", "Storm"}
# Heard in the evaluation only.
HELD_OUT_ACCENT = "en-029"
HELD_OUT_VARIANTS = {"f5", "m8", "Andrea", "belinda", "klatt3", "steph", "paul", "Michael", "grandma", "iven2", "zac"}
FLITE_VOICES = {"awb": 125.0, "slt": 170.0, "kal16": 105.0}
HELD_OUT_FLITE = {"rms": 95.0}
FESTIVAL_VOICES = ["cmu_us_slt_arctic_hts"]
HELD_OUT_FESTIVAL = ["ked_diphone"]


class Voice(NamedTuple):
    engine: str
    name: str
    rate: float
    pitch: float
    # Length of the throat, about: the speech is played so much faster, which moves its formants as well.
    scale: float
    # The file of a variant of espeak-ng's that is drawn; empty for those that it has.
    variant: str = ""


def variants(held_out: bool) -> list[str]:
    robots = {path.name for path in ESPEAK_DATA.iterdir() if path.name.startswith("robosoft")}
    names = {path.name for path in ESPEAK_DATA.iterdir()} - ODD_VARIANTS - robots
    return sorted(names & HELD_OUT_VARIANTS if held_out else names - HELD_OUT_VARIANTS)


def draw_voice(chance: random.Random, held_out: bool = False) -> Voice:
    engine = chance.choices(["espeak", "flite", "festival"], [1, 1, 1] if held_out else [9, 9, 2])[0]
    scale = 1.0 if held_out else chance.choice([1.0, chance.uniform(0.86, 1.18)])
    if engine == "espeak":
        accent = HELD_OUT_ACCENT if held_out and chance.random() < 0.3 else chance.choice(ESPEAK_ACCENTS)
        name = f"{accent}+{chance.choice(variants(held_out))}"
        return Voice(engine, name, chance.uniform(125, 205), chance.uniform(25, 75), scale)
    if engine == "flite":
        name, pitch = chance.choice(list((HELD_OUT_FLITE if held_out else FLITE_VOICES).items()))
        return Voice(engine, name, chance.uniform(0.8, 1.25), pitch * chance.uniform(0.8, 1.3), scale)
    name = chance.choice(HELD_OUT_FESTIVAL if held_out else FESTIVAL_VOICES)
    return Voice(engine, name, chance.uniform(0.85, 1.2), 0, scale)


def draw_training_voice(chance: random.Random) -> Voice:
    """Half of the voices are none that anybody has: espeak-ng's with a throat that is drawn, and diphones at any pitch."""
    kind = chance.choices(["any", "espeak", "festival"], [10, 6, 4])[0]
    if kind == "any":
        return draw_voice(chance)
    scale = chance.choice([1.0, chance.uniform(0.86, 1.18)])
    if kind == "espeak":
        accent = chance.choice(ESPEAK_ACCENTS)
        return Voice(kind, f"{accent}+drawn", chance.uniform(115, 215), 50, scale, draw_variant(chance))
    return Voice(kind, "kal_diphone", chance.uniform(0.8, 1.25), chance.uniform(75, 190), scale)


def draw_variant(chance: random.Random) -> str:
    """A throat of any size whose formants are moved, made louder and wider one by one."""
    pitch, size = chance.uniform(65, 260), chance.uniform(90, 125)
    lines = ["language variant", "name drawn", f"pitch {pitch:.0f} {pitch * chance.uniform(1.15, 1.7):.0f}"]
    for formant in range(9):
        place, height, width = chance.gauss(size, 5), chance.gauss(100 - 4 * formant, 22), chance.gauss(100, 20)
        lines.append(f"formant {formant} {place:.0f} {max(20, height):.0f} {max(50, width):.0f}")
    lines += [f"flutter {chance.randrange(8)}", f"roughness {chance.randrange(5)}", f"voicing {chance.uniform(60, 160):.0f}"]
    lines.append(f"consonants {chance.uniform(60, 160):.0f} {chance.uniform(60, 160):.0f}")
    if chance.random() < 0.25:
        lines.append(f"klatt {chance.randint(1, 5)}")
    if chance.random() < 0.4:
        lines.append(f"tone 600 {chance.randint(150, 255)} 1200 {chance.randint(60, 255)} 2000 {chance.randint(40, 255)}")
    if chance.random() < 0.2:
        lines.append("breath 0 " + " ".join(str(chance.randint(1, 7)) for _ in range(7)))
    return "\n".join(lines) + "\n"


def speak(voice: Voice, text: str) -> np.ndarray:
    """The text as 16 kHz samples of −1 to 1. Festival takes a second for one text: see `speak_all`."""
    return speak_all([(voice, text)])[0]


def speak_all(texts: list[tuple[Voice, str]]) -> list[np.ndarray]:
    with tempfile.TemporaryDirectory(prefix="hearth-ears-") as folder:
        files = [Path(folder) / f"{index}.wav" for index in range(len(texts))]
        for_festival = []
        for (voice, text), file in zip(texts, files):
            if voice.engine == "festival":
                for_festival.append((voice, text, file))
            else:
                speak_to(voice, text, file)
        if for_festival:
            script = Path(folder) / "script.scm"
            script.write_text("\n".join(map(festival_lines, *zip(*for_festival))))
            run(["festival", "-b", str(script)])
        return [read_wave(file, voice.scale) for (voice, _), file in zip(texts, files)]


def speak_to(voice: Voice, text: str, file: Path) -> None:
    """By flite or espeak-ng, which takes a variant from a folder of data: one of links, with the variant in it."""
    if voice.engine == "flite":
        return run(flite_command(voice, text, file))
    if not voice.variant:
        return run(espeak_command(voice, text, file))
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        data = Path(folder) / "espeak-ng-data"
        (data / "voices" / "!v").mkdir(parents=True)
        (data / "voices" / "!v" / "drawn").write_text(voice.variant)
        for path in ESPEAK_DATA.parents[1].iterdir():
            if path.name != "voices":
                (data / path.name).symlink_to(path)
        run([*espeak_command(voice, text, file), f"--path={folder}"])


def run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)


def espeak_command(voice: Voice, text: str, file: Path) -> list[str]:
    settings = ["-s", str(round(voice.rate)), "-p", str(round(voice.pitch))]
    return ["espeak-ng", "-v", voice.name, *settings, "-w", str(file), text]


def flite_command(voice: Voice, text: str, file: Path) -> list[str]:
    settings = ["--setf", f"duration_stretch={voice.rate:.3f}", "--seti", f"int_f0_target_mean={voice.pitch:.0f}"]
    return ["flite", "-voice", voice.name, *settings, "-t", text, "-o", str(file)]


def festival_lines(voice: Voice, text: str, file: Path) -> str:
    pitch = f"((target_f0_mean {voice.pitch:.0f}) (target_f0_std 14) (model_f0_mean 170) (model_f0_std 34))"
    return f"""(voice_{voice.name})
{f"(set! int_lr_params '{pitch})" if voice.pitch else ""}
(Parameter.set 'Duration_Stretch {voice.rate:.3f})
(utt.save.wave (utt.synth (Utterance Text "{text}")) "{file}" 'riff)"""


def read_wave(file: Path, scale: float) -> np.ndarray:
    with wave.open(str(file)) as opened:
        samples = np.frombuffer(opened.readframes(opened.getnframes()), np.int16).astype(np.float32) / 32768
        return resample(samples, opened.getframerate() * scale)


def resample(samples: np.ndarray, rate: float) -> np.ndarray:
    """Samples at `rate` as samples at 16 kHz, by leaving out or adding the highest frequencies."""
    length = round(len(samples) * RATE / rate)
    if length == len(samples):
        return samples
    return (np.fft.irfft(np.fft.rfft(samples), length) * (length / len(samples))).astype(np.float32)
