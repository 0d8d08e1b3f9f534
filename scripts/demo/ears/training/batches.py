"""Windows as batches of about one length each, so that little is padded."""

from typing import Callable, Iterator, NamedTuple

import numpy as np
import torch
from torch import Tensor

from clips import Clips
from features import BANDS, FLOOR, normalise
from lessons import Lesson
from shape import POSITIONS, Shape
from transcripts import Transcripts
from vocabulary import Vocabulary
from windows import Window, Windows
from world import spoil

# Positions of silence that stand for the rest of a window.
OTHERS = 16
# Most windows are heard from their start, as in a file that is shorter than 30 s.
AT_START_SHARE = 0.65
# Windows that are drawn, and sorted by length, at a time.
POOL = 160
BATCHES_AHEAD = 4


class Batch(NamedTuple):
    # Batch × frames × bands; the position of the first frame of each; and some of the silent positions of each.
    features: Tensor
    places: Tensor
    others: Tensor
    # Batch × length: what the decoder reads; flat positions in it at which something is learned, and what.
    ids: Tensor
    wanted: Tensor
    targets: Tensor
    # The phones of all windows in one row, how many each has, and about where they are: batch × positions.
    phones: Tensor
    phone_counts: Tensor
    phones_at: Tensor
    # About where each token was said that the decoder reads, and that it writes: batch × length × 2.
    read_at: Tensor
    written_at: Tensor


class Batches:
    def __init__(self, clips: Clips, vocabulary: Vocabulary, shape: Shape, seed: int):
        self.clips = clips
        self.shape = shape
        self.random = np.random.default_rng(seed)
        self.windows = Windows(clips, self.random)
        self.transcripts = Transcripts(clips, vocabulary, shape, self.random)

    def learn(self, lesson: Lesson) -> None:
        self.windows.lesson = lesson

    def endless(self, positions: int, draw: Callable[[], Window] | None = None) -> Iterator[Batch]:
        """Batches of about so many positions, as the lesson of the moment wants them, of windows that `draw` gives."""
        draw = draw or self.windows.draw
        while True:
            self.clips.look_again()
            windows = sorted((draw() for _ in range(POOL)), key=lambda window: len(window.features))
            batches: list[list[Window]] = [[]]
            for window in windows:
                if (len(batches[-1]) + 1) * len(window.features) / 2 > positions and batches[-1]:
                    batches.append([])
                batches[-1].append(window)
            for index in self.random.permutation(len(batches)):
                yield self.collate(batches[index])

    def collate(self, windows: list[Window]) -> Batch:
        count, random, transcripts = len(windows), self.random, self.transcripts
        lengths = [len(window.features) for window in windows]
        length = min(POSITIONS - OTHERS, -(-max(lengths) // 2) + 4)
        features = np.full((count, 2 * length, BANDS), FLOOR, np.float32)
        for row, window in zip(features, windows):
            row[: len(window.features)] = window.features[: 2 * length]
        spoil(features, lengths, self.windows.lesson.harm, random)
        features = np.stack([normalise(row) for row in features])
        places = np.where(random.random(count) < AT_START_SHARE, 0, random.integers(0, POSITIONS - length + 1, count))
        others = np.stack([self.others(place, length) for place in places])
        written = [transcripts.write(window, place) for window, place in zip(windows, places)]
        ids, wanted, targets = self.pad(written)
        phones = [transcripts.phones(window) for window in windows]
        in_a_row = np.array([phone for each in phones for phone in each], np.int64)
        phones_at = np.stack([transcripts.phones_at(window, length) for window in windows])
        read_at = np.stack([transcripts.tokens_at(window, row) for window, row in zip(windows, ids)])
        written_at = np.concatenate([read_at[:, 1:], np.full((count, 1, 2), -1)], 1)
        heard = features, places, others, ids, wanted, targets
        sounds = in_a_row, np.array([len(each) for each in phones]), phones_at
        return Batch(*map(torch.from_numpy, (*heard, *sounds, read_at, written_at)))

    def others(self, place: int, length: int) -> np.ndarray:
        """Positions outside of the part of the window that is heard."""
        rest = self.random.integers(0, POSITIONS - length, OTHERS)
        return np.where(rest < place, rest, rest + length)

    def pad(self, written: list[tuple[list[int], list[int]]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        longest = min(self.shape.text_positions, max(len(ids) for ids, _ in written))
        ids = np.full((len(written), longest), self.shape.end_of_text, np.int64)
        learned = np.full((len(written), longest), -1, np.int64)
        for row, learned_row, (tokens, targets) in zip(ids, learned, written):
            row[: len(tokens)] = tokens[:longest]
            given = len(tokens) - len(targets)
            learned_row[given : len(tokens)] = targets[: longest - given]
        wanted = learned >= 0
        return ids, np.flatnonzero(wanted), learned[wanted]
