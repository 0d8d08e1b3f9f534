"""The decoder, which makes sound of latents: the layers that llama.cpp computes for this family, with computed weights.

ELU is the exponential function below 0: one layer of it turns logarithms of amplitudes into amplitudes, which weigh the
kernels of synthesis.py.
"""

import numpy as np

from codec import COMPONENTS, COSINES, LATENTS, Codec, cosines

# codec.py has put their folder on the path.
from analysis import FEATURES, STEPS_PER_FRAME
from synthesis import KERNEL, NOISES, OUT_STEP, amplitude_matrix, harmonic_kernels, noise_kernels

STRIDES = [6, 5, 4]
# Samples that the channels stand for behind the first and the second convolution.
STAGES = [OUT_STEP // STRIDES[0], OUT_STEP // STRIDES[0] // STRIDES[1]]
# Channels in front of them: each component with each cosine, and one for each step of a frame.
MOVING = COMPONENTS * COSINES
UPSAMPLED = MOVING + STEPS_PER_FRAME
# Logarithm of an amplitude that is none.
SILENT = 25.0
# Sound is carried above 0, where ELU leaves it as it is.
LIFT = 1.0
Tensors = dict[str, np.ndarray]


def decoder_tensors(codec: Codec) -> Tensors:
    """By the names of llama.cpp, dimensions in the order of NumPy."""
    tensors = steps() | amplitudes(codec) | sound(codec.peaks)
    return {f"a.gen.wav.{name}": tensor.astype(np.float32) for name, tensor in tensors.items()}


def steps() -> Tensors:
    """From frames to steps. The last latent is 1: it makes a channel that is 1 in one step of each frame alone."""
    quant_out = np.zeros((UPSAMPLED, LATENTS))
    upsample = np.zeros((UPSAMPLED, 1, 2 * STEPS_PER_FRAME))
    for component in range(COMPONENTS):
        channels = slice(component * COSINES, (component + 1) * COSINES)
        quant_out[channels, component] = 1
        upsample[channels, 0, :STEPS_PER_FRAME] = cosines()
    quant_out[MOVING:, LATENTS - 1] = 1
    upsample[MOVING:, 0, :STEPS_PER_FRAME] = np.eye(STEPS_PER_FRAME)
    return {"quant_out.weight": quant_out, "upsample.weight": upsample}


def amplitudes(codec: Codec) -> Tensors:
    """Logarithms of amplitudes below their peaks: harmonics, then the noises of each step, silent in all other steps."""
    matrix, added = amplitude_matrix()
    components = codec.components.reshape(COMPONENTS, STEPS_PER_FRAME, FEATURES) * codec.deviations[:, None, None]
    moving = np.einsum("wf,ms,csf->wcm", matrix, cosines(), components, optimize=True).reshape(len(matrix), MOVING)
    still = matrix @ codec.mean.reshape(STEPS_PER_FRAME, FEATURES).T + (added - codec.peaks)[:, None] + SILENT
    voiced = len(matrix) - NOISES
    channels = [np.concatenate([moving[:voiced], still[:voiced]], 1)]
    for step in range(STEPS_PER_FRAME):
        only_then = still[voiced:] * (np.arange(STEPS_PER_FRAME) == step)
        channels.append(np.concatenate([moving[voiced:], only_then], 1))
    kernel = np.concatenate([*channels, np.zeros((2, UPSAMPLED))])
    # ELU gives exp(x) − 1: two more channels of 1 add what is missing.
    biases = np.full(len(kernel), -SILENT)
    biases[-2:] = 1
    # The weights stand in the middle of a convolution, which llama.cpp wants to have a past.
    return {
        "seanet.conv_in.weight": np.pad(kernel[:, :, None], ((0, 0), (0, 0), (1, 1))),
        "seanet.conv_in.bias": biases,
    }


def sound(peaks: np.ndarray) -> Tensors:
    """From amplitudes to samples: the first convolution adds up all kernels, the others hand samples on."""
    voiced = len(peaks) - NOISES
    noises = noise_kernels() * np.exp(peaks[voiced:])[:, None]
    kernels = in_16_bits(np.concatenate([harmonic_kernels() * np.exp(peaks[:voiced])[:, None], *noises]))
    missing = kernels.sum(0)
    # The second channel adds what 16 bits lose of the first.
    kernels = np.concatenate([kernels, [in_16_bits(missing), missing - in_16_bits(missing)]])
    first = kernels.reshape(len(kernels), KERNEL // STAGES[0], STAGES[0]).transpose(0, 2, 1)
    second = np.zeros((STAGES[0], STAGES[1], 2 * STRIDES[1]))
    samples = np.arange(STAGES[0])
    second[samples, samples % STAGES[1], samples // STAGES[1]] = 1
    # One channel more than is needed, because llama.cpp takes a convolution to one for something else.
    third = np.zeros((STAGES[1], 2, 2 * STRIDES[2]))
    third[np.arange(STAGES[1]), 0, np.arange(STAGES[1])] = 1
    last = np.zeros((1, 2, 3))
    last[0, 0, 2] = 1
    made = {"conv_out.weight": last, "conv_out.bias": np.array([-LIFT])}
    for index, (kernel, lift) in enumerate([(first, LIFT), (second, 0), (third, 0)]):
        channels = kernel.shape[1]
        made |= {
            f"blk.{index}.scale_conv.weight": kernel,
            f"blk.{index}.scale_conv.bias": np.full(channels, lift),
            # Residual units that add nothing.
            f"blk.{index}.res_conv1.weight": np.zeros((1, channels, 3)),
            f"blk.{index}.res_conv1.bias": np.zeros(1),
            f"blk.{index}.res_conv2.weight": np.zeros((channels, 1, 1)),
            f"blk.{index}.res_conv2.bias": np.zeros(channels),
        }
    return {f"seanet.{name}": tensor for name, tensor in made.items()}


def in_16_bits(values: np.ndarray) -> np.ndarray:
    return values.astype(np.float16).astype(np.float64)


def decode(tensors: Tensors, latents: np.ndarray) -> np.ndarray:
    """What llama.cpp computes of frames × latents, with the last latent 1."""
    at = {name.removeprefix("a.gen.wav."): tensor.astype(np.float64) for name, tensor in tensors.items()}
    x = latents @ at["quant_out.weight"].T
    x = np.einsum("nc,cs->nsc", x, at["upsample.weight"][:, 0, :STEPS_PER_FRAME]).reshape(-1, UPSAMPLED)
    x = convolved(x, at["seanet.conv_in.weight"], at["seanet.conv_in.bias"])
    for index, stride in enumerate(STRIDES):
        block = f"seanet.blk.{index}.scale_conv"
        x = transposed(elu(x), at[f"{block}.weight"], stride) + at[f"{block}.bias"]
    return convolved(elu(x), at["seanet.conv_out.weight"], at["seanet.conv_out.bias"])[:, 0].clip(-1, 1)


def elu(x: np.ndarray) -> np.ndarray:
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))


def convolved(x: np.ndarray, kernel: np.ndarray, bias: np.ndarray) -> np.ndarray:
    width = kernel.shape[2]
    padded = np.pad(x, ((width - 1, 0), (0, 0)))
    return sum(padded[k : k + len(x)] @ kernel[:, :, k].T for k in range(width)) + bias


def transposed(x: np.ndarray, kernel: np.ndarray, stride: int) -> np.ndarray:
    inputs, outputs, width = kernel.shape
    columns = x @ kernel.transpose(0, 2, 1).reshape(inputs, -1)
    made = np.zeros((stride * len(x) + width, outputs))
    for start in range(width):
        made[start : start + stride * len(x) : stride] += columns[:, start * outputs : (start + 1) * outputs]
    return made[: stride * len(x)]
