"""Conversations about pictures as token ids, rendered as the demo's chat template does."""

import sys
from pathlib import Path
from random import Random
from typing import NamedTuple, Sequence

import torch
from torch import Tensor

sys.path.append(str(Path(__file__).parents[1] / "drawing"))

from questions import Questioner, described  # noqa: E402
from scenes import Scene  # noqa: E402

from labels import POSITIONS  # noqa: E402
from text_model import Tokenizer  # noqa: E402

# Stands for a position of the picture.
PICTURE = -1


class Batch(NamedTuple):
    """ids: batch × length, PICTURE where the picture stands; wanted: flat positions whose next token is learned; targets."""

    ids: Tensor
    wanted: Tensor
    targets: Tensor


class Conversations:
    def __init__(self, tokenizer: Tokenizer, seed: int):
        self.tokenizer = tokenizer
        self.random = Random(seed)
        self.questioner = Questioner(seed)

    def batch(self, scenes: Sequence[Scene], questions: int) -> Batch:
        examples = [self.example(scene, questions) for scene in scenes]
        length = max(len(ids) for ids, _ in examples)
        ids = torch.tensor([given + [0] * (length - len(given)) for given, _ in examples])
        learned = torch.tensor([told + [False] * (length - len(told)) for _, told in examples])
        wanted = learned[:, 1:]
        return Batch(ids[:, :-1].contiguous(), wanted.flatten().nonzero()[:, 0], ids[:, 1:][wanted])

    def example(self, scene: Scene, questions: int) -> tuple[list[int], list[bool]]:
        """The ids, and which of them the assistant wrote."""
        ids: list[int] = []
        learned: list[bool] = []

        def add(text: str, is_learned: bool = False) -> None:
            added = self.tokenizer.encode(text)
            ids.extend(added)
            learned.extend([is_learned] * len(added))

        asked = self.questioner.ask(scene, questions)
        thinks = self.random.random() < 0.1
        for at, (question, answer, _, _) in enumerate(asked[:1] if thinks else asked):
            add("<|im_start|>user\n")
            before, behind = (question, "") if self.random.random() < 0.25 else ("", question)
            add(before)
            if at == 0:
                ids.extend([PICTURE] * POSITIONS)
                learned.extend([False] * POSITIONS)
            add(behind)
            add("<|im_end|>\n<|im_start|>assistant\n")
            if thinks:
                add("<think>\n")
                add(f"{described(scene)[0]}\n</think>\n\n", True)
            add(f"{answer}<|im_end|>", True)
            add("\n")
        return ids, learned
