"""What is to be written of a window, and where in it each part was said."""

import numpy as np

from clips import Clips
from shape import POSITIONS, Shape
from vocabulary import Vocabulary
from windows import Window

# 1 s: hearth lets no window begin with a later timestamp.
LATEST_START = 50
PROMPT_SHARE = 0.12


class Transcripts:
    def __init__(self, clips: Clips, vocabulary: Vocabulary, shape: Shape, random: np.random.Generator):
        self.clips = clips
        self.vocabulary = vocabulary
        self.shape = shape
        self.random = random

    def write(self, window: Window, place: int) -> tuple[list[int], list[int]]:
        """What the decoder reads, and what it learns to write after the last of these tokens, token by token.

        place: position of the window's first frame.
        """
        shape = self.shape
        prompt = self.prompt()
        if not window.said and window.cut_at is None:
            # Silence shows at the start; decoded all the same, it is empty, whichever timestamp comes first.
            first = shape.first_timestamp + self.random.choice([0, self.random.integers(LATEST_START + 1)])
            return [*prompt, shape.start_of_transcript, first], [shape.no_speech, shape.end_of_text]
        ids = []
        for index, (start, end, text) in enumerate(window.said):
            # A window's last 16 positions are not heard (batches.py), so what is said there may stand beyond its end.
            start, end = (min(POSITIONS, place + frame // 2) for frame in (start, end))
            start = min(start, LATEST_START) if index == 0 else start
            ids += [shape.first_timestamp + start, *self.vocabulary.ids(text), shape.first_timestamp + end]
        if window.cut_at is not None:
            ids.append(shape.first_timestamp + min(POSITIONS, place + window.cut_at // 2))
        return [*prompt, shape.start_of_transcript, *ids], [*ids, shape.end_of_text]

    def prompt(self) -> list[int]:
        """Now and then other sentences, as if they had been said before."""
        shape, random = self.shape, self.random
        if random.random() > PROMPT_SHARE:
            return []
        with_times = random.random() < 0.7
        ids, at = [], 0
        for _ in range(random.integers(1, 5)):
            text = self.vocabulary.ids(self.clips.draw(random)[1])
            start, at = at, min(POSITIONS, at + 20 * len(text))
            ids += [shape.first_timestamp + start, *text, shape.first_timestamp + at] if with_times else text
        return [shape.previous_text, *ids[-(shape.text_positions // 2 - 1) :]]

    def phones(self, window: Window) -> list[int]:
        """None where a sentence is cut, as nobody knows how much of it is heard."""
        said = [] if window.cut_at is not None else window.said
        return [phone for _, _, text in said for phone in self.vocabulary.phone_ids(text)]

    def phones_at(self, window: Window, length: int) -> np.ndarray:
        """The phone at each of the positions, if all of a sentence are as long as usual beside each other. 0: none."""
        row = np.zeros(length, np.int64)
        for start, end, text in window.said:
            phones = self.vocabulary.phone_ids(text)
            edges = edges_of(start, end, [self.vocabulary.phone_lengths[phone] for phone in phones]).round().astype(int)
            row[edges[0] : edges[-1]] = np.repeat(phones, np.diff(edges))[: max(0, length - edges[0])]
        return row

    def tokens_at(self, window: Window, ids: np.ndarray) -> np.ndarray:
        """The first and last position of each token of the transcript, under the same assumption. -1: unknown."""
        spans = np.full((len(ids), 2), -1)
        at = int(np.flatnonzero(ids == self.shape.start_of_transcript)[0]) + 1
        for start, end, text in window.said:
            edges = edges_of(start, end, [self.vocabulary.lengths[token] for token in self.vocabulary.ids(text)])
            around = [(start // 2, start // 2), *zip(edges[:-1], edges[1:]), (end // 2, end // 2)]
            count = min(len(around), len(ids) - at)
            spans[at : at + count] = np.array(around)[:count]
            at += count
        return spans


def edges_of(start: int, end: int, lengths: list[int]) -> np.ndarray:
    """The positions at which parts of these relative lengths begin and end that fill the frames from start to end."""
    return (start + (end - start) * np.cumsum([0, *lengths]) / sum(lengths)) / 2
