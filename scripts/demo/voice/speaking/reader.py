"""The synthesiser that the voice is learned from: flite's slt, which reads on one note here."""

import subprocess
import tempfile
import wave
from pathlib import Path
from typing import NamedTuple

import numpy as np

RATE = 16_000
VOICE = "slt"
# Of the note: 16 periods of it are a frame of the codec, so that each frame begins where a period does.
PITCH_HZ = 200
# Slower than flite speaks by itself: more frames for each sound.
STRETCH = 1.15


class Reading(NamedTuple):
    # −1 to 1.
    samples: np.ndarray
    # Each with the second at which it ends; `pau` is silence.
    phones: list[tuple[str, float]]


def read_aloud(text: str, stretch: float = STRETCH) -> Reading:
    settings = [f"duration_stretch={stretch}", f"int_f0_target_mean={PITCH_HZ}", "int_f0_target_stddev=0"]
    chosen = [word for setting in settings for word in ("--setf", setting)]
    with tempfile.TemporaryDirectory(prefix="hearth-voice-") as folder:
        file = Path(folder) / "read.wav"
        command = ["flite", "-voice", VOICE, *chosen, "-psdur", "-t", text, "-o", str(file)]
        printed = subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
        with wave.open(str(file)) as opened:
            samples = np.frombuffer(opened.readframes(opened.getnframes()), np.int16).astype(np.float32) / 32768
    phones = [(phone, float(end)) for phone, _, end in (part.partition(":") for part in printed.split())]
    return Reading(samples, phones)
