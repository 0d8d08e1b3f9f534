"""The demo's text model and its tokenizer, read back from models/hearth-demo.gguf."""

import re
import struct
import sys
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import torch

sys.path.append(str(Path(__file__).parents[2] / "text" / "training"))

from model import DemoModel, Shape  # noqa: E402

BLOCK_NAMES = {
    "attn_norm": "attention_norm", "attn_q": "attention.q", "attn_k": "attention.k", "attn_v": "attention.v",
    "attn_output": "attention.output", "ffn_norm": "feed_forward_norm", "ffn_gate": "feed_forward.gate",
    "ffn_up": "feed_forward.up", "ffn_down": "feed_forward.down",
}
SCALARS = {4: "<I", 5: "<i", 6: "<f", 7: "<?"}
STRING, ARRAY = 8, 9
FLOATS = {0: "<f4", 1: "<f2"}
Q8_0_BLOCK = np.dtype([("scale", "<f2"), ("weights", "i1", 32)])


def load_text_model(path: Path, longest: int) -> tuple[DemoModel, "Tokenizer"]:
    metadata, tensors = read_gguf(path)
    tokens = metadata["tokenizer.ggml.tokens"]
    shape = Shape(len(tokens), layers=metadata["llama.block_count"], feed_forward_size=metadata["llama.feed_forward_length"])
    model = DemoModel(shape, longest)
    stored = {name_of(name): torch.from_numpy(tensor) for name, tensor in tensors.items()}
    model.load_state_dict(stored)
    return model, Tokenizer(tokens, metadata["tokenizer.ggml.merges"])


def name_of(name: str) -> str:
    """The name in training of a tensor of llama.cpp's."""
    if not name.startswith("blk."):
        return {"token_embd.weight": "embedding.weight", "output_norm.weight": "output_norm.weight"}[name]
    _, block, part, _ = name.split(".")
    return f"blocks.{block}.{BLOCK_NAMES[part]}.weight"


def read_gguf(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The metadata and the tensors, as 32-bit floats, of a file with F32, F16 and Q8_0 tensors only."""
    with open(path, "rb") as file:
        _, _, tensor_count, value_count = struct.unpack("<4sIQQ", file.read(24))
        metadata = {read_text(file): read_value(file, read_number(file, "<I")) for _ in range(value_count)}
        described = []
        for _ in range(tensor_count):
            name, dimensions = read_text(file), read_number(file, "<I")
            shape = [read_number(file, "<Q") for _ in range(dimensions)][::-1]
            described.append((name, shape, read_number(file, "<I"), read_number(file, "<Q")))
        start = -(-file.tell() // 32) * 32
        tensors = {}
        for name, shape, kind, offset in described:
            file.seek(start + offset)
            count = int(np.prod(shape))
            if kind in FLOATS:
                tensors[name] = np.fromfile(file, FLOATS[kind], count).astype(np.float32).reshape(shape)
                continue
            blocks = np.fromfile(file, Q8_0_BLOCK, count // 32)
            tensors[name] = (blocks["scale"].astype(np.float32)[:, None] * blocks["weights"]).reshape(shape)
    return metadata, tensors


def read_number(file: BinaryIO, kind: str) -> Any:
    return struct.unpack(kind, file.read(struct.calcsize(kind)))[0]


def read_text(file: BinaryIO) -> str:
    return file.read(read_number(file, "<Q")).decode()


def read_value(file: BinaryIO, kind: int) -> Any:
    if kind == STRING:
        return read_text(file)
    if kind == ARRAY:
        element, count = read_number(file, "<I"), read_number(file, "<Q")
        return [read_value(file, element) for _ in range(count)]
    return read_number(file, SCALARS[kind])


class Tokenizer:
    """For ASCII texts, as the pre-tokenizer `qwen2` of llama.cpp cuts them."""

    control = re.compile(r"(<\|\w+\|>|</?think>)")
    words = re.compile(r"'(?:[sdmt]|ll|ve|re)|[^\r\nA-Za-z0-9]?[A-Za-z]+|[0-9]| ?[^\sA-Za-z0-9]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+", re.I)

    def __init__(self, tokens: list[str], merges: list[str]):
        self.ids = {token: at for at, token in enumerate(tokens)}
        self.ranks = {tuple(merge.split(" ")): at for at, merge in enumerate(merges)}
        self.known: dict[str, list[int]] = {}

    def encode(self, text: str) -> list[int]:
        ids: list[int] = []
        for part in self.control.split(text):
            if part in self.ids and self.control.fullmatch(part):
                ids.append(self.ids[part])
                continue
            for word in self.words.findall(part):
                ids += self.known.get(word) or self.known.setdefault(word, self.encode_word(word))
        return ids

    def encode_word(self, word: str) -> list[int]:
        # Space and line feed have other characters in byte-level vocabularies.
        parts = list(word.replace(" ", "\u0120").replace("\n", "\u010a"))
        while len(parts) > 1:
            rank, at = min((self.ranks.get((left, right), 1 << 30), at) for at, (left, right) in enumerate(zip(parts, parts[1:])))
            if rank == 1 << 30:
                break
            parts[at:at + 2] = [parts[at] + parts[at + 1]]
        return [self.ids[part] for part in parts]
