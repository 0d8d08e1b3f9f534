"""A model with more room, which computes the same at first."""

from dataclasses import replace

import torch

from model import DemoModel

# What a part of a block adds to the stream of activations ends in these.
LAST = ("attention.output.weight", "feed_forward.down.weight")


@torch.no_grad()
def grown(small: DemoModel, layers: int, feed_forward_size: int) -> DemoModel:
    """With so many blocks and units of a feed-forward, at least those of `small`.

    A new block is a copy of the one before it whose results are not added yet. New units add nothing yet either.
    """
    shape = replace(small.shape, layers=layers, feed_forward_size=feed_forward_size)
    big = DemoModel(shape, small.rotation.shape[0])
    sources = [at * small.shape.layers // layers for at in range(layers)]
    for at, source in enumerate(sources):
        is_new = at > 0 and sources[at - 1] == source
        weights = dict(small.blocks[source].named_parameters())
        for name, target in big.blocks[at].named_parameters():
            if name in LAST:
                target.zero_()
            if not (is_new and name in LAST):
                target[tuple(slice(size) for size in weights[name].shape)] = weights[name]
    big.embedding.weight.copy_(small.embedding.weight)
    big.output_norm.weight.copy_(small.output_norm.weight)
    return big
