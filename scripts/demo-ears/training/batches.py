"""Windows of several sentences with noise, rooms and pauses, as batches of about one length each."""

import json
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Iterator, NamedTuple

import numpy as np
import torch
from torch import Tensor

from features import BANDS, FLOOR, from_bytes, normalise
from model import POSITIONS, Shape
from vocabulary import Vocabulary
from world import spoil, stretch, warp

# Positions of silence that stand for the rest of a window.
OTHERS = 24
FRAMES = 2 * POSITIONS
# Frames around the speech in a clip (synthesise.py).
MARGIN = 5
# 1 s: hearth lets no window begin with a later timestamp.
LATEST_START = 50
POOL = 160
BATCHES_AHEAD = 4


class Batch(NamedTuple):
    features: Tensor
    places: Tensor
    others: Tensor
    ids: Tensor
    wanted: Tensor
    targets: Tensor
    phones: Tensor
    phone_counts: Tensor
    # The sound at each position, about; 0: none. Batch × positions.
    sounds: Tensor
    # Where each token that the decoder reads was said, as the first position and the last: batch × length × 2.
    # Negative where that is not known. The same for the token that it writes.
    read_at: Tensor
    written_at: Tensor


class Clips:
    """What synthesise.py wrote so far."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.files: list[tuple[np.ndarray, list[dict]]] = []
        self.known: set[Path] = set()
        self.look_again()

    def look_again(self) -> None:
        for path in sorted(self.folder.glob("[0-9]*.json")):
            if path not in self.known:
                self.known.add(path)
                features = np.memmap(path.with_suffix(".u8"), np.uint8, "r").reshape(-1, BANDS)
                self.files.append((features, json.loads(path.read_text())))

    def draw(self, random: np.random.Generator) -> tuple[np.ndarray, str]:
        features, clips = self.files[random.integers(len(self.files))]
        clip = clips[random.integers(len(clips))]
        return from_bytes(features[clip["start"] : clip["start"] + clip["frames"]]), clip["text"]


class Window(NamedTuple):
    """features: frames × bands of a part of the window; said: start and end (frames), and the text of each sentence."""

    features: np.ndarray
    said: list[tuple[int, int, str]]
    # The frame at which a sentence starts that does not end in the window.
    cut_at: int | None


class Batches:
    def __init__(self, clips: Clips, vocabulary: Vocabulary, shape: Shape, seed: int, harm: float):
        self.clips = clips
        self.vocabulary = vocabulary
        self.shape = shape
        self.random = np.random.default_rng(seed)
        self.harm = harm

    def endless(self, positions: int, long_share: float) -> Iterator[Batch]:
        """Batches of about so many positions, with so large a share of windows of up to 30 s."""
        while True:
            self.clips.look_again()
            windows = [self.window(long_share) for _ in range(POOL)]
            windows.sort(key=lambda window: len(window.features))
            batches: list[list[Window]] = [[]]
            for window in windows:
                if (len(batches[-1]) + 1) * len(window.features) / 2 > positions and batches[-1]:
                    batches.append([])
                batches[-1].append(window)
            for index in self.random.permutation(len(batches)):
                yield self.collate(batches[index])

    def window(self, long_share: float) -> Window:
        random = self.random
        if random.random() < 0.04:
            frames = 2 * random.integers(20, 150)
            return Window(np.full((frames, BANDS), FLOOR, np.float32), [], None)
        is_long = random.random() < long_share
        sentences = random.integers(3, 14) if is_long else random.choice([1, 2, 3], p=[0.6, 0.28, 0.12])
        parts = [silence(random.integers(0, 40))]
        at, said, cut_at = len(parts[0]), [], None
        for index in range(sentences):
            features, text = self.clip()
            start, end = at + MARGIN, at + len(features) - MARGIN
            if start > FRAMES - 20:
                break
            parts.append(features)
            if end > FRAMES:
                cut_at = start
                break
            said.append((start, end, text))
            pause = silence(random.integers(5, 120 if random.random() < 0.3 else 50))
            parts.append(pause)
            at += len(features) + len(pause)
        features = np.concatenate(parts)[:FRAMES]
        return Window(features, said, cut_at)

    def clip(self) -> tuple[np.ndarray, str]:
        features, text = self.clips.draw(self.random)
        if self.random.random() < self.harm:
            features = stretch(warp(features, self.random), self.random)
        return np.maximum(features + self.random.uniform(-1, 1), FLOOR), text

    def collate(self, windows: list[Window]) -> Batch:
        random = self.random
        count = len(windows)
        longest = max(len(window.features) for window in windows)
        length = min(POSITIONS - OTHERS, -(-longest // 2) + 4)
        heard = [window.features for window in windows]
        features = np.full((count, 2 * length, BANDS), FLOOR, np.float32)
        for row, part in zip(features, heard):
            row[: len(part)] = part[: 2 * length]
        spoil(features, [len(part) for part in heard], self.harm, random)
        features = np.stack([normalise(row) for row in features])
        # Most are at the start of their window, as in a file that is shorter than 30 s.
        places = np.where(random.random(count) < 0.65, 0, random.integers(0, POSITIONS - length + 1, count))
        others = np.stack([self.others(place, length) for place in places])
        written = [self.write(window, place) for window, place in zip(windows, places)]
        ids, wanted, targets = self.pad(written)
        spoken = [[] if window.cut_at else self.phones(window) for window in windows]
        phones = np.array([phone for each in spoken for phone in each], np.int64)
        counts = np.array([len(each) for each in spoken])
        spans = [self.spans(window, row) for window, row in zip(windows, ids)]
        read_at = np.stack(spans)
        written_at = np.concatenate([read_at[:, 1:], np.full((count, 1, 2), -1)], 1)
        sounds = np.stack([self.sounds(window, length) for window in windows])
        tensors = features, places, others, ids, wanted, targets, phones, counts, sounds, read_at, written_at
        return Batch(*map(torch.from_numpy, tensors))

    def sounds(self, window: Window, length: int) -> np.ndarray:
        """The sound at each position, under the same assumption as `spans`."""
        row = np.zeros(length, np.int64)
        for start, end, text in window.said:
            phones = self.vocabulary.phone_ids(text)
            edges = edges_of(start, end, [self.vocabulary.phone_lengths[phone] for phone in phones]).round().astype(int)
            row[edges[0] : edges[-1]] = np.repeat(phones, np.diff(edges))[: max(0, length - edges[0])]
        return row

    def spans(self, window: Window, ids: np.ndarray) -> np.ndarray:
        """Where the tokens of the transcript were said, if all sounds are as long as usual beside each other."""
        shape = self.shape
        spans = np.full((len(ids), 2), -1)
        at = int(np.flatnonzero(ids == shape.start_of_transcript)[0]) + 1
        for start, end, text in window.said:
            lengths = [self.vocabulary.lengths[token] for token in self.vocabulary.ids(text)]
            edges = edges_of(start, end, lengths)
            around = [(start // 2, start // 2), *zip(edges[:-1], edges[1:]), (end // 2, end // 2)]
            count = min(len(around), len(ids) - at)
            spans[at : at + count] = np.array(around)[:count]
            at += count
        return spans

    def others(self, place: int, length: int) -> np.ndarray:
        rest = self.random.integers(0, POSITIONS - length, OTHERS)
        return np.where(rest < place, rest, rest + length)

    def phones(self, window: Window) -> list[int]:
        return [phone for _, _, text in window.said for phone in self.vocabulary.phone_ids(text)]

    def write(self, window: Window, place: int) -> tuple[list[int], list[int]]:
        """What the decoder reads, and what it learns to write after the last of these tokens, token by token."""
        shape = self.shape
        prompt = self.prompt()
        if not window.said and window.cut_at is None:
            # Silence shows at the start; decoded all the same, it is empty.
            return [*prompt, shape.start_of_transcript, shape.first_timestamp], [shape.no_speech, shape.end_of_text]
        ids = []
        for index, (start, end, text) in enumerate(window.said):
            start, end = place + start // 2, place + end // 2
            start = min(start, LATEST_START) if index == 0 else start
            ids += [shape.first_timestamp + start, *self.vocabulary.ids(text), shape.first_timestamp + end]
        if window.cut_at is not None:
            ids.append(shape.first_timestamp + place + window.cut_at // 2)
        return [*prompt, shape.start_of_transcript, *ids], [*ids, shape.end_of_text]

    def prompt(self) -> list[int]:
        shape, random = self.shape, self.random
        if random.random() > 0.12:
            return []
        ids, at = [], 0
        for _ in range(random.integers(1, 5)):
            text = self.vocabulary.ids(self.clips.draw(random)[1])
            start, end = at, at + 20 * len(text)
            with_times = [shape.first_timestamp + start, *text, shape.first_timestamp + min(POSITIONS, end)]
            ids += with_times if random.random() < 0.7 else text
            at = min(POSITIONS, end)
        return [shape.previous_text, *ids[-(shape.text_positions // 2 - 1) :]]

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


def edges_of(start: int, end: int, lengths: list[int]) -> np.ndarray:
    """The positions at which parts of these relative lengths begin and end that fill the frames from start to end."""
    return (start + (end - start) * np.cumsum([0, *lengths]) / sum(lengths)) / 2


def silence(frames: int) -> np.ndarray:
    return np.full((frames, BANDS), FLOOR, np.float32)


def ahead(batches: Iterator[Batch]) -> Iterator[Batch]:
    """The same batches, made in another thread while the last ones are computed."""
    made: Queue[Batch] = Queue(BATCHES_AHEAD)

    def make() -> None:
        for batch in batches:
            made.put(batch)

    Thread(target=make, daemon=True).start()
    while True:
        yield made.get()
