"""The file in which the trained weights go to export.ts."""

import json
import os
from pathlib import Path
from typing import Any, Iterable

import torch
from torch import Tensor


@torch.no_grad()
def write_tensors(named: Iterable[tuple[str, Tensor]], about: dict[str, Any], folder: Path) -> None:
    """weights.bin: every tensor as little-endian float32, in the order of the list in shape.json; there is `about` too."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = [(name, tensor.detach().float().cpu().contiguous()) for name, tensor in named]
    with open(folder / "weights.tmp", "wb") as file:
        for _, tensor in tensors:
            file.write(tensor.numpy().astype("<f4").tobytes())
    os.replace(folder / "weights.tmp", folder / "weights.bin")
    described = [{"name": name, "shape": list(tensor.shape)} for name, tensor in tensors]
    (folder / "shape.json").write_text(json.dumps({**about, "tensors": described}, indent=1))
