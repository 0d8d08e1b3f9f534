"""Texts and their frames as the batches of a step."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from codec import COMPONENTS, LATENTS, Codec
from model import Shape
from places import places_of, turns_of

# Rows of the voice: as many as a recording of that many frames has. Mostly nobody names a voice, and there are none.
VOICE_ROWS = [0, 13, 40, 125, 375]
VOICE_CHANCES = [0.7, 0.1, 0.1, 0.07, 0.03]


@dataclass
class Item:
    ids: np.ndarray
    # Frames × latents.
    latents: np.ndarray
    pieces: np.ndarray
    # Frame in which the speech is over.
    end: int


@dataclass
class Batch:
    ids: Tensor
    # What is read in each row, with noise, and what follows it; rows × latents.
    read: Tensor
    clean: Tensor
    follows: Tensor
    is_frame: Tensor
    # True where a frame follows.
    counts: Tensor
    ends: Tensor
    # Column of the piece that is spoken next; the first piece has 0.
    looks: Tensor
    voice: int


class Items:
    def __init__(self, folder: Path, codec: Codec, pieces: list[str], shape: Shape):
        self.folder, self.codec, self.shape = folder, codec, shape
        self.id_of = {piece: index for index, piece in enumerate(pieces)}
        self.known: set[Path] = set()
        self.items: list[Item] = []
        self.look_again()

    def look_again(self) -> None:
        for path in sorted(self.folder.glob("[0-9]*.json")):
            if path in self.known:
                continue
            self.known.add(path)
            entries = json.loads(path.read_text())
            latents = self.codec.latents(np.load(path.with_suffix(".npz"))["arr_0"].astype(np.float32))
            start = 0
            for entry in entries:
                frames = sum(entry["counts"])
                self.items.append(self.item(entry, latents[start : start + frames]))
                start += frames

    def item(self, entry: dict, latents: np.ndarray) -> Item:
        places, pieces = places_of(entry["counts"], self.shape)
        ids = np.array([self.id_of[piece] for piece in entry["pieces"]])
        return Item(ids, np.concatenate([latents, places], 1).astype(np.float32), pieces, len(latents) - entry["counts"][-1])

    def batch(self, random: np.random.Generator, size: int, noise: float, begin_id: int) -> Batch:
        # Some of about the same length, so that little is computed for nothing.
        order = sorted(random.choice(len(self.items), 8 * size), key=lambda i: len(self.items[i].ids) + len(self.items[i].latents))
        start = random.integers(0, 7 * size + 1)
        items = [self.items[i] for i in order[start : start + size]]
        length = max(len(item.ids) + len(item.latents) for item in items)
        ids = np.zeros((size, length), np.int64)
        read = np.zeros((size, length, LATENTS), np.float32)
        clean, follows = np.zeros_like(read), np.zeros_like(read)
        is_frame, counts = np.zeros((size, length), bool), np.zeros((size, length), bool)
        ends, looks = np.zeros((size, length), np.float32), np.zeros((size, length), np.int64)
        for row, item in enumerate(items):
            texts, frames = len(item.ids), len(item.latents)
            ids[row, :texts], ids[row, texts] = item.ids, begin_id
            clean[row, texts + 1 : texts + frames] = item.latents[:-1]
            read[row, texts + 1 : texts + frames] = self.disturbed(item, noise, random)
            is_frame[row, texts + 1 : texts + frames] = True
            follows[row, texts : texts + frames] = item.latents
            # After the end llama.cpp makes three frames more at least, and then asks for nothing.
            counts[row, texts : texts + frames] = True
            ends[row, texts + item.end : texts + frames] = 1
            looks[row, texts : texts + frames] = item.pieces
        voice = int(random.choice(VOICE_ROWS, p=VOICE_CHANCES))
        arrays = (ids, read, clean, follows, is_frame, counts, ends, looks)
        return Batch(*(torch.from_numpy(array) for array in arrays), voice)

    def disturbed(self, item: Item, noise: float, random: np.random.Generator) -> np.ndarray:
        """The frames but the last, as inexact as predicted ones; now and then one is told to be a piece beside."""
        read = item.latents[:-1].copy()
        amount = noise * random.exponential()
        read[:, :COMPONENTS] += amount * random.standard_normal((len(read), COMPONENTS))
        read[:, COMPONENTS:] += 0.25 * amount * random.standard_normal((len(read), LATENTS - COMPONENTS))
        wrong = np.flatnonzero(random.random(len(read)) < 0.04)
        distances = len(item.ids) + 1 + wrong - item.pieces[wrong] + random.choice([-1, 1], len(wrong))
        turns = turns_of(distances, self.shape)
        read[wrong, COMPONENTS : COMPONENTS + turns.shape[1]] = turns
        return read
