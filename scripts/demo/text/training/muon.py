"""The Muon optimizer (https://kellerjordan.github.io/posts/muon/): momentum made orthogonal, for matrices."""

from typing import Iterable

import torch
from torch import Tensor, nn

from products import computes_bfloat16, products


class Muon:
    """Steps for weight matrices; `rate` is the size of a step relative to the matrix's own scale.

    Matrices of one shape are computed as one stack, which a GPU needs to be kept busy by so small ones.
    """

    def __init__(self, matrices: Iterable[nn.Parameter], momentum: float = 0.95, decay: float = 0.05):
        by_shape: dict[torch.Size, list[nn.Parameter]] = {}
        for matrix in matrices:
            by_shape.setdefault(matrix.shape, []).append(matrix)
        self.stacks = list(by_shape.values())
        self.momentum = momentum
        self.decay = decay
        self.velocities = [torch.zeros_like(torch.stack(stack)) for stack in self.stacks]

    @torch.no_grad()
    def step(self, rate: float) -> None:
        for stack, velocity in zip(self.stacks, self.velocities):
            gradient = torch.stack([matrix.grad for matrix in stack])
            velocity.lerp_(gradient, 1 - self.momentum)
            steps = orthogonalise(gradient.lerp(velocity, self.momentum))
            rows, columns = stack[0].shape
            torch._foreach_mul_(stack, 1 - rate * self.decay)
            torch._foreach_add_(stack, steps.unbind(), alpha=-rate * max(1.0, rows / columns) ** 0.5)

    def state_dict(self) -> dict[str, list[Tensor]]:
        return {"velocities": self.velocities}

    def load_state_dict(self, state: dict[str, list[Tensor]]) -> None:
        for velocity, stored in zip(self.velocities, state["velocities"]):
            velocity.copy_(stored)


def orthogonalise(gradients: Tensor, rounds: int = 5) -> Tensor:
    """Nearly the closest orthogonal matrix to each of a stack, by a quintic Newton-Schulz iteration, in bfloat16 where that is computed fast."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = gradients.bfloat16() if computes_bfloat16(gradients.device.type) else gradients
    if x.shape[1] > x.shape[2]:
        return orthogonalise(gradients.mT, rounds).mT
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(rounds):
        gram = products(x, x.mT)
        x = a * x + products(b * gram + c * products(gram, gram), x)
    return x.to(gradients.dtype)
